// sensitivity_plot -- pictures of indices: a panel for each output.
//
//   sobol, given, local, swing   bars, with intervals where there are some
//   morris                       the plane of mu_star and sigma
//   over time, samples, an axis  curves of ST, or of the index's first number
#pragma once

#include "analysis/plot/figure.h"
#include "analysis/sensitivity/sensitivity.h"

enum { SENSITIVITY_PANELS = 12, SENSITIVITY_TABLES = 8192 };

// Zero-initialise it; release with sensitivity_plot_free().
typedef struct SensitivityPicture {
    SensitivityTable *tables;       // [count] copies
    size_t            count, more;  // more: tables beyond SENSITIVITY_TABLES
    Arena             arena;
    FigureSvg        *svg;  // where it goes; NULL: to files
} SensitivityPicture;

// Keeps a table for the picture. Errors: ERROR_INTERNAL (memory).
bool sensitivity_plot_add(SensitivityPicture *picture, const SensitivityTable *table, Error *err);

// Draws STEM.gp, STEM.png and STEM.svg.
//   title  of the sweep; NULL: none
//   axis   of the grid of designs, along which indices are curves; NULL: none
//   said   what was drawn is added
// Errors: those of figure_draw(); ERROR_INPUT (no table has indices).
bool sensitivity_plot_draw(const SensitivityPicture *picture, const char *title, const char *axis, SensitivityOver over,
                           const char *stem, const Outputs *outputs, Text *said, Error *err);

// The one axis of the grid of designs that all studies have, along which indices are curves. NULL: none, or several.
const char *sensitivity_plot_axis(const Study *studies, size_t count);

void sensitivity_plot_free(SensitivityPicture *picture);
