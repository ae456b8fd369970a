// plot_trajectory -- stored trajectories over time, coordinate by coordinate.
#pragma once

#include "analysis/plot_sheet.h"

// Whether a group has stored coordinates.
bool plot_trajectory_possible(const PlotGroup *group);

// Adds the script of the picture.
//   said  a line is added for every trajectory drawn: how far the coordinates range in its first and last quarter
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_trajectory(const PlotSheet *sheet, Text *script, Text *said, Error *err);
