// show_convention -- what `pendula show METHOD --rho-inf VALUE` prints: the radius in every convention.
#pragma once

#include "base/memory.h"

// What was asked for, as it was given; one of the two words is there.
typedef struct ShowConvention {
    const char *radius;   // of --rho-inf, or NULL
    const char *setting;  // of -p, "NAME=VALUE", or NULL
    bool        json;     // an object in place of a table
} ShowConvention;

// Adds the rows of analysis/convention at that radius, those of the method first.
// Errors: ERROR_USAGE (no such method, one without a parameter for its radius, a parameter or a value it has not),
// ERROR_INPUT (a card is wrong), ERROR_INTERNAL.
bool show_convention(Text *text, const char *method, const ShowConvention *asked, Error *err);
