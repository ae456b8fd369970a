// plot_map -- a metric over two axes, one panel per group. A group with one axis or none is a strip or a cell, and one
// without the metric shows how its points ended.
#pragma once

#include "analysis/plot/figure.h"

// Whether a group has two axes to span a map.
bool plot_map_possible(const PlotGroup *group);

// Adds the script of the picture, where a map is possible for some group.
//   notes  lines that stand on the picture and are to be said: what the scale does not show
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_map(const Figure *figure, Text *script, Text *notes, Error *err);
