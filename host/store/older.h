// older -- a result file opened to take its points over: its origin, its layout, and which of its blocks are whole.
#pragma once

#include "store/layout.h"
#include "store/origin.h"

// Zero-initialise it; release with older_close(), also where older_open() failed.
typedef struct Older {
    const char    *path;     // borrowed
    Origin         origin;   // its plan; computed_by is the file's
    const char   **sources;  // [group_count] the kernel of each group as the file has it
    Layout         layout;   // with the file's addresses
    int            file;     // open for reading where `opened`
    bool           opened;
    unsigned char *whole;    // [block_count] 1: done, and its bytes match its checksum
    uint64_t       blocks;   // how many are whole
    uint64_t       damaged;  // and how many claim to be done and are not whole
    Arena          arena;
} Older;

// Opens a result file, complete or not, for reading, and checks the blocks that are done.
//   path   borrowed
//   sweep  as in origin_read()
//   older  zeroed; written
// Errors: ERROR_IO, ERROR_INPUT (not a result file, damaged, packed, or of cards that have changed since),
// ERROR_LOCKED.
bool older_open(const char *path, const Spec *sweep, Older *older, Error *err);
void older_close(Older *older);

// The first part of it alone: sweep, plan and sources of a file, whose blocks are not looked at. It may be packed.
bool older_read(const char *path, const Spec *sweep, Older *older, Error *err);

// Reads the history of a file into a plan; nothing where it has none. Errors: those of store_read_text().
bool older_read_history(const StoreFile *file, Plan *plan, Error *err);
