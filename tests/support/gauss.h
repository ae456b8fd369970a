// gauss -- motions of a law to about 1e-17: Gauss collocation of order 16 in long double.
//
// The stages are found by iteration, which converges where a step is shorter than a few times the inverse of the
// highest frequency. No part of it is like the reference's tight solver, which extrapolates.
#pragma once

#include "support/law.h"

// Moves t, x and v of a place to t = `to` in equal steps.
//   kind  LAW_ACCELERATION, or LAW_LIMIT_ACCELERATION, which has one degree of freedom
//   rate  a bound on frequencies and decay rates of the motion, several times that where it is far from linear: steps
//         are no longer than 1/rate
void gauss_move(const Law *law, LawKind kind, long double to, long double rate, LawPlace *place);
