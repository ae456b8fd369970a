// equations -- inside of certificates: vectors with bounds, accelerations, and what is asked of them.
//
// A family's function writes its equations by these, and says of each number of the kernel what it must be.
#pragma once

#include "analysis/conform/certificate.h"

typedef struct Vector {
    Ball i[CERTIFICATE_DOFS];
} Vector;

// A substep being judged.
typedef struct Judge {
    const CertificateSubstep *substep;
    size_t                    n;
    Roundoff                  u;
    Ball                      t, h;
    bool                      plain;  // bounds are not asked for
    CertificateShare          worst;
    bool                     *overflow;  // set where a number may be too large for the kernel's precision
    struct Updates           *solves;  // [CERTIFICATE_SOLVES] what the solves may have been, as far as they are counted
    size_t                    solve_count;
    bool                      decided;  // no other number of updates is possible
} Judge;

enum { CERTIFICATE_SOLVES = 2 };

// The largest number of the kernel's precision.
long double equations_limit(const Judge *judge);

// A sum of vectors with factors: sum(judge, &x, 2, (Term[]){{one, &a}, {h, &b}}).
typedef struct Term {
    Ball          factor;
    const Vector *vector;
} Term;

// Value of the method's parameter.
Ball equations_parameter(const Judge *judge, const char *name);

// A vector of the kernel's.
Vector equations_known(const Judge *judge, const double *numbers);

// The largest of the kernel's numbers.
long double equations_size(const Judge *judge, const double *numbers);

#define SUM(judge, ...) equations_sum(judge, sizeof((Term[]){__VA_ARGS__}) / sizeof(Term), (const Term[]){__VA_ARGS__})
Vector equations_sum(const Judge *judge, size_t count, const Term *terms);

// base + factor u. A base of NULL is 0; no rounding is made where the factor is 0 or 1.
Vector equations_ahead(const Judge *judge, const Vector *base, Ball factor, const Vector *u);

// The acceleration at a state that is known to within its bounds.
Vector equations_acceleration(const Judge *judge, Ball t, const Vector *x, const Vector *v);

// Demands that the kernel's numbers are these, to rounding.
void equations_equal(Judge *judge, const char *equation, const Vector *vector, const double *kernel);

// The same of coordinates. Methods do to a first-order system what they do to velocities; what they do to coordinates
// is not looked at.
void equations_position(Judge *judge, const char *equation, const Vector *vector, const double *kernel);

// How a position depends on the unknown, cx of a Solve: not at all in a first-order system.
Ball equations_reach(const Judge *judge, Ball cx);

// Demands the same of one number, of a component or, as 0, of none.
void equations_number(Judge *judge, const char *equation, size_t dof, Ball number, double kernel);

// Demands that what the kernel has for a number may be no more than a limit.
void equations_below(Judge *judge, const char *equation, size_t dof, Ball number, long double limit);

// Says that something of the kernel's is not what it must be, whatever rounding does.
void equations_fail(Judge *judge, const char *what, long double kernel, long double wanted);

// Demands that a number is a number, and no greater than a limit, to rounding.
void equations_at_most(Judge *judge, const char *equation, Ball number, Ball limit);

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
void equations_residual(const Judge *judge, const Solve *solve, const Vector *u, Vector *f);

// What rounding alone may leave in each row of the residual: 4 u (N_i + |u_i|), u the roundoff, N_i the sum over the
// row of the matrix without A, each entry times the size of what an evaluation rounds there (sizes_extent). Where x
// does not depend on the unknown (cx is 0), the rest of the row is rounded too.
//   rows  [n] those sums
void equations_floor(const Judge *judge, const Solve *solve, const Vector *u, const long double *rows,
                     long double *floors);

// Demands that the residual at u is below the tolerance, or below its rounding floor where the guard is on; and that
// Newton's method takes as many updates as the kernel did.
void equations_solved(Judge *judge, const Solve *solve, const Vector *u);

// Follows a solve whose solution is not shown; the judge's `solves` have what it may be.
void equations_follow(Judge *judge, const Solve *solve);

// A column of the matrix df/du, and what the kernel's may be off beside what it rounds an entry by.
typedef struct MatrixColumn {
    long double at[CERTIFICATE_DOFS], off[CERTIFICATE_DOFS];
} MatrixColumn;

// Column j at the guess u, where the residual is f: by the kernel's differences, or as exactly as can be where its is
// analytic.
MatrixColumn equations_column(const Judge *judge, const Solve *solve, const Vector *u, size_t j, const Vector *f);

// Demands that u is where one update from `guess` leads: f(guess) + J (u - guess) = 0, J by the method's differences.
void equations_linear(Judge *judge, const Solve *solve, const Vector *guess, const Vector *u);
