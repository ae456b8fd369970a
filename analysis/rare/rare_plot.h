// rare_plot -- the picture of rare events: the probability beyond each value, with its interval, and the levels of all
// runs.
#pragma once

#include "analysis/plot/figure.h"
#include "analysis/rare/rare.h"

enum { RARE_PLOT_PANELS = 12 };

// Draws STEM.gp, STEM.png and STEM.svg, a panel for each group.
//   said  the files, and groups that are not drawn, are added
// Errors: those of figure_draw(), ERROR_INTERNAL.
bool rare_plot(const Rare *rares, size_t count, const char *stem, const Outputs *outputs, Text *said, Error *err);
