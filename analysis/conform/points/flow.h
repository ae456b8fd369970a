// flow -- motion of a problem over a stretch of time, in long double: the standard for the order of a method.
//
// The motion is extrapolated from modified midpoint rules (Hairer, Norsett and Wanner 1993, section II.9) of 2, 4, ...,
// 16 substeps, which makes order 16. A part of the stretch is taken where the last two columns agree to a fourth of one
// rounding of the kernel's, else halved.
#pragma once

#include "analysis/conform/judgement/exact.h"

#include <stdbool.h>

enum { FLOW_DOFS = CARD_DOFS };

typedef struct Flow {
    const Exact *exact;   // borrowed
    const void  *params;  // of the problem, loaded; borrowed
    size_t       dofs;
    long double  unit;      // roundoff of the kernel's precision
    long double  rounding;  // of an acceleration of the kernel's
} Flow;

// Moves x and v from time t to t + length.
//   x, v  [dofs] from, and to
// Returns false where the motion ends before, or needs parts shorter than 2^-40 of the stretch.
bool flow_move(const Flow *flow, long double t, long double length, long double *x, long double *v);

// The largest of so many numbers' sizes; NaN where one is not a number.
long double flow_norm(const long double *numbers, size_t count);
