// sensitivity_points -- pictures of points: each panel has points, and over them a curve of means or the line of
// equality.
#pragma once

#include "analysis/sensitivity/given.h"
#include "analysis/sensitivity/sensitivity_panel.h"

typedef struct PointPanel {
    Text        title, more;
    const char *names[2], *units[2];  // along x and y; borrowed
    bool        logarithmic[2];
    FigureRange ranges[2];     // of all points
    double     *numbers[2];    // [count] of the points that are drawn
    size_t      count, whole;  // whole: all points that have both numbers
    GivenSlice *means;         // [mean_count]
    size_t      mean_count;
    bool        band;  // means have intervals
} PointPanel;

// Zero-initialise it; release with sensitivity_points_free().
typedef struct PointPicture {
    Figure     figure;
    PointPanel panels[SENSITIVITY_PANELS];  // [panel_count]
    size_t     panel_count, left_out;
    bool       equality;  // the line of equality in place of means
    Arena      arena;
} PointPicture;

// Adds the panels of one output. The table's study, output and index are set.
typedef bool PointsAdd(PointPicture *picture, const SensitivityRequest *request, SensitivityTable *table, void *user,
                       Error *err);

// Goes through the outputs of all studies. Errors: those of `add`, ERROR_USAGE (no such output).
bool sensitivity_points_add(PointPicture *picture, const SensitivityRequest *request, Study *studies, size_t count,
                            PointsAdd *add, void *user, Error *err);

// The next panel, with its title. NULL: there are enough, and this one is counted as left out.
PointPanel *sensitivity_points_panel(PointPicture *picture, const SensitivityTable *table);

// Keeps points for a panel: of more than 2000 one from each of 2000 equal parts of their order, at random there, since
// every n-th point of a Sobol' sequence or of a grid lies in a part of the range.
//   x, y  [count]; points that are not finite are left out
// Errors: ERROR_INTERNAL (memory).
bool sensitivity_points_keep(PointPicture *picture, PointPanel *panel, const double *x, const double *y, size_t count,
                             Error *err);

// Draws all panels. Arguments and errors as in sensitivity_plot_scatter().
bool sensitivity_points_draw(PointPicture *picture, const char *title, const char *stem, const Outputs *outputs,
                             FigureSvg *svg, Text *said, Error *err);

void sensitivity_points_free(PointPicture *picture);
