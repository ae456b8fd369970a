// peer -- parts common to the C and C++ peers: a job, three functions of each peer, the driver's protocol.
//
// peer.c starts one process per worker (not every library here is safe to use from several threads), deals the systems
// out to them, and then runs the whole job each time the driver says so. Only runs are timed: libraries are set up
// before the first one, as they would be in a program that integrates many systems.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// A worker's part of the systems.
typedef struct Job {
    const char   *mode;     // which of the peer's variants
    double        h;        // step
    double        setting;  // the peer's tolerance, where it has one
    size_t        steps, points;
    const double *start;  // [points][ROW] parameter, then x and v, or u
    double       *final;  // [points][STATE] written by each run
} Job;

// Sets the peer up. What it returns is passed to the other two.
void *peer_make(const Job *job);
// Integrates every system of the job from its start.
void peer_run(void *peer, const Job *job);
void peer_end(void *peer);

// Ends the worker, and with it the peer, where a call of a library failed.
void peer_must(int fine, const char *what);

#ifdef __cplusplus
}
#endif
