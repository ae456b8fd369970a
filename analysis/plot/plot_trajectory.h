// plot_trajectory -- stored trajectories over time: a row of panels for every field or coordinate, time along all.
#pragma once

#include "analysis/plot/plot.h"
#include "analysis/plot/figure.h"

// Whether a group has stored trajectories.
bool plot_trajectory_possible(const PlotGroup *group);

// Adds the script of the picture.
//   said  a line is added for every trajectory drawn: how far coordinates range in the first and last quarter of the
//         time shown, and what other fields reach
// Errors: ERROR_INPUT, ERROR_USAGE (no such field, no time, no number to draw), ERROR_INTERNAL.
bool plot_trajectory(const Figure *figure, const PlotRequest *request, Text *script, Text *said, Text *notes,
                     Error *err);
