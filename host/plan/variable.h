// variable -- which numbers of a point are kept: `metrics:` and the fields of `trajectory:`.
#pragma once

#include "plan/plan.h"

// Sets the group's metric instances and its variables: status, the metrics in the order of the list (without one: every
// result that the problem and the method can give), then the trajectory's fields. Errors: ERROR_INPUT or ERROR_USAGE,
// ERROR_INTERNAL.
bool variable_make_all(Plan *plan, Group *group, Error *err);
