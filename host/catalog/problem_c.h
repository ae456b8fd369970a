// problem_c -- C text around a problem file: its parameters, and its functions behind names of the caller's.
//
// Behind the file of a first-order system stands kernels/first_order.h.
//
// The text is compiled after one that defines the names that a problem file uses (kernels/README.md), `real` among
// them: by the build and at run time for the reference, in long double for certificates.
#pragma once

#include "base/text.h"
#include "catalog/card.h"

// FUNCTION(feature, name, result, signature, call): feature is its name under the card's `provides`, NULL where every
// problem has it; parameters are untyped, and matrices are stored row by row.
#define PROBLEM_FUNCTIONS(FUNCTION)                                                                                  \
    FUNCTION(NULL, initial_state, void, (const void *params, real *x, real *v), "initial_state(params, x, v)")       \
    FUNCTION(NULL, acceleration, void, (real t, const real *x, const real *v, const void *params, real *a),          \
             "acceleration(t, x, v, params, a)")                                                                     \
    FUNCTION("energy", energy, real, (const real *x, const real *v, const void *params), "energy(x, v, params)")     \
    FUNCTION("kinetic", kinetic, real, (const real *x, const real *v, const void *params), "kinetic(x, v, params)")  \
    FUNCTION("potential", potential, real, (const real *x, const void *params), "potential(x, params)")              \
    FUNCTION("jacobian", jacobian, void,                                                                             \
             (real t, const real *x, const real *v, const void *params, real *dadx, real *dadv),                     \
             "jacobian(t, x, v, params, (real(*)[DOF])dadx, (real(*)[DOF])dadv)")                                    \
    FUNCTION("exact", exact, void, (real t, const void *params, real *x, real *v), "exact(t, params, x, v)")         \
    FUNCTION("period", period, real, (const void *params), "period(params)")                                         \
    FUNCTION("fast", fast, real, (const real *x, const void *params), "fast(x, params)")                             \
    FUNCTION("slow", slow, real, (const real *x, const void *params), "slow(x, params)")                             \
    FUNCTION("masses", masses, void, (const void *params, real *mass), "masses(params, mass)")                       \
    FUNCTION("dissipation", dissipation, real, (const real *x, const real *v, const void *params),                   \
             "dissipation(x, v, params)")                                                                            \
    FUNCTION("drive", drive, void, (real t, const void *params, real *force), "drive(t, params, force)")             \
    FUNCTION("limit", limit_start, void, (const void *params, real *x, real *v), "limit_start(params, x, v)")        \
    FUNCTION("limit", limit_acceleration, void, (real t, const real *x, const real *v, const void *params, real *a), \
             "a[0] = limit_acceleration(t, x[0], v[0], params)")

// Members of a struct that point to the functions, where `real` is the type of their numbers:
// PROBLEM_FUNCTIONS(PROBLEM_MEMBER).
#define PROBLEM_MEMBER(feature, name, result, signature, call) result(*name) signature;

typedef struct ProblemFunction {
    const char *feature, *name, *result, *signature, *call;
} ProblemFunction;

enum { PROBLEM_C_MOST = 15 };
extern const ProblemFunction problem_c_functions[PROBLEM_C_MOST];

// Definitions in C of the names that a problem file uses. `real` is defined before it. There may be LIBM(name), a
// function of the C library; CALLED(ulp, y), the value of a call whose result is y, exact where ulp is 0; and real_fma:
// by default they are the compiler's own, in double, and y.
extern const char problem_c_words[];

// Whether the card of a problem promises a function.
bool problem_c_promises(const Card *card, const ProblemFunction *function);

// Adds the number of degrees of freedom, the names of choices, struct Params, and the functions of the card's tables.
// `real` is known.
void problem_c_params(const Card *card, size_t dofs, Text *text);

// Adds struct Slopes, which the promised function `slopes` fills: a vector for each parameter that is a number.
void problem_c_slopes(const Card *card, Text *text);

// Adds struct Gradient, which the promised functions energy_gradient() and the like fill: derivatives by the state and
// by each parameter that is a number.
void problem_c_gradient(const Card *card, Text *text);

// Adds `void PREFIX_load(void *params, const real *values)`, values in card order, a choice as its index; where the
// card has tables, `void PREFIX_curves(void *params, const double *numbers)`, their numbers, which are to outlive
// params; and every promised function as PREFIX_NAME(). The file stands before them.
//   storage  "static " or ""
void problem_c_calls(const Card *card, const char *storage, const char *prefix, Text *text);
