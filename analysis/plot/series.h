// series -- pictures of points and lines in the plane: panels side by side, each with some series.
//
//   series_panel     a panel and its title
//   series_entry     a line of the legend, and a colour
//   series_add       points of a panel, as often as there are some
//   series_slope     a triangle that shows a slope
//   series_draw      axes for all panels alike, then the script
//
// All panels have the same axes, so that they can be compared. Values that have no place on a logarithmic axis, and
// values beyond the range of the others, are counted and noted.
#pragma once

#include "analysis/plot/plot_kind.h"

enum { SERIES_PANELS = 16, SERIES_MOST = 256, SERIES_SLOPES = 8, SERIES_POINTS = 200000 };

typedef enum SeriesStyle { SERIES_LINES, SERIES_BOTH, SERIES_MARKS, SERIES_DOTS } SeriesStyle;

typedef struct Series {
    double     *x, *y;  // [count], of the figure's arena; NaN breaks a line
    size_t      count, panel, entry;
    SeriesStyle style;
} Series;

// A triangle of that slope on logarithmic axes, from x0 to x1, below y0 at x1.
typedef struct SeriesSlope {
    size_t panel;
    double x0, x1, y0, order;
} SeriesSlope;

// An axis of all panels. The caller fills the first part.
typedef struct SeriesAxis {
    const char   *name, *unit;
    PlotScale     scale;
    const double *limits;  // of PlotRequest
    bool          whole;   // no number is left out

    bool        logarithmic;
    FigureRange range;
    PlotClip    clip;
    size_t      lost;  // numbers that a logarithmic axis has no place for
} SeriesAxis;

typedef struct SeriesPicture {
    Figure    *figure;
    SeriesAxis x, y;

    const char *titles[SERIES_PANELS];  // [panel_count]
    Text        more[SERIES_PANELS];    // a second line of each
    size_t      panel_count;
    Series      series[SERIES_MOST];  // [count]
    size_t      count;
    SeriesSlope slopes[SERIES_SLOPES];  // [slope_count]
    size_t      slope_count;
} SeriesPicture;

// Makes an empty picture of a request: its limits are taken over, and its scale for y.
//   picture  of the figure's arena; NULL on failure
// Errors: ERROR_INTERNAL.
SeriesPicture *series_make(Figure *figure, const PlotRequest *request, Error *err);

// Adds a panel; returns its index.
//   title  borrowed
//   more   a second line, or empty; taken over
// Errors: ERROR_USAGE (more than SERIES_PANELS).
bool series_panel(SeriesPicture *picture, const char *title, Text *more, size_t *panel, Error *err);

// Adds a series with room for so many points, all NaN, to a panel and an entry of the legend.
// Errors: ERROR_USAGE (more than SERIES_MOST), ERROR_INTERNAL.
Series *series_add(SeriesPicture *picture, size_t panel, size_t entry, SeriesStyle style, size_t count, Error *err);

// The entry of that name: a new one where there is none.
size_t series_entry(SeriesPicture *picture, const char *name);

// Orders the points of a series by x.
void series_sort(Series *series);

// Adds a triangle; where there is no room for more, it is left out.
void series_slope(SeriesPicture *picture, SeriesSlope slope);

// Adds the script. Errors: ERROR_USAGE (no number to draw).
bool series_draw(SeriesPicture *picture, const PlotFile *file, Error *err);
