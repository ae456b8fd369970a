// cells -- the tree of cells, the table of points, and who touches whom.
#include "analysis/refine/cells.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

typedef struct CellsLink {
    uint32_t point, next;  // next: 1 + the link after it; 0: the last
} CellsLink;

enum { SLOTS_FIRST = 1 << 12 };

// Gives an array room for so many. False, with the old one as it was, where that cannot be.
//   array  where its pointer is
//   room   of the array; written
static bool grow(void *array, size_t size, size_t wanted, size_t *room, Error *err)
{
    const size_t larger = wanted < 2 * *room ? 2 * *room : wanted + 64;
    void        *items;
    if (wanted <= *room)
        return true;
    if (wanted >= UINT32_MAX)
        return fail(err, ERROR_INPUT, "more than 2^32 cells or points: choose a larger width");
    memcpy(&items, array, sizeof items);
    if (!(items = reallocarray(items, larger, size)))
        return fail(err, ERROR_INTERNAL, "out of memory");
    memcpy(array, &items, sizeof items);
    *room = larger;
    return true;
}

static uint32_t *find_slot(const Cells *cells, CellsPoint point)
{
    size_t at = (size_t)hash_bytes(hash_start, point.at, sizeof point.at) & (cells->slot_count - 1);
    while (cells->slots[at] > 0 && memcmp(&cells->points[cells->slots[at] - 1], &point, sizeof point) != 0)
        at = (at + 1) & (cells->slot_count - 1);
    return &cells->slots[at];
}

// The table is at most half full, so that a free slot is always near.
static bool widen_slots(Cells *cells, Error *err)
{
    if (2 * (cells->point_count + 1) <= cells->slot_count)
        return true;
    const size_t larger = cells->slot_count ? 2 * cells->slot_count : SLOTS_FIRST;
    free(cells->slots);
    cells->slots = calloc(larger, sizeof *cells->slots);
    if (!cells->slots)
        return fail(err, ERROR_INTERNAL, "out of memory");
    cells->slot_count = larger;
    for (size_t i = 0; i < cells->point_count; ++i)
        *find_slot(cells, cells->points[i]) = (uint32_t)i + 1;
    return true;
}

// Adds a point to the wanted ones, unless it is known or wanted already.
static bool want_point(Cells *cells, CellsPoint point, Error *err)
{
    if (!widen_slots(cells, err))
        return false;
    uint32_t *slot = find_slot(cells, point);
    if (*slot > 0)
        return true;
    if (!grow(&cells->points, sizeof *cells->points, cells->point_count + 1, &cells->point_room, err))
        return false;
    cells->points[cells->point_count++] = point;
    *slot = (uint32_t)cells->point_count;
    return true;
}

// Goes on to the next of a box of whole numbers, the last axis fastest. False behind the last.
static bool go_on(size_t axis_count, const uint32_t *counts, uint32_t *at)
{
    for (size_t a = axis_count; a-- > 0;) {
        if (++at[a] < counts[a])
            return true;
        at[a] = 0;
    }
    return false;
}

static bool add_cell(Cells *cells, Cell cell, Error *err)
{
    if (!grow(&cells->cells, sizeof *cells->cells, cells->cell_count + 1, &cells->cell_room, err))
        return false;
    cells->cells[cells->cell_count++] = cell;
    return true;
}

bool cells_make(Cells *cells, Error *err)
{
    uint32_t spans[CELLS_AXES] = {1, 1, 1}, at[CELLS_AXES] = {0};
    bool     ok = true;
    for (size_t a = 0; a < cells->axis_count; ++a) {
        spans[a] = cells->counts[a] - 1;
        if ((uint64_t)spans[a] << cells->halvings[a] >= UINT32_MAX)
            return fail(err, ERROR_INPUT, "more than 2^32 cells along an axis: choose a larger width");
    }
    do {
        Cell cell = {.level = 0};
        for (size_t a = 0; a < cells->axis_count; ++a)
            cell.low.at[a] = at[a] << cells->halvings[a];
        ok = add_cell(cells, cell, err);
    } while (ok && go_on(cells->axis_count, spans, at));
    cells->grid_count = cells->cell_count;
    return ok;
}

uint32_t cells_length(const Cells *cells, const Cell *cell, size_t axis)
{
    const unsigned most = cells->halvings[axis];
    return cell->level < most ? UINT32_C(1) << (most - cell->level) : 1;
}

bool cells_is_mixed(const Cell *cell)
{
    return (cell->classes & (cell->classes - 1)) != 0;
}

// The halves of a cell along each axis: 2, or 1 where it is as short as it can be.
static bool find_halves(const Cells *cells, const Cell *cell, uint32_t *halves)
{
    bool some = false;
    for (size_t a = 0; a < cells->axis_count; ++a) {
        halves[a] = cell->level < cells->halvings[a] ? 2 : 1;
        some = some || halves[a] == 2;
    }
    return some;
}

// The corners of a cell's halves.
static bool want_corners(Cells *cells, uint32_t number, Error *err)
{
    const Cell cell = cells->cells[number];
    uint32_t   halves[CELLS_AXES], corners[CELLS_AXES] = {1, 1, 1}, at[CELLS_AXES] = {0};
    if (!cells_is_mixed(&cell) || !find_halves(cells, &cell, halves))
        return true;
    for (size_t a = 0; a < cells->axis_count; ++a)
        corners[a] = halves[a] + 1;
    do {
        CellsPoint point = cell.low;
        for (size_t a = 0; a < cells->axis_count; ++a)
            point.at[a] += at[a] * (cells_length(cells, &cell, a) / halves[a]);
        if (!want_point(cells, point, err))
            return false;
    } while (go_on(cells->axis_count, corners, at));
    if (!grow(&cells->halved, sizeof *cells->halved, cells->halved_count + 1, &cells->halved_room, err))
        return false;
    cells->halved[cells->halved_count++] = number;
    return true;
}

static bool want_grid(Cells *cells, Error *err)
{
    uint32_t at[CELLS_AXES] = {0};
    do {
        CellsPoint point = {{0}};
        for (size_t a = 0; a < cells->axis_count; ++a)
            point.at[a] = at[a] << cells->halvings[a];
        if (!want_point(cells, point, err))
            return false;
    } while (go_on(cells->axis_count, cells->counts, at));
    return true;
}

static bool divide(Cells *cells, Error *err);

// Halves of cells may have all their corners already: then they are made at once, and looked at in their turn.
bool cells_want(Cells *cells, Error *err)
{
    bool ok = cells->known_count > 0 || want_grid(cells, err);
    if (!ok || cells->point_count > cells->known_count)
        return ok;
    do {
        for (size_t i = 0; ok && i < cells->cell_count; ++i)
            if (cells->cells[i].parts == 0)
                ok = want_corners(cells, (uint32_t)i, err);
    } while (ok && cells->point_count == cells->known_count && cells->halved_count > 0 && (ok = divide(cells, err)));
    return ok;
}

static bool holds(const Cells *cells, const Cell *cell, CellsPoint point)
{
    for (size_t a = 0; a < cells->axis_count; ++a)
        if (point.at[a] < cell->low.at[a] || point.at[a] - cell->low.at[a] > cells_length(cells, cell, a))
            return false;
    return true;
}

static bool touch(Cells *cells, Cell *cell, uint32_t point, Error *err)
{
    if (!grow(&cells->links, sizeof *cells->links, cells->link_count + 1, &cells->link_room, err))
        return false;
    cells->links[cells->link_count++] = (CellsLink){point, cell->touched};
    cell->touched = (uint32_t)cells->link_count;
    cell->classes |= UINT32_C(1) << cells->classes[point];
    return true;
}

// A cell's number of halves.
static uint32_t count_parts(const Cells *cells, const Cell *cell)
{
    uint32_t halves[CELLS_AXES], count = 1;
    find_halves(cells, cell, halves);
    for (size_t a = 0; a < cells->axis_count; ++a)
        count *= halves[a];
    return count;
}

// Lets a point touch all cells around it that are not halved, in or below a cell.
static bool touch_below(Cells *cells, uint32_t number, uint32_t point, Error *err)
{
    Cell *cell = &cells->cells[number];
    bool  ok = true;
    if (!holds(cells, cell, cells->points[point]))
        return true;
    if (cell->parts == 0)
        return touch(cells, cell, point, err);
    for (uint32_t i = 0, count = count_parts(cells, cell); ok && i < count; ++i)
        ok = touch_below(cells, cell->parts + i, point, err);
    return ok;
}

// The same from the grid down: up to 2 of its cells along each axis hold the point.
static bool touch_all(Cells *cells, uint32_t point, Error *err)
{
    uint32_t first[CELLS_AXES], counts[CELLS_AXES] = {1, 1, 1}, at[CELLS_AXES] = {0};
    bool     ok = true;
    for (size_t a = 0; a < cells->axis_count; ++a) {
        const uint32_t place = cells->points[point].at[a], index = place >> cells->halvings[a];
        const bool     between = place == index << cells->halvings[a] && index > 0 && index < cells->counts[a] - 1;
        first[a] = index == cells->counts[a] - 1 || between ? index - 1 : index;
        counts[a] = between ? 2 : 1;
    }
    do {
        uint32_t number = 0;
        for (size_t a = 0; a < cells->axis_count; ++a)
            number = number * (cells->counts[a] - 1) + first[a] + at[a];
        ok = touch_below(cells, number, point, err);
    } while (ok && go_on(cells->axis_count, counts, at));
    return ok;
}

// Makes the halves of a cell, and gives them the points that it touched.
static bool halve(Cells *cells, uint32_t number, Error *err)
{
    const Cell     cell = cells->cells[number];
    uint32_t       halves[CELLS_AXES], at[CELLS_AXES] = {0};
    const uint32_t first = (uint32_t)cells->cell_count;
    find_halves(cells, &cell, halves);
    do {
        Cell part = {.low = cell.low, .level = cell.level + 1};
        for (size_t a = 0; a < cells->axis_count; ++a)
            part.low.at[a] += at[a] * (cells_length(cells, &cell, a) / halves[a]);
        if (!add_cell(cells, part, err))
            return false;
        for (uint32_t link = cell.touched; link > 0; link = cells->links[link - 1].next) {
            const uint32_t point = cells->links[link - 1].point;
            Cell          *made = &cells->cells[cells->cell_count - 1];
            if (holds(cells, made, cells->points[point]) && !touch(cells, made, point, err))
                return false;
        }
    } while (go_on(cells->axis_count, halves, at));
    cells->cells[number].parts = first;
    cells->cells[number].touched = 0;
    return true;
}

static bool divide(Cells *cells, Error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < cells->halved_count; ++i)
        ok = halve(cells, cells->halved[i], err);
    cells->halved_count = 0;
    return ok;
}

bool cells_give(Cells *cells, const uint8_t *classes, Error *err)
{
    const size_t known = cells->known_count;
    if (!grow(&cells->classes, sizeof *cells->classes, cells->point_count, &cells->class_room, err) ||
        !divide(cells, err))
        return false;
    memcpy(cells->classes + known, classes, cells->point_count - known);
    cells->known_count = cells->point_count;
    for (size_t i = known; i < cells->point_count; ++i)
        if (!touch_all(cells, (uint32_t)i, err))
            return false;
    return true;
}

static void see_below(const Cells *cells, const Cell *cell, void (*see)(const Cell *cell, void *user), void *user)
{
    if (cell->parts == 0) {
        see(cell, user);
        return;
    }
    for (uint32_t i = 0, count = count_parts(cells, cell); i < count; ++i)
        see_below(cells, &cells->cells[cell->parts + i], see, user);
}

void cells_each(const Cells *cells, void (*see)(const Cell *cell, void *user), void *user)
{
    for (size_t i = 0; i < cells->grid_count; ++i)
        see_below(cells, &cells->cells[i], see, user);
}

void cells_free(Cells *cells)
{
    free(cells->cells);
    free(cells->points);
    free(cells->classes);
    free(cells->links);
    free(cells->slots);
    free(cells->halved);
    *cells = (Cells){0};
}
