// group_make -- makes a group of the plan from an entry under `methods:`.
#pragma once

#include "plan/entry.h"
#include "plan/plan.h"

// Fills a zeroed group but for its blocks. The plan's spec, catalog, problem and precision are set; values go into its
// arena. Errors: as plan_make().
bool group_make(Plan *plan, const Entry *entry, Group *group, Error *err);
