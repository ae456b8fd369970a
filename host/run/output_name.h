// output_name -- name of a run's result file, with keys of the sweep in it: out-{parameters.eps}.h5.
#pragma once

#include "run/request.h"

// Chooses the name, into summary->output. In that of `-o` the value of the key takes the place of each {KEY}; {{ and }}
// are braces. Without one it is the sweep's stem with .h5, in the current folder; of a shard with its number, as many
// digits as that of the last.
// Errors: those of effective_value(); ERROR_USAGE (a brace alone, a value that no name of a file may have in it, no
// name, a long one); ERROR_IO (it or a file beside it is one that the run reads); ERROR_INTERNAL.
bool output_name_choose(const RunRequest *request, const Plan *plan, RunSummary *summary, Error *err);

// Adds the name before there is a plan; nothing where `-o` has braces.
// Errors: ERROR_INTERNAL.
bool output_name_foresee(const RunRequest *request, Text *name, Error *err);
