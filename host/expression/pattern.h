// pattern -- which coordinates each of a system's formulas depends on, and the band that they stand in.
#pragma once

#include "expression/expression.h"

typedef struct Pattern {
    bool  *uses;          // [n][n] row by row: formula i has coordinate j in it, or its velocity
    size_t entries;       // how many
    size_t below, above;  // the farthest of them left and right of the diagonal
} Pattern;

// Finds it by the leaves of the formulas: a coordinate whose derivative is 0 counts where a choice goes by it.
//   formulas  [n] of the table
//   pattern   written; of the table's arena
// Errors: ERROR_INTERNAL.
bool pattern_find(Expressions *table, const Node *const *formulas, size_t n, Pattern *pattern);
