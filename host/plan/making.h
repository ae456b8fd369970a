// making -- a group in the making: what the sweep file says of its quantities, before it has axes.
#pragma once

#include "plan/axis.h"
#include "plan/plan_make.h"

// A quantity of the group and what the sweep file says of it.
typedef struct Wanted {
    Axis               axis;  // as it will be, but for its values
    const char        *what;  // in messages
    Range              range;
    AxisText           text;
    const PointColumn *column;    // of the file of points, in place of the text; or NULL
    Quantity          *quantity;  // borrowed from the group
} Wanted;

// A group in the making.
typedef struct Making {
    Plan        *plan;
    Group       *group;
    const Entry *entry;
    Wanted      *wanted;  // in the order of the axes
    size_t       count;
} Making;

// Makes the group's design, dimensions, axes and number of points.
// Errors: those of plan_make().
bool making_axes(Making *making, Error *err);

// Makes the sampling of a group in whose plan there is a random design, from all that has a distribution. Nothing
// where nothing has one and no design is random.
bool making_design(Making *making, Error *err);
