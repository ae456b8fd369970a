// plot_map -- a metric over two axes, one panel per group.
#pragma once

#include "analysis/plot_sheet.h"

// Whether a group has two axes to span a map.
bool plot_map_possible(const PlotGroup *group);

// Adds the script of the picture.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_map(const PlotSheet *sheet, Text *script, Error *err);
