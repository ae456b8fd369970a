// workers -- who computes a run: its devices, or the reference; which they are, opened, built for, left out and closed.
#pragma once

#include "engine/builder.h"
#include "engine/tables.h"
#include "run/fetcher.h"
#include "run/work.h"

typedef struct Workers Workers;

// A device at work, or the reference. Everyone takes blocks from the same work, and hands results to the same store.
//
//   builder   |  compiles group 1 | group 2 | ...                      (engine/builder)
//   worker    |        waits | computes batch 1 into set 0 | batch 2 into set 1 | batch 3 into set 0 | ...
//   fetcher   |                                            | set 0 -> a slot of the store | set 1 -> slot | ...
//   store     |                                                           | writes slot, syncs, marks done | ...
//
// The worker waits for a set until it was fetched, the fetcher for a slot (of three) until it was written.
typedef struct Worker {
    Workers    *workers;     // borrowed, like the work and the taker
    Work       *work;        // that of all
    Taker      *taker;       // its place there
    size_t      number;      // of the device, as of device_number()
    Device     *device;      // NULL: the reference
    const char *name;        // borrowed from the device
    const char *arithmetic;  // the rules the device does not keep, or NULL
    Engine     *engines;  // [group_count] the sweep's, with programs of this device: the builder builds them, and they
                          // are given away with a group's last batch
    Builder    builder;
    Fetcher    fetcher;
    ReuseBatch found[PROGRAM_SETS];  // of the batch in each set
    pthread_t  thread;               // of its own, where there are several
    bool       started, fine;
    Error      err;             // where it is not fine
    bool       logged;          // it is lost, and the log says so
    uint64_t   blocks, points;  // computed, and given to the store
    uint64_t   steps;           // taken
    double     compute_seconds;
    uint64_t   run_first, run_end;  // blocks computed last, consecutive; the runs before:
    Text       runs;                // "[FIRST, LAST], " each
    Text       trials;              // of shapes, as JSON strings
} Worker;

// The first part is set by the caller, the others zero; released with workers_close(). `tables` computes the solutions
// that error metrics compare with (engine/tables), one group ahead of the workers.
struct Workers {
    Work   *work;     // borrowed
    Engine *engines;  // [group_count] composed
    Notice  notice;

    Worker *list;  // [count] of DEVICES_MOST; lost ones stay
    size_t  count;
    Tables  tables;
};

// Opens the devices that the run is asked for: the reference, one device or several; of the ranks of a machine each
// takes one, in turn. Starts to build the programs and to compute the solutions that will be needed.
// Errors: those of device_choose() and device_open_number(), where none is left; ERROR_DEVICE (the reference does not
// have it all), ERROR_INTERNAL.
bool workers_open(Workers *workers, Error *err);

// Waits until all is built. A device of several for which something cannot be built is left out, and that is said.
// Errors: those of device_build(), where none is left; ERROR_STOPPED.
bool workers_wait(Workers *workers, Error *err);

// Leaves out the workers whose device is lost, says which and who goes on: the others, else a device that was not asked
// for, which is opened: a GPU, else a CPU.
//   err  of the last that was lost, where nobody is left; false then
bool workers_replace(Workers *workers, Error *err);

// Starts to solve from the first group on, again where that was done before. Errors: ERROR_INTERNAL.
bool workers_solve(Workers *workers, Error *err);

// Ends a run of consecutive blocks, before a block that does not follow.
void workers_end_run(Worker *worker);

// Ends the solver, the builders and the notice; false where a compiler was abandoned, which still uses all.
bool workers_stop(Workers *workers);
void workers_close(Workers *workers);
