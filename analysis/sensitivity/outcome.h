// outcome -- whether an output has sensitivity indices, and why it has none.
#pragma once

#include <float.h>
#include <math.h>
#include <stddef.h>

typedef enum Outcome {
    OUTCOME_FOUND,
    OUTCOME_CONSTANT,  // the values differ by no more than their rounding, or by less than 1e-154
    OUTCOME_TOO_FEW,   // no value to use, or too few
    OUTCOME_TOO_LARGE  // squares of the values, which reach beyond 1e150, do not fit into a double
} Outcome;

// The outcome by the variance of `count` values; `largest` is their largest magnitude.
static inline Outcome outcome_of(size_t count, size_t least_count, double variance, double largest)
{
    if (count < least_count)
        return OUTCOME_TOO_FEW;
    if (!isfinite(variance))
        return OUTCOME_TOO_LARGE;
    return variance < DBL_MIN || sqrt(variance) <= 4.0 * DBL_EPSILON * largest ? OUTCOME_CONSTANT : OUTCOME_FOUND;
}
