// maps -- samples of a table of two arguments, put on their grid.
#pragma once

#include "base/arena.h"

// A sample as a sweep gives it.
typedef struct MapSample {
    double x, y, value;
    size_t row;  // of its file or list
} MapSample;

// The grid, as records of a Curve: of the first argument's abscissae, and of the values at each of them.
typedef struct MapGrid {
    size_t      count;  // of rows: 0, x, i; then 1 + i, y, value
    double     *rows;   // [count][3] in the arena
    const char *why;    // the fault, in the arena; NULL: there is none
    size_t      row;    // the sample that has it
} MapGrid;

// Arranges samples, which come in any order, by both arguments.
//   samples  [count] 1 or more, finite; sorted
// Errors: ERROR_INTERNAL. A sample that is there twice, or one that the grid lacks, is a fault of the grid.
bool maps_arrange(MapSample *samples, size_t count, Arena *arena, MapGrid *grid, Error *err);
