// spread_plot -- pictures of spreads: a panel for each output, and each cell that is not along an axis.
//
//   histogram    bars, a kernel density, the mean, quantiles, and values that are exceeded
//   bands        quantiles and the mean over time, or over an axis around the cells
//   exceedance   P(output > V) over time, or over an axis: fragility curves
//   correlation  a map: Pearson's coefficients below the diagonal, Spearman's above it
#pragma once

#include "analysis/distribution/correlation.h"
#include "analysis/plot/figure.h"

enum { SPREAD_PLOT_PANELS = 12, SPREAD_PLOT_SPREADS = 1 << 19, SPREAD_PLOT_OUTPUTS = 24 };

typedef enum SpreadKind { SPREAD_HISTOGRAM, SPREAD_BANDS, SPREAD_EXCEEDANCE, SPREAD_CORRELATION } SpreadKind;

typedef struct SpreadPanel {
    Text                title, more;  // of its head
    const OutputSpread *first;
    const Correlations *found;
} SpreadPanel;

// Zero-initialise it; release with spread_plot_free().
typedef struct SpreadPicture {
    const SpreadRequest *request;
    SpreadKind           kind;
    const char          *axis;  // along x; NULL: time, or none
    const char          *unit;
    bool                 logarithmic;
    OutputSpread        *spreads;  // [count] copies; their panels
    size_t              *panel_of;
    size_t               count, capacity, more;  // more: beyond SPREAD_PLOT_SPREADS
    SpreadPanel          panels[SPREAD_PLOT_PANELS];
    size_t               panel_count, left_out, constant, hidden;
    Figure               figure;
    Arena                arena;
} SpreadPicture;

// Chooses the kind by the request and the axes that all studies have, and asks the request for densities where these
// are drawn.
void spread_plot_begin(SpreadPicture *picture, SpreadRequest *request, const Study *studies, size_t count);

// Keep what the picture is of. Errors: ERROR_INTERNAL (memory).
//   user  the picture
bool spread_plot_add(const OutputSpread *spread, void *user, Error *err);
bool spread_plot_add_correlations(const Correlations *found, void *user, Error *err);

// Draws STEM.gp, STEM.png and STEM.svg.
//   title  of the sweep; NULL: none
//   said   the files, and counts of what is not drawn, are added
// Errors: those of figure_draw(); ERROR_INPUT (nothing to draw).
bool spread_plot_draw(SpreadPicture *picture, const char *title, const char *stem, const Outputs *outputs, Text *said,
                      Error *err);

void spread_plot_free(SpreadPicture *picture);
