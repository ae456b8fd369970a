// scalars -- energies, coordinates and solutions of a problem, with a bound on a kernel's rounding of them.
//
// Rounding inside moves, as in accelerations (equations.h), every argument, parameter and the result by as many units
// as the problem's file has operators; and each sine, cosine and their like by itself, so that a difference of two that
// nearly cancel is known no better than it is.
#pragma once

#include "analysis/conform/judgement/exact.h"
#include "gauges/gauge.h"

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

// The numbers that gauges ask for; a component that is handed on is as that is.
//   scalars  a Scalars, loaded
GaugeFind scalars_find;
