// shared -- what the ranks of a run do together before and after they compute.
#pragma once

#include "run/sweep.h"

// Together: finds which blocks earlier processes computed, and makes the plan that of a rank.
// Errors: ERROR_IO (files are in the way), those of pieces_find(); of another rank without a message.
bool shared_find(Sweep *sweep, Error *err);

// Together: the first rank puts together what all computed, where all fared well. The summary becomes that of all.
//   fine   whether this rank fared well, else err has why
//   begin  when the run began
// Errors: those of pieces_merge(); of another rank without a message.
bool shared_unite(Sweep *sweep, bool fine, double begin, Error *err);
