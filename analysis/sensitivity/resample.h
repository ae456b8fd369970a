// resample -- draws of a bootstrap, the spread of their results, and of numbers that may be tiny or huge.
#pragma once

#include <math.h>
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

// The 97.5 % quantile of Student's distribution; NaN of 0 degrees of freedom.
double resample_student(double freedom);

// Half of the interval of a mean of numbers that are never negative: their distribution is skewed, and that of their
// logarithm less so. It is the longer side of the interval of the logarithm.
//   half  of the mean itself
double resample_skewed(double mean, double half);

// Draws `count` times from `count` items, with replacement, 0 < count < 2^32. A replicate has the same draws at each
// call.
//   times  [count]: how often each item was drawn
void resample_draw(uint64_t seed, uint64_t replicate, size_t count, uint32_t *times);

// The sum of (y - mean)^2 over the finite numbers of y[count], times 4^-exponent. The power of two is that of the
// largest difference, so that squares fit into a double; it changes no digit of numbers of ordinary size.
static inline double squares_about(const double *y, size_t count, double mean, int *exponent)
{
    double largest = 0.0, sum = 0.0;
    for (size_t i = 0; i < count; ++i)
        if (isfinite(y[i]))
            largest = fmax(largest, fabs(y[i] - mean));
    frexp(largest, exponent);
    for (size_t i = 0; i < count; ++i)
        if (isfinite(y[i])) {
            const double apart = ldexp(y[i] - mean, -*exponent);
            sum += apart * apart;
        }
    return sum;
}
