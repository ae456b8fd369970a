// convention_print -- table of `pendula show METHOD --rho-inf VALUE`: one radius in every convention.
#pragma once

#include "base/text.h"

// Adds the rows of analysis/linear/convention at a radius, those of the method first.
//   radius   as it was given: the word of --rho-inf; or NULL, and then
//   setting  the word of -p, "NAME=VALUE"
//   json     an object in place of a table
// Errors: ERROR_USAGE (no such method, one without a parameter for its radius, a parameter or a value it does not
// have), ERROR_INPUT (a card is wrong), ERROR_INTERNAL.
bool convention_print(Text *text, const char *method, const char *radius, const char *setting, bool json, Error *err);
