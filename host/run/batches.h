// batches -- computes a group's blocks on a worker, as many at a time as one batch takes.
#pragma once

#include "run/workers.h"

// Starts the thread that fetches what the worker computes. Errors: ERROR_INTERNAL.
bool batches_start(Worker *worker, Error *err);

// Runs the blocks of a group that this worker draws.
// Errors: those of engine_build(), program_batch_blocks(), program_compute(), program_fetch(), tables_take(),
// reference_run() and store_write(); ERROR_STOPPED.
bool batches_run(Worker *worker, size_t group, Error *err);

// Waits until the store has all that was computed, or a batch was lost, and ends the thread.
// Errors: that of a fetch or write.
bool batches_finish(Worker *worker, Error *err);
