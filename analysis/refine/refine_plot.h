// refine_plot -- pictures of boundaries: the cells of each chart, coloured by the class of their points.
#pragma once

#include "analysis/plot/figure.h"
#include "analysis/refine/refine.h"

enum { REFINE_PANELS = 9 };

// Draws the first REFINE_PANELS charts of the groups.
//   refinements  [count]
//   said         lines are added that are to be printed
// Errors: ERROR_USAGE (three axes are halved in the first group), those of figure_draw().
bool refine_plot(const Refinement *refinements, size_t count, const char *title, const char *stem,
                 const Outputs *outputs, Text *said, Error *err);
