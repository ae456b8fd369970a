// design_case -- what tests of designs share: factors that are uniform on [0, 1], and an arena.
#pragma once

#include "design/sampling.h"

// Values of these factors are shares of the probability.
extern Distribution design_units[SAMPLING_FACTORS + 1];

// Of what tests make; design_end() frees it.
extern Arena design_arena;

// Of two columns, and of counts that are all expected to be the same.
double design_correlation(const double *a, const double *b, size_t count);
double design_chi_square(const int *cells, size_t count, double expected);

// Set-up and tear-down of a group of tests.
int design_begin(void **state);
int design_end(void **state);
