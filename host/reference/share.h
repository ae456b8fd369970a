// share -- the solver's part of a step's error, over the error of the method itself.
//
// Newton's method stops where the residual is within the tolerance or the rounding floor. The residual left displaces
// each step. The displacement is found by solving the step once more, by the problem's own derivatives where it has
// them and to the floor. Beside it stands the method's own error of the step: two steps of half the length, solved so,
// from the same state. Both are summed over some steps of a point, component by component; their ratio is the solver's
// share.
#pragma once

#include "plan/plan.h"

#include <signal.h>

// A share above this is reported.
#define SHARE_LARGE 0.1

typedef struct SolverShare {
    double   share;  // the largest of all components and points; NaN: no step was looked at
    uint64_t point;  // where that is, in the group
    size_t   dof;    // of x, or, where `velocity`, of v
    bool     velocity;
    uint64_t points, steps;  // looked at
} SolverShare;

// Measures up to 8 points of a group, spread over it, each from its beginning. A group whose steps solve nothing, or
// have one update whatever the tolerance is, has none; in single precision, in which the reference does not compute,
// none is known.
//   most   steps that are taken in all; of an adaptive method eight times as many updates
//   stop   not NULL: give up where it becomes non-zero (ERROR_STOPPED)
//   share  written
// Errors: those of point_make(); ERROR_STOPPED.
bool share_measure(const Plan *plan, const Group *group, uint64_t most, const volatile sig_atomic_t *stop,
                   SolverShare *share, Error *err);
