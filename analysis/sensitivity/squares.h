// squares -- sums of squares of numbers that may be tiny or huge.
#pragma once

#include <math.h>
#include <stddef.h>

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
