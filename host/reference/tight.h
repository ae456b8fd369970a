// tight -- accurate solver of the reference: x'' = a(t, x, v), each component to 1e-13 of its own size in every step.
//
// Gragg's modified midpoint rule with smoothing, extrapolated (Hairer, Norsett and Wanner 1993, section II.9): columns
// are added until two agree, up to order 16; a step that does not get there is halved. It is explicit, so that its cost
// grows with the highest frequency.
//
// The size of a component is the largest so far, of a coordinate and of its velocity each by itself; it may be off by
// 1e-6 of its size in the step. Units of length and time do not matter, and units that are powers of two leave every
// bit, but where numbers underflow. Two kinds of components have no size to go by:
// - One that is rounding alone, such as one at rest by symmetry, or of which rounding leaves fewer than 13 digits: it
//   may be off by the effect of rounding on its acceleration, found by computing it rounding up and rounding down.
// - One that begins at 0 in a way that no polynomial follows: where the step was halved 40 times it may be off, by less
//   than 1e-12 of its size in the step that was tried first.
// A step that would be shorter than the rounding of the time is taken as it is.
#pragma once

#include "reference/problem.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Tight {
    size_t      n;
    const void *params;  // borrowed; handed to the function
    void (*acceleration)(double t, const double *x, const double *v, const void *params, double *a);
    bool     first_order;        // v is the state and a its rate; x, which a does not depend on, may be off
    uint64_t evaluations, most;  // made so far, and permitted
    // Zero at the start.
    double step;   // to be tried next
    bool   rough;  // rounding has kept columns from agreeing: it is looked at in every step
    double size_x[REFERENCE_DOFS], size_v[REFERENCE_DOFS];  // the largest so far
    double rounding[REFERENCE_DOFS];                        // its effect on accelerations
} Tight;

// Moves x and v [n] from t to `to`, going on from where the last call ended. False where the evaluations permitted are
// used up or the motion is not finite.
bool tight_advance(Tight *tight, double t, double to, double *x, double *v);
