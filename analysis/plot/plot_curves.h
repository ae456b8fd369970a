// plot_curves -- metrics over one axis, one line per group.
#pragma once

#include "analysis/plot/plot_sheet.h"

// Whether a group has an axis to draw along.
bool plot_curves_possible(const PlotGroup *group);

// Adds the script of the picture: of the sheet's metric and, unless only that one was asked for, of the next few.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_curves(const PlotSheet *sheet, bool only, Text *script, Text *notes, Error *err);
