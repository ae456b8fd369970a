// work -- what a run has to do: which points are to be computed, how many steps they take, what they compare with.
#pragma once

#include "run/sweep.h"

// Counts what is to be computed and what is already there, and notes which groups have points to compute, and which
// solutions these compare with.
// Errors: those of reuse_find(), ERROR_INTERNAL.
bool work_count(Sweep *sweep, Error *err);
