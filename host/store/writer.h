// writer -- the thread that brings finished batches to disk while the next ones are computed.
//
// Three slots of buffers go round: one is being filled, one waits, one is being written. For a batch the thread writes
// every variable by one pwrite() (consecutive points are consecutive in the file), then the CRC of each block. Blocks
// become done in groups, about once a second: one fdatasync() for the data and CRCs of all of them, and only then their
// done bytes, so that a done byte on the disk never precedes its data. A failure is kept and reported by the next call;
// the blocks not yet done at that moment stay so.
#pragma once

#include "plan/results.h"
#include "store/layout.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { WRITER_SLOTS = 3, WRITER_RUNS = 256 };

typedef enum SlotState { SLOT_FREE, SLOT_TAKEN, SLOT_QUEUED } SlotState;

typedef struct Slot {
    SlotState state;
    Results   results;  // kept when the slot is free, to be used again
    Batch     batch;
    uint64_t  turn;  // order of the queue
} Slot;

// Consecutive blocks whose data are written but not yet known to be on the disk.
typedef struct BlockRun {
    uint64_t first_block, block_count;
} BlockRun;

typedef struct Writer {
    const char     *path;    // borrowed, for messages
    const Plan     *plan;    // borrowed
    const Layout   *layout;  // borrowed
    int             file;    // borrowed
    atomic_uchar   *done;    // borrowed: [plan->block_count], set to 1 when a block's done byte is written
    pthread_t       thread;
    bool            started;
    pthread_mutex_t mutex;  // guards what follows, except for `runs`, which only the thread uses
    pthread_cond_t  changed;
    Slot            slots[WRITER_SLOTS];
    uint64_t        turn;
    bool            busy, hurry, stop, failed;
    Error           failure;
    size_t          run_count;
    BlockRun        runs[WRITER_RUNS];
    struct timespec due;  // when the runs must be committed
} Writer;

// Starts the thread. The fields path to done are set by the caller, the others zero.
// Errors: ERROR_INTERNAL.
bool writer_start(Writer *writer, Error *err);

// See store_take(), store_write(), store_give_back(), store_finish().
Results *writer_take(Writer *writer, const Group *group, size_t point_capacity, size_t slot_capacity, Error *err);
bool     writer_write(Writer *writer, const Batch *batch, Results *results, Error *err);
void     writer_give_back(Writer *writer, Results *results);
bool     writer_finish(Writer *writer, Error *err);

// Writes what is queued, ends the thread and frees the buffers. Safe on a zeroed writer.
void writer_stop(Writer *writer);
