// shared -- work that several processes (ranks) share: each draws blocks from common counters, into a piece of its own.
#pragma once

#include "run/work.h"

// Together, of all ranks:
//   find    looks which blocks earlier processes computed, and makes the plan that of a rank
//   take    the fewer blocks are left, the fewer at a time
//   commit  the first rank puts the pieces of all together, where all fared well. The summary becomes that of all
// Errors: ERROR_IO (files are in the way), those of pieces_find() and pieces_merge(); of another rank without a
// message.
extern const WorkKind shared_kind;
