// minimum -- inside of certificates: solves that take a step as a minimum of the incremental potential.
//
// Chern 2024 (CSE 291), "Incremental variation", "Newmark algorithm" and "Numerical optimization"; Kane, Marsden, Ortiz
// and West 2000. With x1 = x + h u, h and the weight b = q/h being the solve's, the step minimises
//
//     L(u) = 1/2 |u - rest|_M^2 + b [U(x1) + h R(x, u) - F(t) . h u],
//
// whose gradient over the masses is the solve's residual. A minimum is certified by its equation, by an objective that
// is a number there and no greater than where the solve began, and by as many updates as the line search lets the solve
// take.
#pragma once

#include "analysis/conform/certificate/solve.h"

// The place where a search begins, and its direction: Newton's. Both, and the residual, with how far the kernel's may
// be from them.
typedef struct MinimumStart {
    Vector u, f, way;
    bool   down;    // the way leads down in any case
    bool   turned;  // the way has become that of steepest descent
} MinimumStart;

typedef struct MinimumPart {
    long double first;  // the largest part of the way that may do
    long double last;   // the largest that must; 0: none must
    bool        found;  // one may
} MinimumPart;

// Armijo's rule (Armijo 1966; Chern 2024, "Line search"): the first of the parts 1, 1/2, ..., 2^-40 of the way by which
// the objective falls by 1e-4 of the fall that its slope promises, but for its rounding. Where the way does not lead
// down, it becomes that of steepest descent, -f; where it may not, either.
//   start  the part is taken of its way
MinimumPart minimum_part(const Judge *judge, const Solve *solve, MinimumStart *start);

// The guess is where the objective is a number, or no motion.
void minimum_guess(const Judge *judge, const Solve *solve, Vector *guess);

// Demands that L at u is no more than at the guess: each update lowers it but for the room, which is asked at both.
void minimum_demand(Judge *judge, const Solve *solve, const Vector *u);
