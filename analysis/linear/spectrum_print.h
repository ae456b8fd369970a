// spectrum_print -- how `pendula spectrum` prints: as text, csv or json.
//
// Columns of csv are the numbers, then the method, then every parameter that one of the methods has.
#pragma once

#include "analysis/linear/spectrum.h"
#include "terminal/table.h"

// Adds the rows of all entries, or their limits.
//   rows, limits  [entry_count][per_entry]; one of them is NULL
void spectrum_print(Text *text, Format format, const Spectrum *spectrum, const SpectrumRow *rows,
                    const SpectrumLimit *limits, size_t per_entry);
