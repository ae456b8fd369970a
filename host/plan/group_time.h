// group_time -- what is asked of the steps of a group, their size and its end, once its points are known.
#pragma once

#include "plan/plan_make.h"

// The largest number of steps whose times a number of the sweep's precision can tell apart.
double group_time_most(const Plan *plan);

// Refuses steps that cannot be counted or whose time is no number, and a step that is longer than the motion. Warns
// where whole steps do not reach the end.
bool group_time_check(Plan *plan, const Entry *entry, const Group *group, Error *err);
