// sweep -- inside of the run layer: everything a run holds, and the part of it that computes.
#pragma once

#include "base/clock.h"
#include "run/builder.h"
#include "run/fetch.h"
#include "run/run.h"
#include "run/tables.h"

// Everything a run holds.
typedef struct Sweep {
    const RunRequest *request;
    RunSummary       *summary;
    RunProgress       progress;
    Catalog           catalog;
    Spec              spec;
    Plan              plan;
    Text             *sources;     // [group_count]
    Device           *device;      // NULL: the reference
    const char       *arithmetic;  // what the device does not keep, or NULL
    Program         **programs;    // [group_count]; NULL entries until built, and when the last batch was given away
    bool             *wanted;      // [group_count] has blocks to compute
    Builder           builder;
    Notice            notice;
    Store            *store;
    Tables            tables;
    Fetcher           fetcher;
    pthread_mutex_t   mutex;  // guards progress and summary while there are threads, and the request's callbacks
} Sweep;

static inline int stop_signals(const Sweep *sweep)
{
    return sweep->request->signals ? (int)*sweep->request->signals : 0;
}

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
