// request -- request, progress and summary of a run.
#pragma once

#include "base/progress.h"
#include "device/device.h"
#include "run/ranks.h"
#include "store/store.h"

// Progress of a run. Points and steps count the work of this process; points done before it (--resume) and points of
// older files (--reuse) are in `points_reused`.
typedef struct RunProgress {
    uint64_t points_total, points_reused, points_done, points_failed;
    uint64_t steps_done, steps_total;  // of the points computed here; steps_total leaves out reused points
} RunProgress;

typedef struct RunRequest {
    const char                  *sweep;  // path of the sweep file
    const char                  *text;   // its text; NULL: it is read
    const SpecFile              *files;  // [file_count] as Spec has them
    size_t                       file_count;
    const char *const           *overrides;  // [override_count] KEY=VALUE
    size_t                       override_count;
    const char                  *output;  // as output_name_choose(), or NULL: the sweep's stem in the current folder
    const char                  *device;  // as device_choose(), or "reference"; NULL: the default
    uint64_t                     device_memory;  // bytes that are taken of each device's; 0: all they have
    int                          lanes;          // 0: the device's own
    StoreMode                    mode;
    bool                         unlocked;  // where the file system has no locks, write without
    unsigned                     retry;     // bits of the statuses whose points are tried again; 0: an ordinary run
    const Ranks                 *ranks;     // processes that share the run; NULL: this one alone
    const char *const           *reuse;     // [reuse_count] older result files, from which points are copied
    size_t                       reuse_count;
    uint64_t                     shard, shard_count;  // plan/part.h; 0 shards: the whole sweep
    const volatile sig_atomic_t *signals;             // number of stop signals so far, or NULL
    // Called from any thread of the run, one at a time.
    void (*say)(const char *line, void *user);                  // one line for the log, a warning; or NULL
    void (*progress)(const RunProgress *progress, void *user);  // often; or NULL
    void (*wait)(const ProgressCompile *compile, void *user);   // a program that takes long to compile; or NULL
    void *user;
} RunRequest;

// Summary of a run, filled as far as it came.
typedef struct RunSummary {
    char     output[4096];
    char     device[1024];                            // names, with "and" between several
    uint64_t points, points_reused, points_computed;  // reused: of blocks that the file had
    uint64_t points_copied;                           // from older files
    unsigned retry;                                   // number of this retry; 0: an ordinary run, or nothing failed
    uint64_t blocks, blocks_reused, blocks_computed;
    uint64_t by_status[STATUS_COUNT];   // of the points computed by this run
    uint64_t steps;                     // taken by this run
    double   seconds, compute_seconds;  // whole run; of it on the device
    uint64_t work_used, work_spent;     // as Progress has them
} RunSummary;

// The fraction of the lanes' time in which they did not wait for their neighbours, 0 to 1; 1 where there are no lanes.
static inline double run_lane_efficiency(const RunSummary *summary)
{
    return summary->work_spent > 0 ? (double)summary->work_used / (double)summary->work_spent : 1.0;
}
