// rare_print -- the estimates of groups as one table for people and programs.
#pragma once

#include "analysis/rare/rare.h"
#include "terminal/table.h"

// Adds the groups' estimates.
// Errors: ERROR_INTERNAL (memory).
bool rare_print(const Rare *rares, size_t count, Format format, Text *text, Error *err);
