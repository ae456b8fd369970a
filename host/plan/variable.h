// variable -- which numbers of a point are kept: `metrics:` and the fields of `trajectory:`.
#pragma once

#include "plan/plan.h"

// Sets the group's metric instances and its variables: status, the metrics in the order of the list (without one: every
// result that the problem and the method can give), then the trajectory's fields. Errors: ERROR_INPUT or ERROR_USAGE,
// ERROR_INTERNAL.
bool variable_make_all(Plan *plan, Group *group, Error *err);

// Whether the kernel has to keep something for a variable.
bool variable_records(const Group *group, const Variable *variable, Record record);

// Whether `metrics:` of a group may list a result: the problem provides what it needs, and no axis has its name.
bool variable_may_list(const Group *group, const Card *card, const CardResult *result);
