// reference -- the CPU path: a second, independent implementation of every method, problem by problem, in plain C.
//
// It exists to be obviously right: scalar double arithmetic, textbook order, LAPACKE for linear solves and singular values, libm for
// functions. It shares only the problem's kernel file with the kernels, compiled as C. It fills the same Results as a device.
#pragma once

#include "plan/results.h"

#include <signal.h>

typedef struct ReferenceOptions {
    int                          nudge;    // moves every component of the initial state by this many ulps (conform: -1, 0, +1)
    int                          threads;  // 0: one per core
    const volatile sig_atomic_t *stop;     // not NULL: give up soon after it becomes non-zero (ERROR_STOPPED)
} ReferenceOptions;

// Runs the points of a batch into results (buffers at least as large as the batch).
// Errors: ERROR_INTERNAL, ERROR_STOPPED.
bool reference_run(const Plan *plan, const Batch *batch, const ReferenceOptions *options, Results *results, Error *err);

// Whether the reference implements this method; conform lists those it does not.
bool reference_has(const Card *method);
