// store -- the HDF5 result file: made whole before the first step, written by address, readable at every moment.
//
// HDF5 creates the complete file once: groups, attributes, dimension scales and contiguous, early-allocated datasets.
// It is closed, its space is reserved, and it is renamed into place. From then on no HDF5 call writes it: each block
// goes by pwrite() to addresses taken from the header, then its CRC, then fdatasync(), then one done byte in
// /journal/block_done. A killed process therefore leaves a file that opens everywhere, and a resumed one computes
// exactly the blocks whose byte is 0.
#pragma once

#include "plan/results.h"

#include <stdatomic.h>

typedef enum StoreMode {
    STORE_NEW,          // refuse an existing file (ERROR_IO)
    STORE_REPLACE,      // --force
    STORE_RESUME,       // continue an existing file, or start it where there is none; blocks that are done are checked
    STORE_TRUST,        // the same without looking at the blocks
    STORE_UNLOCKED = 8  // or'ed to another one: where the file system has no locks, write without
} StoreMode;

typedef struct Store Store;  // opaque

// Refuses, before kernels are built, a path or a lack of space that store_open() would refuse. Makes and changes
// nothing.
// Errors: ERROR_IO (exists and shall be new, no such folder, not writable, no space).
bool store_check(const char *path, const Plan *plan, StoreMode mode, Error *err);

// Creates or reopens the result file of a plan and takes its lock. While it is being made the file is FILE.h5.tmp; the
// lock is that of FILE.h5.lock, which a killed process leaves behind unlocked. Where the path is a link, all of them
// are beside the file that it leads to. A complete file to resume is opened for reading only, and not locked.
//   path     borrowed; FILE.h5
//   plan     borrowed; must outlive the store
//   sources  [plan->group_count] the composed kernel of each group, stored as dataset `source`; borrowed for the call
//   store    written; NULL on failure; release with store_close()
// Errors: ERROR_IO (exists, not writable, no space: before any compute, and nothing is left behind), ERROR_LOCKED,
// ERROR_INPUT (resume: not a result file, damaged, or of another sweep: names the first difference), ERROR_INTERNAL.
bool store_open(const char *path, const Plan *plan, const char *const *sources, StoreMode mode, Store **store,
                Error *err);

// The same in two steps: a new file is made under its temporary name, and gets its own by store_publish(). A store that
// is closed before leaves nothing behind, and an earlier file at the path is still there.
// Errors: as store_open(); of store_publish(): ERROR_IO.
bool store_prepare(const char *path, const Plan *plan, const char *const *sources, StoreMode mode, Store **store,
                   Error *err);
bool store_publish(Store *store, Error *err);

// Whether the block (numbered through all groups) is done.
bool store_done(const Store *store, uint64_t block);

// Whether a block is to be computed: of the plan's part, and not done.
bool store_wanted(const Store *store, uint64_t block);

// Leaves a block that is not done to another file: it is no longer wanted.
void store_leave(Store *store, uint64_t block);

// Allocates the space of a batch's results, where that was not done when the file was made: of processes that share the
// blocks. Errors: ERROR_IO.
bool store_reserve(const Store *store, const Batch *batch, Error *err);

// Whether all blocks of the plan's part were done when the file was opened.
bool store_complete(const Store *store);

// Blocks already done when the file was opened; and blocks that claimed to be, but whose checksum was wrong: they are
// not done.
uint64_t store_reused(const Store *store);
uint64_t store_damaged(const Store *store);

// A free result slot of the writer's queue for this group, waiting for one if all three are in use. The slot is filled
// by the caller and handed back with store_write() or store_give_back().
// Errors: NULL with ERROR_IO of an earlier write, ERROR_INTERNAL (memory).
Results *store_take(Store *store, const Group *group, size_t point_capacity, size_t slot_capacity, Error *err);

// Gives a filled slot to the writer thread: every block of the batch is written, checksummed, synced and marked done.
// Returns at once.
// Errors: ERROR_IO of an earlier write, ERROR_INTERNAL (not whole blocks of the group). The slot is handed back all the
// same.
bool store_write(Store *store, const Batch *batch, Results *results, Error *err);

// Hands a slot back unwritten (a batch was abandoned).
void store_give_back(Store *store, Results *results);

// Waits until all that was given is on disk.
// Errors: ERROR_IO.
bool store_finish(Store *store, Error *err);

// Appends one JSON line to FILE.h5.log: device, times, restarts, all that must not be in the result file.
// Errors: ERROR_IO (also where it is a link or no regular file): a reason to say so, not to stop a run.
bool store_log(Store *store, const char *json_line, Error *err);

// Finishes pending writes, closes the file and releases the lock. Safe on NULL.
void store_close(Store *store);
