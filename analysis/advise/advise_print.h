// advise_print -- advice as text, as records, and as a picture.
#pragma once

#include "analysis/advise/advise.h"
#include "base/outputs.h"
#include "terminal/table.h"

// Adds the advice: in text the front, and for each target the cheapest methods; in csv and json a record for each
// choice on the front and each method's best choice for each target.
// Errors: ERROR_INTERNAL (memory).
bool advise_print(const Advice *advice, Format format, Text *text, Error *err);

// Draws error over evaluations, a curve for each method: methods on the front or cheapest for a target in colours, the
// others in grey.
//   said  the names of the files are added
// Errors: those of figure_draw().
bool advise_plot(const Advice *advice, const char *stem, const Outputs *outputs, Text *said, Error *err);
