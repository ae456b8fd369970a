// break_functions -- inside of compose: the functions of a sweep's breaks.
#pragma once

#include "base/text.h"
#include "plan/breaks.h"

// Adds, of each entry, break_after0(), break_until0() and, where it sets anything, break_set0(); breaks_next(); and the
// lists BREAK_ENTRIES and BREAK_SETS of their numbers.
// Errors: ERROR_INPUT (too many terms), ERROR_INTERNAL.
bool break_functions_add(Text *out, const Group *group, Error *err);
