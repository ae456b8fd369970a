// pairs_print -- how `pendula pairs` prints: as text, csv or json.
#pragma once

#include "analysis/pairs/pairs.h"
#include "terminal/table.h"

// Adds one row per pair, in their order.
//   csv   header FROM's parameter, TO's, residual, ...; fields without a number are empty, further roots are separated
//         by semicolons
//   json  one object with what the pairs are about and an array `pairs`; null in place of a missing number
//   text  what is equal, the essential columns, why some have no equivalent, and between which values there are some
void pairs_print(Text *text, Format format, const Pairs *pairs);
