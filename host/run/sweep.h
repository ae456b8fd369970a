// sweep -- inside of the run layer: everything a run holds, and the part of it that computes.
#pragma once

#include "base/clock.h"
#include "engine/builder.h"
#include "engine/tables.h"
#include "run/fetcher.h"
#include "run/run.h"
#include "store/pieces.h"
#include "store/retry.h"

// Everything a run holds, and who moves what:
//
//   builder   |  compiles group 1 | group 2 | ...                      (engine/builder)
//   tables    |  solves for what error metrics compare with            (engine/tables)
//   the run   |        waits | computes batch 1 into set 0 | batch 2 into set 1 | batch 3 into set 0 | ...
//   fetcher   |                                            | set 0 -> a slot of the store | set 1 -> slot | ...
//   store     |                                                           | writes slot, syncs, marks done | ...
//
// The run waits for a set until it was fetched, the fetcher for a slot (of three) until it was written. `sweep` below
// is the run's own thread, and `mutex` guards what the others count.
typedef struct Sweep {
    const RunRequest *request;
    RunSummary       *summary;
    RunProgress       progress;
    Catalog           catalog;
    Spec              spec;
    Plan              plan;
    Engine           *engines;   // [group_count]; their programs are built by the builder, and given away with a
                                 // group's last batch
    Device         *device;      // NULL: the reference
    const char     *arithmetic;  // what the device does not keep, or NULL
    bool           *wanted;      // [group_count] has points to compute
    bool          **needed;  // [group_count] -> [solution_tables()] of these the points compare with; NULL: with none
    Builder         builder;
    Notice          notice;
    Store          *store;
    const char     *place;  // path of the file that is written, until it gets that of the output; of a retry
    Ranks           ranks;
    Pieces          pieces;                       // that earlier processes left; of several ranks
    uint64_t        others_points, others_steps;  // that other ranks computed, and that `progress` counts
    unsigned char  *elsewhere;                    // [plan.block_count] whole in a piece; of several ranks
    Reuse          *reuse;                        // NULL: no older files
    ReuseBatch      found[PROGRAM_SETS];          // of the batch in each set
    Tables          tables;
    Fetcher         fetcher;
    pthread_mutex_t mutex;  // guards progress and summary while there are threads, and the request's callbacks
} Sweep;

// Counters that ranks share: of each group the blocks that were drawn, then these.
enum { COUNTER_POINTS, COUNTER_STEPS, COUNTERS };

static inline bool is_shared(const Sweep *sweep)
{
    return sweep->ranks.count > 1;
}

static inline int stop_signals(const Sweep *sweep)
{
    return sweep->request->signals ? (int)*sweep->request->signals : 0;
}

// Says a line of the run; `user` is the sweep.
void sweep_say(const char *line, void *user);

// Tells how far the run is. Called with the mutex held.
static inline void sweep_show(Sweep *sweep)
{
    if (sweep->request->progress)
        sweep->request->progress(&sweep->progress, sweep->request->user);
}

// Computes all blocks of all groups that are not done, and hands them to the store. Where it ends early, what was
// computed before is handed over all the same.
// Errors: those of program_batch_blocks(), program_compute(), program_fetch(), tables_take(), reference_run() and
// store_write(); ERROR_STOPPED.
bool sweep_compute(Sweep *sweep, Error *err);
