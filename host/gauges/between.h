// between -- the motion between two observations, the ends of a step or of an arc (kernels/arcs.h): cubics through both
// states and their derivatives.
#pragma once

#include "gauges/gauge.h"

// A step, as the kernel has seen it.
typedef struct BetweenStep {
    double        before, t, h;       // times of its ends, and its length
    const double *x0, *v0, *x1, *v1;  // [dofs] states there
    const double *dense;              // [3][2][dofs] of x and v: d_1, d_2, d_3 (kernels/between.h); NULL: none
} BetweenStep;

// A step's ends and the derivatives there, [2 dofs] each: of x, then of v.
typedef struct Between {
    double        before, h;  // the time of the first, and the length
    const double *dense;
    Ball          ends[2][2 * GAUGE_DOFS], slopes[2][2 * GAUGE_DOFS];
} Between;

void between_make(const Sight *sight, const BetweenStep *step, Between *between);

// The state after a part of the step, 0 to 1: y(s) of the cubic through y(0), y(1) with the slopes h y'(0), h y'(1); at
// the end the state that was seen. Of a method with dense output (1 - s) y(0) + s (y(1) + (1 - s) (d_1 + s d_2 + s^2
// d_3)).
//   state  [2 dofs] x, then v; written
void between_state(const Sight *sight, const Between *between, Ball s, Ball *state);
