// equations -- vectors with bounds, accelerations, and the demands by which a kernel's numbers are judged.
//
// A bound on the rounding is computed beside each number (ball.h); that of accelerations in scalars.h.
#pragma once

#include "analysis/conform/judgement/substep.h"

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
    struct Updates           *solves;    // [CERTIFICATE_SOLVES] possible ends of the solves, as far as they are counted
    size_t                    solve_count;
    bool                      decided;     // no other number of updates is possible
    const char               *derivative;  // what the equations are derived by; NULL: they are not
} Judge;

enum { CERTIFICATE_SOLVES = 8 };

// The share of a bound that a difference uses. No bound permits a difference that is NaN. Where nothing is known,
// nothing is demanded: infinite bounds make others NaN.
CertificateShare equations_share(const char *equation, size_t dof, long double difference, long double bound);

// The largest number of the kernel's precision.
long double equations_limit(const Judge *judge);

// A sum of vectors with factors: sum(judge, &x, 2, (Term[]){{one, &a}, {h, &b}}).
typedef struct Term {
    Ball          factor;
    const Vector *vector;
} Term;

// A vector of the kernel's.
Vector equations_known(const Judge *judge, const double *numbers);

// The vector of the method's state that has a name; the last one where none has.
const double *equations_own(const Judge *judge, const WalkState *state, const char *name);

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

// The same of coordinates. Methods treat the unknowns of a first-order system as velocities; its coordinates are not
// looked at.
void equations_position(Judge *judge, const char *equation, const Vector *vector, const double *kernel);

// Demands the same of one number, of a component or, as 0, of none.
void equations_number(Judge *judge, const char *equation, size_t dof, Ball number, double kernel);

// Demands that the kernel's number may be no more than a limit.
void equations_below(Judge *judge, const char *equation, size_t dof, Ball number, long double limit);

// Reports a number of the kernel's as wrong, whatever rounding does.
void equations_fail(Judge *judge, const char *what, long double kernel, long double wanted);
