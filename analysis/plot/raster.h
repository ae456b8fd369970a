// raster -- one side of a map of many cells: blocks of cells, and pixels at even distances on the side's scale.
//
//   cells     | | | | | |  |  |  |   |   |    of the sweep, in ascending order of the values
//   blocks    |   |   |    |     |       |    of `each` cells, the last one of the rest
//   pixels    |  |  |  |  |  |  |  |  |  |    a pixel shows the block in which its middle lies
#pragma once

#include "base/arena.h"

#include <stdint.h>

typedef struct RasterSide {
    size_t    cells, each, blocks, pixels;
    bool      logarithmic;
    double    low, high;  // the outer edges
    uint32_t *block_of;   // [cells] the block of a cell; NULL: the values ascend
    uint32_t *block_at;   // [pixels] the block that a pixel shows
} RasterSide;

// How many blocks a side has at most, and how many pixels at least, where it has two blocks or more.
typedef struct RasterSize {
    size_t most, least;
} RasterSize;

// Divides a side. Where blocks are equally wide on its scale, each of them has the same number of pixels; else the side
// has `most` pixels.
//   values  [cells] in the order of the sweep
//   edges   [cells + 1] as figure_edges() finds them
//   side    written; its arrays are owned by the arena
// Errors: ERROR_INTERNAL.
bool raster_side(const double *values, const double *edges, size_t cells, RasterSize size, Arena *arena,
                 RasterSide *side, Error *err);

// The block of a cell.
size_t raster_block(const RasterSide *side, size_t cell);

// Where a value lies along a side, in pixels: the middle of the first one is 0.
double raster_place(const RasterSide *side, double value);
