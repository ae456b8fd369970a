// evaluate -- the value of a formula of parameters.
#pragma once

#include "expression/expression.h"

// The value, each operation rounded to double. NaN where the formula uses a coordinate or a velocity.
//   t          time; NAN where there is none
//   parameter  gives the value of a parameter by its number
double expression_evaluate(const Node *node, double t, double (*parameter)(const void *user, size_t index),
                           const void *user);
