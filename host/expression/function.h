// function -- derivatives of the functions that a formula may call.
#pragma once

#include "expression/expression.h"

// The derivative of a function of one argument by this argument. It is 0 for floor and sign, which have none where they
// jump.
//   node  the call
const Node *function_slope(Expressions *table, const Node *node);

// The derivative of a function of two arguments.
//   node    the call
//   da, db  the derivatives of its arguments
const Node *function_derive(Expressions *table, const Node *node, const Node *da, const Node *db);
