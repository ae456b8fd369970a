// partials -- derivatives of an acceleration by the state and by the parameters, with a bound on a kernel's rounding.
//
// The functions `jacobian`, `slopes` and `start_slopes` of a problem's file in long double. Bounds are as in scalars.h:
// each entry is rounded by as many units as the file has operators, and so may be each argument and each parameter on
// its way into the entries. Where such a move changes them by much and not in proportion, nothing is known of them.
#pragma once

#include "analysis/conform/judgement/exact.h"

typedef struct Partials {
    size_t       n, parameters;
    Ball        *in_x, *in_v;  // [n][n] rows
    Ball        *by, *by_v;    // [parameters][n], by the place of problem_c_slope(); by_v of a start
    Ball        *entries;      // all of them
    size_t       count;
    long double *at, *ahead, *behind;  // [count] room
} Partials;

// Makes room.
//   arena  owns it
// Errors: ERROR_INTERNAL.
bool partials_make(const Card *problem, size_t dofs, Arena *arena, Partials *partials, Error *err);

// Of the acceleration at a state that is known to within its bounds.
//   plain  bounds are those of the entries' own rounding
void partials_find(const ExactPoint *point, Ball t, const Ball *x, const Ball *v, bool plain, Partials *partials);

// Of the initial state: `by` of the coordinates, `by_v` of the velocities.
void partials_start(const ExactPoint *point, Partials *partials);
