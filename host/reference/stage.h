// stage -- the equation of a solve for the velocity at its end: x1 = X + c u, u = v1 = W + c a(t, x1, u).
//
// Backward Euler, the trapezoidal rule, BDF2 and what is blended or composed of them differ in X, W and c alone.
#pragma once

#include "reference/method.h"

typedef struct Stage {
    const Step *step;
    double      t;  // at its end
    double      c;
    double      X[REFERENCE_DOFS], W[REFERENCE_DOFS];
} Stage;

// Solves for the state at the stage's end.
//   x  [dofs] written
//   v  [dofs] the guess on entry
SolveEnd stage_solve(const Stage *stage, Tally *tally, double *x, double *v);
