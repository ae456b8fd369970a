// design_case -- what tests of designs share: factors that are uniform on [0, 1], and the making of a design.
#pragma once

#include "design/sampling.h"

// Values of these factors are shares of the probability.
extern Distribution design_units[SAMPLING_FACTORS + 1];

// Makes a design, which stays to the end of the test; one that is refused fails it.
void design_case_make(Sampling *sampling);

// Of two columns, and of counts that are all expected to be the same.
double design_correlation(const double *a, const double *b, size_t count);
double design_chi_square(const int *cells, size_t count, double expected);
