// fit_plot -- a picture of data and fit: a column for each measured quantity, its residuals below, a colour for each
// condition.
#pragma once

#include "analysis/fit/fit.h"
#include "analysis/plot/figure.h"

enum { FIT_PLOT_COLUMNS = 4, FIT_PLOT_CONDITIONS = 8, FIT_PLOT_TIMES = 401 };

typedef struct FitPlotRequest {
    const Plan        *sweep;      // the user's
    const char *const *overrides;  // [override_count] of it
    size_t             override_count;
    const char        *stem;
} FitPlotRequest;

// Runs the optimum of each fit once more, with as many samples as a curve needs, and draws it.
//   fits  [count] not yet released
//   said  lines are added: files, what is left out
// Errors: those of fit_study_make(), fit_build(), fit_show() and figure_draw().
bool fit_plot(GroupFit *fits, size_t count, const FitPlotRequest *request, const Outputs *outputs, Text *said,
              Error *err);
