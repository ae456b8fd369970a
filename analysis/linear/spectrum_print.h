// spectrum_print -- how `pendula spectrum` prints: as text, csv or json.
//
// Columns of csv are the numbers, then the method, then every parameter that one of the methods has.
#pragma once

#include "analysis/linear/spectrum.h"
#include "terminal/table.h"

// Adds the rows of all entries.
//   rows  [entry_count][per_entry]
void spectrum_print_rows(Text *text, Format format, const Spectrum *spectrum, const SpectrumRow *rows,
                         size_t per_entry);

// Adds the limits of all entries.
//   limits  [entry_count][per_entry]
void spectrum_print_limits(Text *text, Format format, const Spectrum *spectrum, const SpectrumLimit *limits,
                           size_t per_entry);
