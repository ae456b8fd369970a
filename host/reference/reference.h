// reference -- the CPU path: a second, independent implementation of every method, problem by problem, in plain C.
//
// It exists to be obviously right: scalar double arithmetic, textbook order, LAPACKE for linear solves and singular
// values, libm for functions. It shares only the problem's kernel file with the kernels, compiled as C. It fills the
// same Results as a device.
//
// A plan in single precision is computed in double too, on inputs rounded to float: parameters, step and tolerance. The
// stencil and the floor guard keep the constants of double, so update counts do not compare with a device's there.
#pragma once

#include "plan/results.h"

#include <signal.h>

typedef struct ReferenceOptions {
    // Moves every component of x0 by this many ulps of the largest component of x0, and v0 likewise (conform: -1, 0,
    // +1). Ulps are those of the plan's precision; a vector of zeros stays.
    int                          nudge;
    int                          threads;  // 0: one per core
    const volatile sig_atomic_t *stop;     // not NULL: give up soon after it becomes non-zero (ERROR_STOPPED)
} ReferenceOptions;

// Runs the points of a batch into results (buffers at least as large as the batch).
// Errors: ERROR_DEVICE (a problem, method or metric the reference does not have, such as a user's problem file),
// ERROR_INTERNAL (memory), ERROR_STOPPED.
bool reference_run(const Plan *plan, const Batch *batch, const ReferenceOptions *options, Results *results, Error *err);

// Whether the reference implements this method; conform lists those it does not.
bool reference_has(const Card *method);
