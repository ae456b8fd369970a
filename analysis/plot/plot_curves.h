// plot_curves -- metrics over one axis, one line per group.
#pragma once

#include "analysis/plot/figure.h"

// Whether a group has an axis to draw along.
bool plot_curves_possible(const PlotGroup *group);

// Adds the script of the picture: of the figure's metric and, unless only that one was asked for, of the next few.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_curves(const Figure *figure, bool only, Text *script, Text *notes, Error *err);
