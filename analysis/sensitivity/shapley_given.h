// shapley_given -- Shapley effects without a surrogate: of points that were made elsewhere, dependent or not.
//
// Both take the output as a function of the factors: noise beside them would be shared among all.
#pragma once

#include "analysis/sensitivity/effects.h"
#include "analysis/sensitivity/shapley.h"

typedef struct ShapleyGiven {
    size_t count;  // of points or walks that were used
    double variance;
    double effects[SHAPLEY_FACTORS], conf[SHAPLEY_FACTORS];  // half of the 95 % interval; NaN where the variance is 0
} ShapleyGiven;

// No interval is printed of fewer points, or walks: those of neighbours held in 0.83 to 0.95 of studies of 64 points.
enum {
    SHAPLEY_GIVEN_LEAST = 64,
    SHAPLEY_GIVEN_LEAST_INTERVAL = 256,
    SHAPLEY_WALKS_LEAST_INTERVAL = 64,
    SHAPLEY_GIVEN_COSTS = 1 << 21
};

// Finds effects of independent factors from walks of d + 1 points between two independent points, in a random order of
// the factors: Goda 2021, d + 1 runs each. A walk with a y that is not finite is left out.
//   y  [trajectory][factor_count + 1]
// The effects sum to 1. An effect is a ratio of two means; its interval is Student's, by the degrees of freedom of the
// variance of its terms (Satterthwaite 1946), 2 n / (kurtosis - 1). Errors: ERROR_INPUT (too many factors).
bool shapley_given_walk(const EffectsDesign *design, const double *y, ShapleyGiven *found, Error *err);

// Finds effects of dependent factors from independent points, by nearest neighbours (Broto, Bachoc and Depecker 2020):
// what a set of factors costs is half the mean of (y - y')^2, y' at the point that is nearest in the other factors, by
// their ranks. At most SHAPLEY_GIVEN_COSTS / 2^d points are used.
//   x  [factor_count][count], finite; y [count], finite
// The interval is from 16 disjoint groups of the points, and as much wider as the bias, which falls as n^(-2 / (d -
// 1)), is by the groups' effects beside those of all. Errors: ERROR_INPUT (too many factors), ERROR_INTERNAL (memory).
bool shapley_given_find(const double *const *x, const double *y, size_t factor_count, size_t count, uint64_t seed,
                        ShapleyGiven *found, Error *err);
