// function -- derivatives of the functions that a formula may call.
#pragma once

#include "expression/expression.h"

// The derivative of a call, or of a power by the row of `pow`, as the row of functions.def has it.
//   da, db  the derivatives of its arguments; db NULL where there is one
const Node *function_derive(Expressions *table, int function, const Node *node, const Node *da, const Node *db);
