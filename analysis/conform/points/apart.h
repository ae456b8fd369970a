// apart -- how far trajectories of kernels and reference part. It is information and does not decide: two right answers
// may part by any amount where a motion is chaotic, or where rounding decides whether a solve is accepted.
#pragma once

#include "plan/results.h"

#include <signal.h>

typedef struct Apart {
    Error    unreferenced;  // why nothing was compared; ERROR_NONE: something was
    uint64_t points;        // compared
    uint64_t sensitive;     // whose status, counts or trajectory an ulp of the initial state changes
    double   ulps;          // largest difference of the other trajectories, in ulps of their scale
    uint64_t step;          // the first step after which any sampled state is 1e-6 of its trajectory's scale apart, of
                            // all points; UINT64_MAX: none
    uint64_t step_point;    // where that is
} Apart;

// Compares the results of a batch. Sensitive is a point whose status or counts change where the reference begins with
// its initial state moved by one to four units in the last place, or came so near to others that rounding decides
// (reference/decisions.h), or whose trajectory then moves by more than 1e-4 of its scale. In single precision the
// reference computes in double, on inputs rounded to float.
//   apart  written
// Errors: ERROR_STOPPED, ERROR_INTERNAL.
bool apart_measure(const Plan *plan, const Batch *batch, const Results *kernels, const volatile sig_atomic_t *stop,
                   Apart *apart, Error *err);
