// resample -- draws of a bootstrap, and the spread of their results.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Running mean and sum of squares of numbers (Welford 1962). Zero-initialise it.
typedef struct ResampleSpread {
    size_t count;
    double mean, squares;
} ResampleSpread;

// Adds a number; one that is not finite is left out.
void resample_add(ResampleSpread *spread, double value);

// The standard deviation of the numbers, with count - 1; NaN of fewer than two.
double resample_deviation(const ResampleSpread *spread);

// Half of the 95 % interval of a normal distribution: 1.96 standard deviations.
double resample_half_width(double deviation);

// Draws `count` times from `count` items, with replacement, 0 < count < 2^32. A replicate has the same draws at each
// call.
//   times  [count]: how often each item was drawn
void resample_draw(uint64_t seed, uint64_t replicate, size_t count, uint32_t *times);
