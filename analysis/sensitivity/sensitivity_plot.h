// sensitivity_plot -- pictures of indices: a panel for each output.
//
//   sobol, given, local, swing   bars, with intervals where there are some
//   morris                       the plane of mu_star and sigma
//   over time, samples, an axis  curves of ST, or of the index's first number
//   two axes around the designs  a map of the same for each factor: cells without an index are grey
#pragma once

#include "analysis/plot/figure.h"
#include "analysis/sensitivity/sensitivity.h"

enum { SENSITIVITY_PANELS = 12, SENSITIVITY_ROWS = 1 << 19 };

// Zero-initialise it; release with sensitivity_plot_free().
typedef struct SensitivityPicture {
    SensitivityTable *tables;       // [count] copies
    size_t            count, more;  // more: tables beyond SENSITIVITY_ROWS
    size_t            capacity, row_count;
    Arena             arena;
    FigureSvg        *svg;     // where it goes; NULL: to files
    const char       *map[2];  // axes of a map, found by sensitivity_plot_map(); NULL: none
} SensitivityPicture;

// Keeps a table for the picture. Errors: ERROR_INTERNAL (memory).
//   user  the picture
bool sensitivity_plot_add(const SensitivityTable *table, void *user, Error *err);

// Draws STEM.gp, STEM.png and STEM.svg.
//   title  of the sweep; NULL: none
//   axis   of the grid of designs, along which indices are curves; NULL: none
//   said   the files, and counts of panels left out, are added
// Errors: those of figure_draw(); ERROR_INPUT (no table has indices).
bool sensitivity_plot_draw(const SensitivityPicture *picture, const char *title, const char *axis, SensitivityOver over,
                           const char *stem, const Outputs *outputs, Text *said, Error *err);

// Finds the two axes of a map: the axes around the designs where each study has two; names that names[2] holds are
// checked. A study that has other axes than the first is drawn over its own two.
//   names  written: both NULL where there is no map
// Errors: ERROR_USAGE (an axis that is named and not there).
bool sensitivity_plot_map(const Study *studies, size_t count, const char **names, Error *err);

// The one axis of the grid of designs that all studies have, along which indices are curves. NULL: none, or several.
const char *sensitivity_plot_axis(const Study *studies, size_t count);

// Draws points instead: an output over each factor with its conditional mean.
//   surrogate  in its place the polynomial chaos expansion of an output at the points over the computed values, also
//              where Q2 is too low for indices
//   studies    [count]; of a grid of designs the first, which the picture says
//   svg        where it goes; NULL: STEM.gp, STEM.png and STEM.svg
// Errors: those of study_scan(), sample_fit() and figure_draw(); ERROR_USAGE (no such output, a design that
// no expansion is fitted to), ERROR_INPUT (no output that can be drawn).
bool sensitivity_plot_points(const SensitivityRequest *request, bool surrogate, Study *studies, size_t count,
                             const char *title, const char *stem, const Outputs *outputs, FigureSvg *svg, Text *said,
                             Error *err);

void sensitivity_plot_free(SensitivityPicture *picture);
