// between -- the motion between two observations: cubics through both states and their derivatives.
#pragma once

#include "gauges/gauge.h"

// A step, as the kernel has seen it.
typedef struct BetweenStep {
    double        before, t;          // times of its ends
    const double *x0, *v0, *x1, *v1;  // [dofs] states there
} BetweenStep;

// Derivatives at the ends of a step, [2 dofs] each: of x, then of v.
typedef struct BetweenSlopes {
    Ball from[2 * GAUGE_DOFS], to[2 * GAUGE_DOFS];
} BetweenSlopes;

void between_slopes(const Sight *sight, const BetweenStep *step, BetweenSlopes *slopes);

// The state after a part of the step, 0 to 1: y(s) of the cubic through y(0), y(1) with the slopes h y'(0), h y'(1); at
// the end the state that was seen.
//   state  [2 dofs] x, then v; written
void between_state(const Sight *sight, const BetweenStep *step, const BetweenSlopes *slopes, Ball s, Ball *state);
