// info_parts -- parts that `pendula info` prints on request: the sweep, or statistics of each metric.
#pragma once

#include "store/store_read.h"
#include "terminal/table.h"

// Adds the sweep file from which a result file was made; where it was overridden by -s, with the overrides in it, a
// line for each key. Errors: ERROR_INPUT (the file has none; an override does not fit it), ERROR_INTERNAL.
bool info_parts_sweep(const StoreFile *file, Text *text, Error *err);

// Adds a table row for each metric of each group: how many points have a finite number, the least, the mean and the
// greatest of these, and at which values of the axes the least and the greatest are.
//   json  a list of objects in place of the table
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool info_parts_stats(const StoreFile *file, bool json, Text *text, Error *err);
