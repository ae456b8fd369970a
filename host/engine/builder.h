// builder -- a thread that builds the kernels of a sweep's groups while its result file is made.
//
// One thread for all groups: OpenCL implementations compile one program at a time. Other processes may help it
// (device/apart.h).
#pragma once

#include "engine/engine.h"
#include "engine/notice.h"

#include <pthread.h>
#include <stdatomic.h>

// Zero-initialise it and fill the first part, of which all is borrowed. builder_stop() is safe on a zeroed one.
typedef struct Builder {
    Device                      *device;
    Engine                      *engines;  // [count] composed
    size_t                       count;
    int                          lanes;    // as device_build()
    const bool                  *wanted;   // [count] whether an engine will be used; the others are not built
    const volatile sig_atomic_t *signals;  // number of stop signals so far, or NULL
    Notice                      *notice;   // of the program being built
    size_t                       seat;     // in the notice
    const char                  *name;     // of the device, where there are several; or NULL
    bool                         apart;    // other processes may compile

    Program    *shaped;  // whose shapes are compiled, in place of groups; borrowed
    pthread_t   thread;
    bool        started, built, abandoned;
    atomic_bool stop;
    Error       err;
} Builder;

// An engine's program for a notice: its place among the programs that are built.
//   launch  at its first launch, where most drivers compile a part
ProgressCompile builder_compile(const Builder *builder, size_t engine, bool launch);

// Builds one, in the caller's thread. Errors: those of device_build().
bool builder_build(Builder *builder, size_t engine, Error *err);

// Errors: ERROR_INTERNAL (no thread).
bool builder_start(Builder *builder, Error *err);

// Waits until all is built, or a signal's grace has passed: a compiler cannot be interrupted, so that the thread is
// then abandoned, and all that it uses must stay. Errors: those of device_build(), ERROR_STOPPED.
bool builder_wait(Builder *builder, Error *err);

// Begins to compile the shapes that a trial of an engine's program is to compare (device/shapes.h), when all groups are
// built. False: the thread cannot start, or is still busy.
bool builder_start_shapes(Builder *builder, size_t engine);

// Whether the shapes of an engine's program are compiled. Once that was so, there are none being compiled.
bool builder_has_shapes(Builder *builder, size_t engine);

// Ends that thread after the shape that it is at. Errors: ERROR_STOPPED (a signal came before, and it is abandoned).
bool builder_end_shapes(Builder *builder, Error *err);

// Ends the thread when it is through with the program that it is at, or abandons it as builder_wait() does.
void builder_stop(Builder *builder);
