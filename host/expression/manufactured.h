// manufactured -- adds to a system the force by which given motions solve it.
#pragma once

#include "expression/system.h"

// Gives a system the solution x*(t): to the acceleration f(t, x, v) is added x*'' - f(t, x*, x*'), to a rate f(t, x)
// x*' - f(t, x*), and the start becomes x*(0). The Jacobian stays as it is.
// Source: Roache, Code verification by the method of manufactured solutions, J. Fluids Eng. 124 (2002).
//   motion  [system->dofs] formulas of the time and of parameters, without tables
//   system  its motion, start, closed form and external force are changed
// Errors: ERROR_INPUT (too many terms), ERROR_INTERNAL.
bool manufactured_add(Expressions *table, const Node *const *motion, System *system);
