// maps -- samples of a table of two arguments, put on their grid.
#include "plan/maps.h"

#include "base/sort.h"

#include <stdlib.h>

enum { COLUMNS = 3 };

static int compare(const void *left, const void *right)
{
    const MapSample *a = left, *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

// The different second arguments, ascending; returns how many.
static size_t list_seconds(const MapSample *samples, size_t count, double *seconds)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i)
        seconds[i] = samples[i].y;
    sort_numbers(seconds, count);
    for (size_t i = 0; i < count; ++i)
        if (i == 0 || seconds[i] != seconds[kept - 1])
            seconds[kept++] = seconds[i];
    return kept;
}

static bool blame(MapGrid *grid, size_t row, double x, double y, const char *what, Arena *arena, Error *err)
{
    grid->row = row;
    grid->why = arena_format(arena, err, "the node %.9g, %.9g %s", x, y, what);
    return grid->why != NULL;
}

// Looks for the node of each first argument with each second one.
static bool find_fault(const MapSample *samples, size_t count, const double *seconds, size_t across, MapGrid *grid,
                       Arena *arena, Error *err)
{
    for (size_t i = 1; i < count; ++i)
        if (samples[i].x == samples[i - 1].x && samples[i].y == samples[i - 1].y)
            return blame(grid, samples[i].row, samples[i].x, samples[i].y, "is there twice", arena, err);
    for (size_t i = 0; i < count; ++i) {
        const size_t begun = i - i % across;
        if (samples[i].x != samples[begun].x || samples[i].y != seconds[i % across]) {
            const MapSample *beside = &samples[samples[i].x == samples[begun].x ? i : i - 1];
            return blame(grid, beside->row, beside->x, seconds[i % across], "is missing beside this one", arena, err);
        }
    }
    return count % across == 0 || blame(grid, samples[count - 1].row, samples[count - 1].x, seconds[count % across],
                                        "is missing beside this one", arena, err);
}

static void put(double *rows, size_t row, size_t record, double x, double value)
{
    rows[COLUMNS * row] = (double)record;
    rows[COLUMNS * row + 1] = x;
    rows[COLUMNS * row + 2] = value;
}

bool maps_arrange(MapSample *samples, size_t count, Arena *arena, MapGrid *grid, Error *err)
{
    double *seconds = arena_take(arena, count, sizeof *seconds, err);
    *grid = (MapGrid){0};
    if (!seconds)
        return false;
    qsort(samples, count, sizeof *samples, compare);
    const size_t across = list_seconds(samples, count, seconds);
    if (!find_fault(samples, count, seconds, across, grid, arena, err))
        return false;
    const size_t along = count / across;
    grid->count = along + count;
    grid->rows = arena_take(arena, grid->count, COLUMNS * sizeof *grid->rows, err);
    for (size_t i = 0; grid->rows && i < along; ++i)
        put(grid->rows, i, 0, samples[i * across].x, (double)i);
    for (size_t i = 0; grid->rows && i < count; ++i)
        put(grid->rows, along + i, 1 + i / across, samples[i].y, samples[i].value);
    return grid->rows != NULL;
}
