// order -- order in which the points of a batch are placed on a device.
//
// Points side by side step together, and each waits for the dearest of its neighbours. Cost follows the number of steps
// and the stiffness, so points are sorted by the axes of the step and of the parameters that the problem's card lists
// under `stiffness`: on such a list neighbours cost nearly the same, in whatever order the sweep file has its values.
// Lanes that have a table's record and the time in common read it once, so points are sorted by their records too,
// before the stiffness, but for adaptive methods, whose lanes have times of their own.
// Points whose trajectory is stored come before all others, so that samples lie side by side. Results are stored in the
// sweep's order all the same.
#pragma once

#include "plan/results.h"

// Ranks of the values along the axes by which points are sorted.
typedef struct Order {
    const Group *group;       // borrowed
    size_t      *axes;        // [axis_count] indices into the group's axes, the most significant first
    uint32_t   **ranks;       // [axis_count] -> [count of that axis]: place of the value among the sorted ones
    size_t       axis_count;  // 0: the order is the sweep's
    Arena        arena;
} Order;

// Finds these axes of a group and sorts their values. Release with order_free(). Errors: ERROR_INTERNAL (memory).
bool order_make(const Group *group, Order *order, Error *err);
void order_free(Order *order);

// Lists the points of a batch that are to be computed in the order of their places: points whose trajectory is stored,
// then the others, both by cost and in the sweep's order where that is equal.
//   points  [batch->point_count] written as far as points are computed: numbers, counted from the batch's first
//   spare   [batch->point_count] overwritten
void order_batch(const Order *order, const Batch *batch, uint32_t *points, uint32_t *spare);
