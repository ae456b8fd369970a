// evaluate -- the value of a function, and of a formula of parameters.
#pragma once

#include "expression/expression.h"

// The value, each operation rounded to double; of a condition 1 or 0. NaN where the formula uses a coordinate, a
// velocity or a table.
//   t          time; NAN where there is none
//   parameter  gives the value of a parameter by its number
double expression_evaluate(const Node *node, double t, double (*parameter)(const void *user, size_t index),
                           const void *user);

// The same, of a formula that may use coordinates, velocities and accelerations.
//   x, v, rates  [dofs] coordinates, velocities and accelerations, or NULL: NaN stands for each
double expression_evaluate_at(const Node *node, double t, const double *x, const double *v, const double *rates,
                              double (*parameter)(const void *user, size_t index), const void *user);

// The value of a function by the C library; b is not read where it has one argument.
double      evaluate_call(int function, double a, double b);
long double evaluate_call_long(int function, long double a, long double b);
