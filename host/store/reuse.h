// reuse -- points of older result files that a run copies instead of computing them.
//
// A point is found by its settings, not by its place: the same kernel text, precision, computer and version of the
// numbers, the same rules of Newton's method and of substeps, the same step and end, the same value of every parameter.
// Its results are then the same bits. A point that an older file stores no trajectory of is computed where the sweep
// wants one.
#pragma once

#include "plan/results.h"

typedef struct Reuse Reuse;  // opaque

// Opens older files and finds which of their groups have the same kernels as groups of the plan.
//   paths    [count] borrowed; an earlier file is asked before a later one
//   plan     borrowed, like its groups
//   sources  [plan->group_count] the composed kernels; borrowed for the call. NULL: no point is looked for
//   say      called with a line for each file of which something cannot be used: damaged blocks, other kernels; or NULL
//   reuse    written; NULL on failure; release with reuse_close()
// Memory: 16 to 32 bytes for each index along each dimension of the older files' groups: a grid has few, a random
// design as many as it has points. Errors: those of older_open(), ERROR_INTERNAL.
bool reuse_open(const char *const *paths, size_t count, const Plan *plan, const char *const *sources,
                void (*say)(const char *line, void *user), void *user, Reuse **reuse, Error *err);
void reuse_close(Reuse *reuse);

// The same for a retry: the file has all points at the same places, and gives the points that are not tried again by
// the plan's `attempts`. The attempts are to be known before reuse_find().
// Errors: as reuse_open().
bool                reuse_open_kept(const char *path, const Plan *plan, Reuse **reuse, Error *err);
const struct Older *reuse_older(const Reuse *reuse);

// Points of a batch and where they are found. Zero-initialise it; it may serve one batch after the other.
typedef struct ReuseBatch {
    unsigned char *given;  // [capacity] the `given` of the batch
    struct Found  *found;  // [count] where the given points are
    size_t         count, capacity;
} ReuseBatch;

// Finds the points of a batch, and enters into the batch which are given. Nothing where `reuse` is NULL.
// Errors: ERROR_INTERNAL.
bool reuse_find(const Reuse *reuse, Batch *batch, ReuseBatch *found, Error *err);

// Copies the results of the points found.
//   results  of the batch
// Errors: ERROR_IO, ERROR_INPUT (an older file ends before).
bool reuse_copy(const Batch *batch, ReuseBatch *found, const Results *results, Error *err);

void reuse_free(ReuseBatch *found);
