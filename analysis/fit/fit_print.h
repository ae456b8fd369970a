// fit_print -- the fits of groups as one table for people and programs.
#pragma once

#include "analysis/fit/fit.h"
#include "terminal/table.h"

// Adds the groups' fits.
// Errors: ERROR_INTERNAL (memory).
bool fit_print(const GroupFit *fits, size_t count, Format format, Text *text, Error *err);
