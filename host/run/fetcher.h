// fetcher -- the thread that takes computed batches off the device and hands them to the store, while the next is
// computed.
#pragma once

#include "base/thread.h"
#include "device/device.h"
#include "store/reuse.h"
#include "store/store.h"

// A computed batch on its way to the store.
typedef struct Fetch {
    Program    *program;  // NULL where all its points are given
    Batch       batch;
    ReuseBatch *found;                          // where its given points are; borrowed
    size_t      point_capacity, slot_capacity;  // of the largest batch of the group, for store_take()
    uint64_t    points, steps;                  // that were computed
    bool        last;                           // of its program, which is freed then
} Fetch;

typedef struct Fetcher {
    Store *store;                                                           // borrowed
    void (*count)(const Batch *batch, const Results *results, void *user);  // called for each batch that the store has
    void    *user;
    Thread   thread;                   // its mutex guards the members below
    Fetch    fetches[PROGRAM_SETS];    // fetch n in n % PROGRAM_SETS, which is also its set
    uint64_t given, fetched;           // so many
    uint64_t lost_points, lost_steps;  // of batches that were lost, or dropped behind one that was
    bool     failed;
    Error    failure;
} Fetcher;

// Starts the thread, to be ended by thread_end(): batches given and not yet fetched are dropped then where one was
// lost. The fields store to user are set by the caller, the others zero. Errors: ERROR_INTERNAL.
bool fetcher_start(Fetcher *fetcher, Error *err);

// Waits for a set of output buffers to compute the next batch into.
// Errors: that of an earlier fetch or write.
bool fetcher_claim(Fetcher *fetcher, int *set, Error *err);

// Gives the batch computed into the claimed set to the thread.
void fetcher_give(Fetcher *fetcher, const Fetch *fetch);

// Gives a program to the thread, to be freed when all its batches are fetched; nothing where it is NULL.
void fetcher_retire(Fetcher *fetcher, Program *program);

// Waits until the store has all that was given, or a batch was lost. Errors: that of a fetch or write.
bool fetcher_finish(Fetcher *fetcher, Error *err);
