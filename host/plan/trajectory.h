// trajectory -- stored trajectories: the points that have one, and the steps of its samples.
#pragma once

#include "plan/plan.h"

// Sets the group's trajectory, but for its fields: every, samples, where. The group's axes and steps are made.
// Errors: ERROR_INPUT or ERROR_USAGE, ERROR_INTERNAL. Warns where a value of `where` was moved to the nearest on its
// axis.
bool trajectory_make(Plan *plan, Group *group, Error *err);

// Refuses names under `where` that are an axis of no group.
// Errors: ERROR_INPUT or ERROR_USAGE.
bool trajectory_check_where(const Plan *plan, Error *err);
