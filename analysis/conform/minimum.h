// minimum -- inside of certificates: solves that take a step as a minimum of the incremental potential.
//
// Chern 2024 (CSE 291), "Incremental variation", "Newmark algorithm" and "Numerical optimization"; Kane, Marsden, Ortiz
// and West 2000. With x1 = x + h u, h and the weight b = q/h being those of the solve, the step minimises
//
//     L(u) = 1/2 |u - rest|_M^2 + b [U(x1) + h R(x, u) - F(t) . h u],
//
// whose gradient over the masses is the solve's residual. A minimum is certified by its equation, by an objective that
// is a number there and no greater than where the solve began, and by as many updates as the line search lets the solve
// take (search.h).
#pragma once

#include "analysis/conform/equations.h"

// L at u, and how much an update may raise it for its rounding.
Ball minimum_objective(const Judge *judge, const Solve *solve, const Vector *u, long double *room);

// Demands that L at u is no more than at the guess: each update lowers it but for the room, which is asked at both.
void minimum_demand(Judge *judge, const Solve *solve, const Vector *u);
