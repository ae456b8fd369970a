// given_sample -- the points of one factor and one output, in the order of the factor.
#pragma once

#include "analysis/sensitivity/given.h"

typedef struct GivenSample {
    size_t  count;
    double *x, *y;                    // [count]; in the arena
    double  mean, variance, largest;  // of y; its largest magnitude
} GivenSample;

// Errors: ERROR_INTERNAL (memory).
bool given_sample_make(const GivenOrder *order, const double *y, Arena *arena, GivenSample *sample, Error *err);

// Subtracts the mean from y.
void given_sample_centre(GivenSample *sample);

// Cuts the points into at most `slices` of about the same size, between points whose x differ.
//   starts  [slices + 2]: the first point of each slice, behind the last one count
// Gives the number of slices, 0 without points.
size_t given_sample_cut(const GivenSample *sample, size_t slices, size_t *starts);
