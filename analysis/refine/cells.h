// cells -- boxes of a grid, halved where their points are not all of one class.
//
// The points lie on a lattice: along each axis the values of the grid, and between two of them 2^halvings - 1 more. A
// cell is a box whose corners are points; at first it reaches from one value of the grid to the next. A cell is mixed
// where its known points, the corners and the points that finer neighbours have on its sides, are of more than one
// class. A mixed cell is halved along each axis as often as that axis says, and the finest mixed cells hold the
// boundary:
//
//   cells_want    the points that are to be known next: at first the grid's, then the points that halves of mixed cells
//   need cells_give    their classes; the cells are halved
//
// until nothing is wanted. So the boundary is followed from cell to cell, wherever it leads. A part of it that lies
// between points of the grid and touches no mixed cell is not found.
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { CELLS_AXES = 3, CELLS_CLASSES = 32, CELLS_HALVINGS = 24 };

typedef struct CellsPoint {
    uint32_t at[CELLS_AXES];  // in finest cells from the first value of each axis; 0 behind the last axis
} CellsPoint;

typedef struct Cell {
    CellsPoint low;
    uint32_t   parts;    // the first of its halves, which follow each other; 0: it is not halved
    uint32_t   touched;  // 1 + the first link to its points; 0: none
    uint32_t   classes;  // a bit for each class of its points
    uint32_t   level;    // how often it was halved
} Cell;

// The caller fills the first part; release with cells_free(), also after a failure.
typedef struct Cells {
    size_t   axis_count;            // 1 to CELLS_AXES
    uint32_t counts[CELLS_AXES];    // values of the grid, at least 2
    unsigned halvings[CELLS_AXES];  // at most CELLS_HALVINGS

    Cell             *cells;    // [cell_count]; the grid's first, the last axis fastest
    CellsPoint       *points;   // [point_count]: the known ones, then the wanted ones
    uint8_t          *classes;  // [known_count]
    struct CellsLink *links;    // [link_count] from cells to the points that they touch
    uint32_t         *slots;    // [slot_count] a table of the points by their place
    size_t cell_count, cell_room, point_count, point_room, known_count, class_room, link_count, link_room, slot_count,
        grid_count;
    uint32_t *halved;  // [halved_count] cells whose halves need wanted points
    size_t    halved_count, halved_room;
} Cells;

// Makes the cells of the grid. Errors: ERROR_INPUT (more points than 32 bits count), ERROR_INTERNAL.
bool cells_make(Cells *cells, Error *err);

// Finds the points that are wanted: points[known_count .. point_count). None: every mixed cell is as fine as it can be.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool cells_want(Cells *cells, Error *err);

// Takes the classes of these points.
//   classes  [point_count - known_count], each less than CELLS_CLASSES
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool cells_give(Cells *cells, const uint8_t *classes, Error *err);

// How many finest cells a cell is long along an axis.
uint32_t cells_length(const Cells *cells, const Cell *cell, size_t axis);

// Whether its known points are of several classes.
bool cells_is_mixed(const Cell *cell);

// Shows every cell that is not halved: the grid's cells in its order, their parts in the same way.
void cells_each(const Cells *cells, void (*see)(const Cell *cell, void *user), void *user);

void cells_free(Cells *cells);
