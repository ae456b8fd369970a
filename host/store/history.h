// history -- devices that computed a result file, by the log beside it.
#pragma once

#include "base/arena.h"

typedef struct HistoryDevice {
    const char *name;                                     // borrowed from the history
    double      blocks, steps, seconds, compute_seconds;  // sums over its runs
    size_t      runs;
} HistoryDevice;

enum { HISTORY_DEVICES = 64 };

typedef struct History {
    HistoryDevice devices[HISTORY_DEVICES];  // [count] in the order of their first runs; more are left out
    size_t        count;
    Arena         arena;
} History;

// Reads FILE.h5.log. It may be lost, or hold lines that others wrote: a line that is not understood is passed over.
//   path     of the result file
//   history  written; release with history_free()
void history_read(const char *path, History *history);
void history_free(History *history);
