// batches -- computes the blocks that a worker takes, as many at a time as one batch takes.
#pragma once

#include "run/workers.h"

// Computes blocks of all groups, until there are no more for this worker, and waits until the store has them all.
// Errors: those of engine_build(), program_batch_blocks(), program_compute(), program_fetch(), tables_take(),
// reference_run() and store_write(); ERROR_STOPPED; ERROR_INTERNAL.
bool batches_run(Worker *worker, Error *err);
