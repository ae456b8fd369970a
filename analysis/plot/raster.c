// raster -- division of a side into blocks and pixels.
#include "analysis/plot/raster.h"

#include "analysis/plot/figure.h"

#include <math.h>

// The part of a pixel by which an edge may be off.
static const double off = 0.1;

// The place of a value among the outer edges on the side's scale: from 0 to 1.
static double part_of(const RasterSide *side, double value)
{
    return side->logarithmic ? log(value / side->low) / log(side->high / side->low)
                             : (value - side->low) / (side->high - side->low);
}

double raster_place(const RasterSide *side, double value)
{
    return part_of(side, value) * (double)side->pixels - 0.5;
}

size_t raster_block(const RasterSide *side, size_t cell)
{
    return side->block_of ? side->block_of[cell] : cell / side->each;
}

// The lower edge of a block; that behind the last one is the end.
static double block_edge(const RasterSide *side, const double *edges, size_t block)
{
    const size_t cell = block * side->each;
    return edges[cell < side->cells ? cell : side->cells];
}

static bool is_even(const RasterSide *side, const double *edges, size_t pixels)
{
    const double block = 1.0 / (double)side->blocks, allowed = off / (double)pixels;
    for (size_t i = 0; i <= side->blocks; ++i)
        if (!(fabs(part_of(side, block_edge(side, edges, i)) - (double)i * block) <= allowed))
            return false;
    return true;
}

static size_t count_pixels(const RasterSide *side, const double *edges, RasterSize size)
{
    // gnuplot draws no image of a single row.
    if (side->blocks == 1)
        return 2;
    const size_t repeated = side->blocks * ((size.least + side->blocks - 1) / side->blocks);
    return is_even(side, edges, repeated) ? repeated : size.most;
}

static bool ascend(const double *values, size_t count)
{
    for (size_t i = 1; i < count; ++i)
        if (!(values[i - 1] < values[i]))
            return false;
    return true;
}

static bool order_cells(const double *values, const double *edges, Arena *arena, RasterSide *side, Error *err)
{
    if (ascend(values, side->cells))
        return true;
    side->block_of = arena_take(arena, side->cells, sizeof *side->block_of, err);
    for (size_t i = 0; side->block_of && i < side->cells; ++i)
        side->block_of[i] = (uint32_t)(figure_cell(edges, side->cells, values[i]) / side->each);
    return side->block_of != NULL;
}

bool raster_side(const double *values, const double *edges, size_t cells, RasterSize size, Arena *arena,
                 RasterSide *side, Error *err)
{
    const size_t each = (cells + size.most - 1) / size.most;
    *side = (RasterSide){.cells = cells,
                         .each = each,
                         .blocks = (cells + each - 1) / each,
                         .logarithmic = figure_is_logarithmic(values, cells),
                         .low = edges[0],
                         .high = edges[cells]};
    side->pixels = count_pixels(side, edges, size);
    side->block_at = arena_take(arena, side->pixels, sizeof *side->block_at, err);
    for (size_t pixel = 0, block = 0; side->block_at && pixel < side->pixels; ++pixel) {
        const double middle = ((double)pixel + 0.5) / (double)side->pixels;
        while (block + 1 < side->blocks && part_of(side, block_edge(side, edges, block + 1)) <= middle)
            ++block;
        side->block_at[pixel] = (uint32_t)block;
    }
    return side->block_at && order_cells(values, edges, arena, side, err);
}
