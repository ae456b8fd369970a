// spread_print -- tables of spreads and of correlations, as text, csv and json.
#pragma once

#include "analysis/distribution/correlation.h"
#include "terminal/table.h"

// Print each study's spreads, or its correlations.
//   studies  [count] all studies of the table: their axes around the cells are columns
//   keep     called with each too; NULL: nothing is
// Errors: those of spread_find(), or of correlation_find().
bool spread_print(const SpreadRequest *request, Study *studies, size_t count, Format format, Text *text,
                  SpreadSee *keep, void *user, Error *err);
bool spread_print_correlations(const SpreadRequest *request, Study *studies, size_t count, Format format, Text *text,
                               CorrelationSee *keep, void *user, Error *err);
