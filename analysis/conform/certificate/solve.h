// solve -- the equation that a solve of Newton's method has left, its residual, and the floor of its rounding.
#pragma once

#include "analysis/conform/certificate/slopes.h"

// The equation f(u) = A u - rest - q a(t, x + cx u, v + cv u) = 0 that a solve has left at u.
typedef struct Solve {
    const char   *equation;
    Ball          A, q, t, cx, cv;
    const Vector *rest, *x, *v;  // x, v: NULL is 0
    bool          acceleration;  // the unknown is one; else it is a velocity
    const Vector *guess;         // where Newton's method begins
    // Of a solve that minimises an objective (minimum.h): the masses, which make the residual its gradient; else NULL.
    const long double *masses;
    // Of a linear stage: its acceleration is linear, with these derivatives (slopes.h); else NULL.
    const Slopes *slopes;
} Solve;

// The residual f(u).
void solve_residual(const Judge *judge, const Solve *solve, const Vector *u, Vector *f);

// The floor, which rounding alone may leave in each row of the residual: 4 u (N_i + |u_i|), u the roundoff, N_i the sum
// over the row of the matrix without A, each entry times the size of the number that an evaluation rounds there
// (solve_extent). Where x does not depend on the unknown (cx is 0), the rest of the row is rounded too.
//   rows  [n] the sums N_i
void solve_floor(const Judge *judge, const Solve *solve, const Vector *u, const long double *rows, long double *floors);

// Sizes that the components of a solve are measured by, as in kernels/newton.h: least and most of each, in the unit of
// the solve's unknown. Where `residual: scaled` asks for it, the tolerance, the differences of a Jacobian and the floor
// of the rounding go by the size of each component, and no number of theirs depends on the units. Where it is `raw`,
// all sizes here are 1.
typedef struct Sizes {
    long double least[CERTIFICATE_DOFS], most[CERTIFICATE_DOFS];
} Sizes;

// Whether tolerance and differences go by the components.
bool solve_scaled(const Judge *judge);

// Of the rows of the residual at an iterate that is known to within its bounds; u NULL: at the guess, before any
// update.
void solve_row_sizes(const Judge *judge, const Solve *solve, const Vector *u, Sizes *rows);

// Of the number that an evaluation at u rounds: the position over cx, or the unknown where the position does not depend
// on it.
void solve_extent(const Judge *judge, const Solve *solve, const Vector *u, Sizes *extent);

// Of the unknowns at an iterate where the residual is f, both to within their bounds: powers of two.
//   first  it is the guess
void solve_sizes(const Judge *judge, const Solve *solve, const Vector *at, bool first, const Vector *f,
                 Sizes *unknowns);

// Widths of the differences there, to each side.
void solve_widths(const Judge *judge, const Solve *solve, const Vector *at, bool first, const Vector *f, Sizes *widths);

// Demands that the sizes kept of the velocities follow from the sizes before and the new velocities.
void solve_demand_kept(Judge *judge);
