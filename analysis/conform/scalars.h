// scalars -- energies, coordinates and solutions of a problem, with a bound on what a kernel's rounding does to them.
//
// What rounding inside may do is, as of accelerations (certificate.h), that of every argument, parameter and the result
// by as many units as the problem's file has operators; and that of each sine, cosine and their like by itself, so that
// a difference of two that nearly cancel is known no better than it is.
#pragma once

#include "analysis/conform/ball.h"
#include "analysis/conform/exact.h"

enum { SCALARS_DOFS = 32 };

typedef enum Scalar {
    SCALAR_ENERGY,
    SCALAR_KINETIC,
    SCALAR_FAST,
    SCALAR_SLOW,
    SCALAR_PERIOD,
    SCALAR_DISSIPATION,
    SCALAR_POWER,  // of the external force: scalars_power()
    SCALAR_RATES,  // of a state: scalars_rates()
    SCALAR_COUNT
} Scalar;

// A point's problem, in long double. Owned by whoever makes it; one thread at a time.
typedef struct Scalars {
    const Exact *exact;
    const Card  *problem;
    size_t       dofs;
    Roundoff     unit;                     // of the kernel's precision
    long double *values, *moved_values;    // [parameters of the problem]
    void        *params, *moved_params;    // [exact->bytes] loaded
    int          component[SCALAR_COUNT];  // of x, which the function only hands on; -1: it computes
} Scalars;

// Makes room for the parameters of a problem, and finds out which functions only hand on a component of x.
//   arena  owns the room
// Errors: ERROR_INTERNAL.
bool scalars_make(const Exact *exact, const Card *problem, size_t dofs, Roundoff unit, Arena *arena, Scalars *scalars,
                  Error *err);

// Takes the parameters of a point.
//   values  [parameters of the problem] as the kernel has them
void scalars_load(Scalars *scalars, const double *values);

// Whether the problem has it.
bool scalars_has(const Scalars *scalars, Scalar which);

// Its value at a state; a component that is handed on is as that is.
//   x, v  [dofs]; of the period NULL
Ball scalars_value(const Scalars *scalars, Scalar which, const Ball *x, const Ball *v);

// The sum of F_i v_i at the kernel's time, F the external force.
Ball scalars_power(const Scalars *scalars, double t, const Ball *v);

// The derivatives of a state at a time: of x, which is v, and of v; of a system of first order, whose state is x, of x
// alone, and 0.
//   rates  [2 dofs] written
void scalars_rates(const Scalars *scalars, Ball t, const Ball *x, const Ball *v, Ball *rates);

// The closed form's coordinates at the kernel's time.
//   x  [dofs] written
void scalars_solution(const Scalars *scalars, double t, Ball *x);
