// sets -- the values that breaks give to coordinates and velocities (plan/breaks.h), with bounds on their rounding.
#pragma once

#include "analysis/conform/judgement/equations.h"

// Changes a state as the breaks in (passed, time] of the judged substep do, or the events at `time` that have crossed,
// entry by entry.
//   x, v  [dofs] as a method sees them: the state of a first-order system stands in v
void sets_apply(const Judge *judge, Vector *x, Vector *v);
