// crew -- threads that share the items of some work, the caller's among them.
#pragma once

#include "base/error.h"

#include <stdatomic.h>
#include <stddef.h>

// Work in numbered items. The caller sets the first four and leaves the others zero.
typedef struct Crew {
    int    threads;  // at most; 0: one per core
    size_t count;    // of items
    // Takes items until crew_next() has no more. Called on each thread.
    bool (*work)(struct Crew *crew, void *shared, Error *err);
    void         *shared;
    atomic_size_t next;    // the first item that nobody has taken
    atomic_bool   failed;  // somebody gave up: the others need not go on
    Error        *err;     // why, of the first who did
} Crew;

// Does the work on so many threads, and never more than there are items. Where a thread cannot be had, the others do
// its items. Errors: those of work().
bool crew_run(Crew *crew, Error *err);

// Takes the next item; false where there is none, or somebody has failed.
bool crew_next(Crew *crew, size_t *item);
