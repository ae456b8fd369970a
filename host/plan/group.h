// group -- makes a group of the plan from an entry under `methods:`.
#pragma once

#include "plan/entry.h"
#include "plan/plan.h"

// Fills a zeroed group but for its blocks. The plan's spec, catalog, problem and precision are set; values go into its
// arena. Errors: as plan_make().
bool group_make(Plan *plan, const Entry *entry, Group *group, Error *err);

// The axis of that name, or NULL.
const Axis *group_axis(const Group *group, const char *name);

// Adds a line to the plan's warnings unless it is there already.
// Errors: ERROR_INTERNAL.
bool plan_warn(Plan *plan, const char *line, Error *err);
