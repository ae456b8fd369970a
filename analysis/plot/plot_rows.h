// plot_rows -- rows of panels of a picture over time: their ranges and their scales.
#pragma once

#include "analysis/plot/trajectories.h"

typedef struct PlotPanel {
    bool        filled;  // some curve has a number
    bool        logarithmic;
    FigureRange range;     // of its values
    size_t      beyond;    // curves that leave the scale, since they are a thousand times as large as most
    double      furthest;  // the largest magnitude among these
} PlotPanel;

typedef struct PlotRow {
    PlotField   field;
    size_t      number;  // of the field among those read
    bool        zoomed;  // its time ends before that of the others, where it has settled
    FigureRange time;    // shown
    PlotPanel   panels[PLOT_MOST_COLUMNS];
} PlotRow;

// Finds the rows that have something to show. One without any number is left out, as the condition number is where no
// method needs Newton's.
//   rows  written; [fields->count], of which `count` are filled
// Errors: ERROR_USAGE (none has a number).
bool plot_rows_find(const Trajectories *trajectories, const PlotFields *fields, const PlotRequest *request,
                    PlotRow *rows, size_t *count, Error *err);
