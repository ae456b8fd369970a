// pareto_plot -- picture of a front: all points compared, a colour for each group, and the front on top.
//
// Drawn as plot draws: STEM.png and STEM.svg from the script STEM.gp, which stays beside them. A panel for each
// problem. Of more than two objectives the first two are drawn, with the front of all.
#pragma once

#include "analysis/pareto/pareto.h"
#include "base/outputs.h"

// The most points that a picture shows beside the front, and the most panels it has.
enum { PARETO_PLOT_POINTS = 6000, PARETO_PLOT_PANELS = 12 };

// Draws it, and says where it is and what is not in it.
//   stem  without an ending; no control characters
// Errors: ERROR_USAGE (too many problems, nothing to draw), those of figure_check_stem() and gnuplot_draw().
bool pareto_plot(const Pareto *pareto, const char *stem, const Outputs *outputs, Text *said, Error *err);
