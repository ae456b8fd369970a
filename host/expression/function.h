// function -- derivatives of the functions that a formula may call.
#pragma once

#include "expression/expression.h"

// The derivative of a call, or of a power by the entry of `pow`, as its entry in functions.def has it.
//   da, db  the derivatives of its arguments; db NULL where there is one
const Node *function_derive(Expressions *table, int function, const Node *node, const Node *da, const Node *db);
