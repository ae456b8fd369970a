// replay_print -- a replayed point as a summary, and as a trace.
#pragma once

#include "analysis/replay/replay.h"
#include "terminal/table.h"

#include <inttypes.h>

// Adds the sides' results of the point, and where and why they part: a line each, in json an object.
void replay_print(Text *text, Format format, const Replay *replay);

// Adds the substeps of steps `from` to `to`, the beginning counted to step 0: a table row each, and one for each update
// of its solves. Errors: ERROR_INTERNAL (memory).
bool replay_print_trace(Text *text, Format format, const Replay *replay, uint64_t from, uint64_t to, Error *err);
