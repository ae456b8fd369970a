// sweep -- inside of the run layer: everything a run holds, and the part of it that computes.
#pragma once

#include "base/clock.h"
#include "engine/builder.h"
#include "engine/tables.h"
#include "run/fetcher.h"
#include "run/run.h"
#include "store/pieces.h"
#include "store/retry.h"

#include <string.h>

typedef struct Sweep Sweep;

// A device at work, or the reference. Everyone draws blocks from the same sweep, and hands results to the same store.
//
//   builder   |  compiles group 1 | group 2 | ...                      (engine/builder)
//   worker    |        waits | computes batch 1 into set 0 | batch 2 into set 1 | batch 3 into set 0 | ...
//   fetcher   |                                            | set 0 -> a slot of the store | set 1 -> slot | ...
//   store     |                                                           | writes slot, syncs, marks done | ...
//
// The worker waits for a set until it was fetched, the fetcher for a slot (of three) until it was written.
typedef struct Worker {
    Sweep      *sweep;       // borrowed
    size_t      number;      // of the device, in the list of all
    Device     *device;      // NULL: the reference
    const char *name;        // borrowed from the device
    const char *arithmetic;  // what the device does not keep, or NULL
    Engine     *engines;  // [group_count] the sweep's, with programs of this device: those that the builder built, and
                          // that are given away with a group's last batch
    Builder    builder;
    Fetcher    fetcher;
    ReuseBatch found[PROGRAM_SETS];  // of the batch in each set
    size_t     seat;                 // as a user of the tables
    pthread_t  thread;               // of its own, where there are several
    bool       started, fine;
    Error      err;             // where it is not fine
    bool       lost, logged;    // it is left out; the log says so
    size_t     group;           // that it is at; it has left those before
    double     rate;            // points a second of its last batch; 0: not known yet
    uint64_t   blocks, points;  // computed, and given to the store
    uint64_t   steps;           // taken
    double     compute_seconds;
    uint64_t   run_first, run_end;  // blocks computed last, consecutive; those before:
    Text       runs;                // "[FIRST, LAST], " each
    Text       trials;              // of shapes, as words in JSON
} Worker;

// Everything a run holds. `tables` solves for what error metrics compare with (engine/tables), one group ahead of the
// workers.
struct Sweep {
    const RunRequest *request;
    RunSummary       *summary;
    RunProgress       progress;
    Catalog           catalog;
    Spec              spec;
    Plan              plan;
    Engine           *engines;  // [group_count] composed
    Worker           *workers;  // [worker_count] of DEVICES_MOST; those that were lost stay
    size_t            worker_count;
    bool             *wanted;  // [group_count] has points to compute
    bool            **needed;  // [group_count] -> [solution_tables()] of these the points compare with; NULL: with none
    uint64_t         *drawn;   // [group_count] blocks that workers have drawn, in this pass
    unsigned          pass;    // 0, and one more each time after a device was lost
    Notice            notice;
    Store            *store;
    const char       *place;  // path of the file that is written, until it gets that of the output; of a retry
    Ranks             ranks;
    Pieces            pieces;                       // that earlier processes left; of several ranks
    uint64_t          others_points, others_steps;  // that other ranks computed, and that `progress` counts
    unsigned char    *elsewhere;                    // [plan.block_count] whole in a piece; of several ranks
    unsigned char    *mine;                         // [plan.block_count] drawn by this rank; of several ranks
    Reuse            *reuse;                        // NULL: no older files
    Tables            tables;
    bool              halted;  // a worker failed, and the others are to end
    pthread_mutex_t   mutex;   // guards progress, summary, and of workers what others see, while there are threads; and
                               // the request's callbacks
};

// Counters that ranks share: of each group the blocks that were drawn, then these.
enum { COUNTER_POINTS, COUNTER_STEPS, COUNTERS };

static inline bool is_shared(const Sweep *sweep)
{
    return sweep->ranks.count > 1;
}

static inline bool on_reference(const Sweep *sweep)
{
    return sweep->request->device && strcmp(sweep->request->device, "reference") == 0;
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

// Computes all blocks of all groups that are not done, and hands them to the store. What a lost device leaves others
// compute. Where it ends early, what was computed before is handed over all the same.
// Errors: those of batches_run() and store_write(); ERROR_DEVICE (no device is left); ERROR_STOPPED.
bool sweep_compute(Sweep *sweep, Error *err);
