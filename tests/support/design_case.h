// design_case -- what tests of designs share: factors that are uniform on [0, 1], and an arena.
#pragma once

#include "design/sampling.h"

// Values of these factors are shares of the probability.
extern Distribution design_units[SAMPLING_FACTORS + 1];

// Of what tests make; design_end() frees it.
extern Arena design_arena;

// Set-up and tear-down of a group of tests.
int design_begin(void **state);
int design_end(void **state);
