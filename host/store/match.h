// match -- a group of an older result file that has points of a new group, wherever they stand.
#pragma once

#include "store/older.h"

// A quantity of an older group, and of the new one.
typedef struct QuantityPair {
    Quantity old, new;
} QuantityPair;

// The values along a dimension of an older group: which index has them.
typedef struct ReuseTable {
    const QuantityPair **pairs;  // [pair_count] of the quantities along it
    size_t               pair_count;
    uint64_t            *places;  // [mask + 1] an index + 1, or 0: open addressing
    uint64_t             mask;
} ReuseTable;

// An older group with the kernel of a new one. Its pointers lead into the arena of match_make(), or are borrowed.
typedef struct Match {
    const Older  *older;
    const Group  *old, *new;
    size_t        section;  // of the older file
    QuantityPair *pairs;    // [pair_count] all quantities
    size_t        pair_count;
    ReuseTable   *tables;  // [old->dim_count]
    bool          kept;    // of a retry: all points at the same places
    struct Match *next;    // of the same new group
} Match;

// Whether points of a section of an older file can be points of a new group: the same computer, version of the numbers,
// precision, kernel text, variables and rules.
//   plan    of the new group
//   source  its composed kernel
bool match_suits(const Older *older, size_t section, const Plan *plan, const Group *new, const char *source);

// Makes the pairs and tables of a match whose older, old, new and section are set. Errors: ERROR_INTERNAL.
bool match_make(Match *match, Arena *arena, Error *err);

// Makes the tables of a match whose old, new and pairs are set. Errors: ERROR_INTERNAL.
bool match_tables(Match *match, Arena *arena, Error *err);

// Whether an older group has a point with a new point's values, and which.
//   values  [pair_count] overwritten
//   old     written where it has
bool match_place(const Match *match, uint64_t point, double *values, uint64_t *old);

// Whether the older file has a new point's results, and at which point.
//   stored  the new group stores a trajectory of the point
//   values  [pair_count] overwritten
//   old     written where it has
bool match_find(const Match *match, uint64_t point, bool stored, double *values, uint64_t *old);
