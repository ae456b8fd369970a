// break_functions -- inside of compose: the functions of a sweep's breaks.
#pragma once

#include "base/text.h"
#include "plan/breaks.h"

// Adds what an entry of breaks or events sets, as function KIND_setNUMBER(t, x, v, p, set_x, set_v).
//   table  of the formulas
bool break_functions_add_sets(Text *out, Expressions *table, const BreakSet *sets, size_t count, const char *kind,
                              size_t number, Error *err);

// Adds, of each entry, break_after0(), break_until0() and, where it sets anything, break_set0(); breaks_next(); and the
// lists BREAK_ENTRIES and BREAK_SETS of their numbers.
// Errors: ERROR_INPUT (too many terms), ERROR_INTERNAL.
bool break_functions_add(Text *out, const Group *group, Error *err);
