// effective -- value of one key of a sweep: as the sweep file or -s writes it, else its default.
#pragma once

#include "plan/plan.h"

// Finds the value that a key has for all points.
//   key    as of `-s KEY=VALUE`: step, parameters.eps, methods.LABEL.theta
//   arena  owns the value
//   value  written; where the sweep leaves the key out, its default with the fewest digits that read back equal
// Errors: ERROR_USAGE (no such key, an axis, a mapping, a value that differs between the methods; names the key and the
// remedy), ERROR_INTERNAL.
bool effective_value(const Plan *plan, const char *key, Arena *arena, const char **value, Error *err);
