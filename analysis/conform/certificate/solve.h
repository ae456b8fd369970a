// solve -- the equation that a solve of Newton's method has left, its residual, and the floor of its rounding.
#pragma once

#include "analysis/conform/judgement/equations.h"

// The equation f(u) = A u - rest - q a(t, x + cx u, v + cv u) = 0 that a solve has left at u.
typedef struct Solve {
    const char   *equation;
    Ball          A, q, t, cx, cv;
    const Vector *rest, *x, *v;  // x, v: NULL is 0
    bool          acceleration;  // the unknown is one; else it is a velocity
    const Vector *guess;         // where Newton's method begins
    // Of a solve that minimises an objective (minimum.h): the masses, which make the residual its gradient; else NULL.
    const long double *masses;
} Solve;

// The residual f(u).
void solve_residual(const Judge *judge, const Solve *solve, const Vector *u, Vector *f);

// The floor, which rounding alone may leave in each row of the residual: 4 u (N_i + |u_i|), u the roundoff, N_i the sum
// over the row of the matrix without A, each entry times the size of the number that an evaluation rounds there
// (sizes_extent). Where x does not depend on the unknown (cx is 0), the rest of the row is rounded too.
//   rows  [n] the sums N_i
void solve_floor(const Judge *judge, const Solve *solve, const Vector *u, const long double *rows, long double *floors);
