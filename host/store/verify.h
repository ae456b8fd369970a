// verify -- a result file checked by itself: its seal, and the checksum of each block that is done.
//
// Nothing but the file is needed: blocks, variables and stored trajectories are found by its own description.
#pragma once

#include "store/store_read.h"

typedef enum VerifyState { VERIFY_WHOLE, VERIFY_MISSING, VERIFY_DAMAGED, VERIFY_STATES } VerifyState;

// A block that is not whole.
typedef struct VerifyBlock {
    const char *label;  // of its group; borrowed from the file
    uint64_t    block;  // numbered through all groups
    uint64_t    first_point, point_count;
    VerifyState state;
} VerifyBlock;

typedef struct Verification {
    uint64_t blocks[VERIFY_STATES], points[VERIFY_STATES];
    uint64_t bytes;  // read
} Verification;

// Opens a result file as store_read_open() does, and refuses it where a block is damaged, naming the first. A file
// that may have more than VERIFY_MOST bytes of values is not checked, which its notes say: the check would take longer
// than the caller's task, and verify_file() is there. Errors: those of store_read_open() and verify_file(); ERROR_INPUT
// (a block is damaged).
#define VERIFY_MOST (UINT64_C(1) << 32)
bool verify_open(const char *path, StoreFile *file, Error *err);

// The remedy where blocks of the file are damaged or missing: a clause.
const char *verify_remedy(const StoreFile *file);

// Refuses a file where the block of one point is damaged.
//   group  of the file
//   point  below the group's number of points
// Errors: as verify_open().
bool verify_point(const StoreFile *file, const StoreGroup *group, uint64_t point, Error *err);

// Reads which blocks are done, and their checksums.
//   done, crc  [file->block_count] in the arena
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool verify_read_journal(const StoreFile *file, Arena *arena, uint8_t **done, uint32_t **crc, Error *err);

// Checks all blocks of a file, whose seal store_read_open() has checked, and shows the blocks that are not whole.
//   see  called in the order of the blocks; false ends it
// Errors: ERROR_IO, ERROR_INPUT (the file's description of its blocks is damaged), those of see.
bool verify_file(const StoreFile *file, bool (*see)(const VerifyBlock *block, void *user, Error *err), void *user,
                 Verification *found, Error *err);
