// output_name -- name of a result file with keys of the sweep in it: out-{parameters.eps}.h5.
#pragma once

#include "plan/plan.h"

// Puts the value of the key in place of each {KEY}; {{ and }} are braces.
//   pattern  of `-o`
//   name     added to
// Errors: those of effective_value(); ERROR_USAGE (a brace alone, a value that no name of a file may have in it),
// ERROR_INTERNAL.
bool output_name_fill(const char *pattern, const Plan *plan, Text *name, Error *err);
