// merge -- shards of a sweep put together: the file of one process that was never disturbed, byte for byte.
#pragma once

#include "base/outputs.h"
#include "plan/spec.h"

#include <stdint.h>

typedef struct MergeRequest {
    const char                  *path;    // of the new file
    const char *const           *shards;  // [shard_count] paths
    size_t                       shard_count;
    bool                         force;                             // an existing file may be replaced
    bool                         in_place;                          // the new file may be one of the shards
    const Spec                  *sweep;                             // as in origin_read(); may be NULL
    const volatile sig_atomic_t *signals;                           // number of stop signals so far, or NULL
    void (*say)(const char *line, void *user);                      // a shard that has damaged blocks; or NULL
    void (*progress)(uint64_t points, uint64_t total, void *user);  // after each shard; or NULL
    void *user;
} MergeRequest;

// The outcome of a merge.
typedef struct Merged {
    uint64_t blocks, points;           // in the new file
    uint64_t missing, points_missing;  // of the sweep, in no shard or damaged: their points have status 0
    uint64_t damaged;                  // blocks of shards that were not taken, since their checksum is wrong
    char     first_label[256];         // group of the first point that is missing, where one is
    uint64_t first_point;
} Merged;

// Reads shards one after the other and copies their blocks into a new file, which gets its name when all are in it and
// synced. Any result file of the sweep is taken for a shard, complete or not. Where several have a block, they must
// have the same.
//   merged  written
// Errors: ERROR_IO, ERROR_LOCKED, ERROR_INPUT (no result file, of another sweep than the first shard),
// ERROR_CONFORMANCE (shards have other results of the same points), ERROR_STOPPED (nothing is left), ERROR_INTERNAL.
bool merge_files(const MergeRequest *request, Merged *merged, Error *err);
