// selection -- exact order statistics of numbers that are shown several times, in memory that does not grow with them.
//
// The bits of a double, turned so that they ascend with the numbers, are its key. Each time the numbers are shown, the
// next bits of the key of each rank that is wanted become known: the numbers whose key begins with the bits that are
// known are counted by the bits that follow.
//
//   selection_begin       ranks
//     selection_add         each number        \ SELECTION_KEY / bits times
//     selection_narrow      once all are shown /
//   selection_number      of a rank
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { SELECTION_KEY = 64 };

typedef struct SelectionRank {
    uint64_t rank;    // among the numbers whose key begins with the prefix, from 0 on
    uint64_t prefix;  // the bits of the key that are known
    size_t   table;
} SelectionRank;

typedef struct Selection {
    unsigned       bits, known;  // of a step; of the keys so far
    SelectionRank *ranks;        // [rank_count] ascending
    size_t         rank_count;
    uint64_t      *prefixes;  // [table_count] ascending, each another
    uint64_t      *counts;    // [table_count][2^bits]
    size_t         table_count;
} Selection;

// Begins.
//   bits   a divisor of SELECTION_KEY, at most 16: memory is rank_count 2^bits numbers
//   ranks  [rank_count] from 0 on, ascending, each below the count of the numbers
// Errors: ERROR_INTERNAL (memory).
bool selection_begin(Selection *selection, unsigned bits, const uint64_t *ranks, size_t rank_count, Arena *arena,
                     Error *err);

// Counts a number, which may be infinite, and not NaN.
void selection_add(Selection *selection, double number);

// Ends a step. Returns whether all bits are known.
bool selection_narrow(Selection *selection);

// The number of a rank, once they are.
double selection_number(const Selection *selection, size_t rank);
