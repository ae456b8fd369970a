// writer -- inside of a store: the thread that brings finished batches to disk while the next ones are computed.
//
// Three slots of buffers go round: one is being filled, one waits, one is being written. For a batch the thread writes
// every variable by one pwrite() (consecutive points are consecutive in the file), then the CRC of each block. Blocks
// become done in groups, about once a second: one fdatasync() for the data and CRCs of all of them, and only then their
// done bytes, so that a done byte on the disk never precedes its data. A failure is kept and reported by the next call;
// the blocks not yet done at that moment stay so.
#pragma once

#include "base/thread.h"
#include "store/layout.h"
#include "store/store.h"

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

// Zeroed but for lock and file (-1), it is safe to close.
struct Store {
    const char   *path, *lock_path, *temporary, *log_path;  // in the arena
    const Plan   *plan;                                     // borrowed
    Arena         arena;
    Layout        layout;
    int           lock, file;
    atomic_uchar *done;             // [plan->block_count] set to 1 when a block's done byte is written
    uint64_t      reused, damaged;  // blocks found done; of these whose checksum was wrong, which are not done then
    bool          unnamed;          // the file is still the temporary one
    bool          unlocked;         // no lock is needed where the file system has none
    Thread        writer;           // its mutex guards the members below, except `runs`, which only the thread uses
    Slot          slots[WRITER_SLOTS];
    uint64_t      turn;
    bool          busy, hurry, failed;
    bool          unsynced;  // done bytes were written that no sync has followed
    Error         failure;
    size_t        run_count;
    BlockRun      runs[WRITER_RUNS];
    double        due;  // when the runs must be committed, on clock_seconds()
};

// Starts the thread, once all but its own fields are set. store_take(), store_write(), store_give_back() and
// store_finish() work with it. Errors: ERROR_INTERNAL.
bool writer_start(Store *store, Error *err);

// Writes the queued batches, ends the thread and frees the buffers. Safe where it was not started.
void writer_stop(Store *store);
