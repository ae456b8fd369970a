// draw -- which blocks a worker computes next: those of a group are drawn by all who compute it.
#pragma once

#include "run/sweep.h"

// Blocks of a group that are a worker's: all, or those that it drew.
typedef struct Cursor {
    size_t   group;
    uint64_t block, end;  // of the group; those before `block` are done with
} Cursor;

// A cursor at the beginning of a group.
Cursor draw_begin(const Worker *worker, size_t group);

// Whether the group may have blocks for the worker.
bool draw_left(const Worker *worker, const Cursor *cursor);

// The next consecutive blocks that are to be computed, at most `most`, from the cursor on; false where there are no
// more for this worker.
//   count  written: how many; the cursor stays before them
bool draw_find(Worker *worker, Cursor *cursor, uint64_t most, uint64_t *count);

// How many of the blocks left a worker draws: half of what it would compute of them by its rate, so that the last are
// few; none where the others are through with all before it is with one.
uint64_t draw_share(const Worker *worker, uint64_t left);
