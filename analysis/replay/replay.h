// replay -- one point of a result file once more, on the kernel and on the reference side by side.
//
// The file's sweep is planned again, and the point becomes a group of its own. The kernel walks through it a substep at
// a time, and so does the reference from the same beginning; each leaves a trail of its tries. The two trails are then
// laid side by side: where their bits part, and where the first decision differs - a count of updates, a halving.
//
//    FILE.h5 --origin_read--> Plan --group_pick--> Group of one point
//                                                      |
//                                     kernel: a walk --+-- reference: its time loop
//                                          |                      |
//                                        trail                  trail
//                                          '--- rows by place ----'
//
// The inside of a kernel's substep is not seen: its residuals, Jacobians, pivots and conditions are computed by the
// reference's Newton method from the kernel's own state before the substep.
#pragma once

#include "analysis/conform/judgement/measures.h"
#include "reference/point.h"
#include "reference/reference.h"
#include "store/origin.h"
#include "terminal/coordinates.h"
#include "terminal/table.h"

#include <inttypes.h>

enum { REPLAY_SHIFTS = 4 };
#define REPLAY_AT UINT64_MAX

typedef struct ReplayRequest {
    const char *file;
    const char *sweep;   // a sweep file of the user's, who trusts the files that it names; NULL: none is opened
    const char *group;   // its label; NULL: the only one
    const char *device;  // as device_open(), or "reference": no kernel runs
    uint64_t    point;   // its number in the group; REPLAY_AT: it is where
    Coordinates at;      // axes have these values, or the nearest there are
} ReplayRequest;

// A tried substep: its time, its end and the state after it. The first of a trail is the beginning, with h = 0.
typedef struct ReplayTry {
    int64_t     step, index;  // index in 2^-20 of the step; of an adaptive method the trial's number in the step
    int64_t     level;
    double      t, h;
    bool        accepted;
    const char *end;  // "accepted", "failed", ...
    uint64_t    updates;
    double      error;     // of an adaptive method, over the permitted error; NaN: not known
    double      spacing;   // of a two-step method: to its earlier point; 0: it has none
    double     *state;     // [vectors][dofs] afterwards: x, v, a of methods that keep one
    double     *tangents;  // [derivatives of the group][moving][dofs] afterwards: of x, and of v where it is no rate
    double     *scale;     // [dofs] afterwards: sizes of velocities, where they are kept
    double     *previous;  // [2][dofs] the earlier point
    bool        judged;    // there is a certificate
    CertificateShare share;
} ReplayTry;

// The run of a side.
typedef struct ReplayTrail {
    bool       ran;
    Text       missing;  // why it did not
    ReplayTry *tries;    // [count]
    size_t     count, capacity;
    size_t     dofs, vectors, moving;  // moving: x and v, or of a system of first order x alone
    Status     status;
    Results    results;                   // of the one point
    uint64_t   steps, updates, rejected;  // steps that are completed
} ReplayTrail;

// A place in time, and each side's try there.
typedef struct ReplayRow {
    const ReplayTry *kernel, *reference;  // NULL: this side was not there
    double           apart;               // of the states afterwards, in ulps; NaN: not comparable
    bool             differ;              // they are other bits
    char             where[64];           // the component furthest apart, e.g. "v[1]", "x_d_k[0]"
} ReplayRow;

// The reference's change where the beginning moves by 1 to REPLAY_SHIFTS ulps, down and up.
typedef struct ReplayShift {
    uint64_t deciding;   // runs of the eight that decide otherwise somewhere
    int64_t  step;       // the first such step
    double   step_time;  // when that begins
    bool     close;      // some decision is so near that rounding makes it (reference/decisions.h)
    double   spread;     // of the final state, in ulps per ulp that the beginning moved
} ReplayShift;

typedef struct Replay {
    const ReplayRequest *request;
    StoreFile            file;
    Spec                 trusted;  // the user's sweep file, where there is one
    Origin               origin;
    const Group         *whole;     // of the file's sweep
    uint64_t             point;     // in it
    Group                group;     // of the point alone
    Solution             solution;  // of that group
    Batch                batch;     // of it, with the solution
    Results              stored;    // the file's results of the point
    char                 device[256];
    ReplayTrail          kernel, reference;
    PointRun             run;  // of the reference, where it has the problem and the method
    NewtonRules          rules;
    Stepping             stepping;
    ReplayRow           *rows;  // [row_count]
    size_t               row_count;
    size_t               parted, decided;  // the first places with other bits, with another decision; SIZE_MAX: none
    ReplayShift          shift;
    uint64_t             certified, judged;  // substeps of the kernel, its beginning included
    const ReplayTry     *worst;              // with the largest share of a bound; NULL: nothing was judged
    MeasuresCount        measured;           // the kernel's results, where there are certificates
    Text                 uncertified;        // why, where that is so
    Arena                arena;
} Replay;

// Replays a point.
//   request  borrowed; must outlive the replay
//   replay   zeroed; release with replay_free(), also after a failure
// Errors: ERROR_USAGE (no such group or point), those of store_read_open(), origin_read(), device_open(),
// engine_make() and device_walk().
bool replay_run(const ReplayRequest *request, Replay *replay, Error *err);
void replay_free(Replay *replay);

// Whether the file has the point: its block is done.
bool replay_is_stored(const Replay *replay);

// Whether the point has a variable: not every point has a trajectory.
bool replay_has(const Replay *replay, size_t variable);

// Whether two results of the point have the same bits in a variable.
bool replay_same(const Replay *replay, const Results *a, const Results *b, size_t variable);

// Runs the point on the reference, and from moved beginnings. Errors: those of point_run().
bool replay_run_reference(Replay *replay, Error *err);

// Runs the point on a device, walks through it and certifies it. Errors: those of the engine and of device_walk().
bool replay_run_kernel(Replay *replay, Error *err);

// The last digit of a number of that size, in the plan's precision.
double replay_ulp(const Replay *replay, double size);

// Adds an empty try to a trail. NULL: ERROR_INTERNAL.
ReplayTry *replay_add_try(Replay *replay, ReplayTrail *trail, Error *err);

// The reference's result of a try, from the trail's own state before it.
typedef struct ReplaySolve {
    bool     known;  // the reference has the problem and the method
    bool     accepted;
    uint64_t updates;
    double   error;  // of an adaptive method, over the permitted error; else NaN
} ReplaySolve;

//   at     index in the trail, not 0
//   watch  sees the updates; NULL: nobody
ReplaySolve replay_solve(const Replay *replay, const ReplayTrail *trail, size_t at, const NewtonWatch *watch);

// Adds the sides' results of the point, and where and why they part: a line each, in json an object.
void replay_print(Text *text, Format format, const Replay *replay);

// Adds the substeps of steps `from` to `to`, the beginning counted to step 0: a table row each, and one for each update
// of its solves. Errors: ERROR_INTERNAL (memory).
bool replay_print_trace(Text *text, Format format, const Replay *replay, uint64_t from, uint64_t to, Error *err);
