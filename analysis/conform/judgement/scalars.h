// scalars -- accelerations, energies, coordinates and solutions of a problem, with a bound on a kernel's rounding of
// them.
//
// Rounding inside moves every argument, parameter and the result by as many units as the problem's file has operators;
// and each sine, cosine and their like by itself, so that a difference of two that nearly cancel is known no better
// than it is. A number is off by its change where an argument moves as far as that is off; where this is a large part
// of it and not linear, nothing is known of it.
#pragma once

#include "analysis/conform/judgement/exact.h"
#include "gauges/gauge.h"

// A point's problem, and the functions of it that only hand on a component.
typedef struct Scalars {
    ExactPoint point;                    // loaded
    int        component[SCALAR_COUNT];  // of x, which the function only hands on; -1: it computes
} Scalars;

// Makes room for the parameters of a problem, and finds out which functions only hand on a component of x.
//   arena  owns the room
// Errors: ERROR_INTERNAL.
bool scalars_make(const Exact *exact, const Card *problem, size_t dofs, bool single, Arena *arena, Scalars *scalars,
                  Error *err);

// The numbers that gauges ask for; a component that is handed on is as that is.
//   scalars  a Scalars, loaded
GaugeFind scalars_find;

// The acceleration at a state that is known to within its bounds, as certificates demand it: where a move takes it
// through its whole range, nothing is demanded.
//   plain  bounds are those of its own rounding, whatever the arguments are off
//   a      [dofs] written
void scalars_acceleration(const ExactPoint *point, Ball t, const Ball *x, const Ball *v, bool plain, Ball *a);
