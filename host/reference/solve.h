// solve -- fills the tables of a group's Solution with the tight solver, one problem point after the other.
#pragma once

#include "plan/solution.h"
#include "reference/reference.h"

// Accelerations that one table may cost: about a second.
enum { SOLVE_EVALUATIONS = 20000000 };

// Makes the solution that a group's metrics need; an empty one where they need none.
//   solution  written; release with solution_free()
// Errors: ERROR_INPUT (a problem file of the user without `exact`: only built-in problems have a reference; more than
// 2 GiB of tables), ERROR_STOPPED, ERROR_INTERNAL.
bool solve_group(const Plan *plan, const Group *group, const ReferenceOptions *options, Solution *solution, Error *err);
