// given -- sensitivity to one factor from points that any random design or grid gave.
//
// x[count] are the factor's values at the points, y[count] an output there. The points are ordered by x once per
// factor, and this order serves all outputs. A point with an x or a y that is not finite is left out.
#pragma once

#include "analysis/sensitivity/outcome.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { GIVEN_SLICE_COUNT = 10, GIVEN_PERMUTATIONS = 99 };  // good values

// The order of the points in a factor. The arrays live as long as their arena.
typedef struct GivenOrder {
    size_t          count;
    const uint32_t *points;  // [count], by ascending x; points with the same x in random order
    const double   *x;       // [count]: theirs, ascending
} GivenOrder;

// Orders the points; count < 2^32. O(n log n). Errors: ERROR_INTERNAL (memory).
bool given_make_order(const double *x, size_t count, uint64_t seed, Arena *arena, GivenOrder *order, Error *err);

// Cuts ascending values into at most `slices` of about the same size, between values that differ.
//   starts  [slices + 2]: the first value of each slice, behind the last one count
// Gives the number of slices, 0 without values.
size_t given_cut(const double *x, size_t count, size_t slices, size_t *starts);

typedef enum GivenEstimator {
    // 1 - sum (y_next(j) - y_j)^2 / (2 sum (y_j - mean)^2), next in the order of x: the index of Gamboa, Gremaud, Klein
    // and Lagnoux 2022, after Chatterjee 2021. In theirs the last point is followed by the first, which adds one term
    // that says nothing of Var(Y | X): it takes (y_last - y_first)^2 / (2 n V) off the index, up to 6 / n for a linear
    // function, and this is more than the standard error where the index is near 1. Here the last point has no next.
    GIVEN_RANKS,
    // The correlation ratio over the values of x, less its bias: 1 - (1 - eta^2) (n - 1) / (n - k) for k values (Kelley
    // 1935), eta^2 the variance between them over the whole variance. It may be negative.
    GIVEN_RATIO,
    // eta^2 itself: on a whole grid the other factors take the same values with each x, so that it is unbiased.
    GIVEN_GRID_RATIO,
    // eta^2 over slices of x, about sqrt(n) / 2 of them with as many points. Neighbours in x of a Sobol' sequence are
    // far from each other in the other factors, by its evenness, so that ranks give indices that are wrong by 0.1 and
    // more whatever n. The points of a slice are even themselves, and their mean is nearly that of the output there.
    // How near is not known of one sequence, and no interval is printed.
    GIVEN_SLICES
} GivenEstimator;

typedef struct GivenOptions {
    bool whole_grid;  // the points are all combinations of the values of some axes, of which x is one
    bool net;         // they are a Sobol' sequence
} GivenOptions;

// An index of first order. Without OUTCOME_FOUND it is NaN.
typedef struct GivenFirst {
    Outcome        outcome;
    size_t         count;  // of points used
    GivenEstimator estimator;
    double         value;
    double         conf;  // half of the 95 % interval; NaN: none
} GivenFirst;

// Finds the first-order index. The ratio is taken where the points have at least 4 per value of x.
//
// To first order GIVEN_RANKS is S1 less the mean of terms (S1 (a^2 + b^2) / 2 - a b) / V of neighbours a and b, V being
// the variance, and a, b less their mean. Neighbouring terms share a point; others depend on each other by their places
// in x alone, which are independent. So the variance of the sum is c0 + 2 c1 - 2 c, by sums of products ck of terms
// that lie k apart, and their mean c over k = 2 .. 5. The interval is Student's: degrees of freedom are those of the
// variance (Satterthwaite 1946), n / (kurtosis of the terms + 2) times its share of c0. 1 - S1 is a ratio of means of
// squares: the interval is that of its logarithm, and conf the longer side. Of fewer than 32 points there is none.
// Subsamples without replacement, which this had before, gave noise of 64 points intervals 1.29 times too wide.
// The standard error of GIVEN_RATIO is that of its influence function (Da Veiga and Gamboa 2013). On a whole grid and
// on a Sobol' sequence there is none: their points are not random.
//   y  [the count of given_make_order()]
// Errors: ERROR_INTERNAL (memory).
bool given_find_first(const GivenOrder *order, const double *y, const GivenOptions *options, GivenFirst *found,
                      Error *err);

// Over the slices of a factor.
typedef struct GivenLevels {
    double median, mean, most;
} GivenLevels;

typedef struct GivenPawn {
    Outcome     outcome;
    size_t      count, slice_count;  // of points used, of slices
    GivenLevels distance;            // Kolmogorov-Smirnov statistics between a slice and all points
    GivenLevels dummy;               // the level a factor without influence exceeds once in 20 times; NaN: not known
} GivenPawn;

// Finds the PAWN index of Pianosi and Wagener 2018: how far the distribution of y in slices of x is from that of all
// points. Slices have equally many points but that equal x are in one slice, so that there may be fewer slices.
// The level of the dummy is the 95 % quantile over permutations of the points among the slices; 19 of them are the
// fewest that give one. A constant output has distance 0. O(n log n), and O(n) per permutation.
// Errors: ERROR_INTERNAL (memory).
bool given_find_pawn(const GivenOrder *order, const double *y, size_t slices, size_t permutations, uint64_t seed,
                     GivenPawn *found, Error *err);

typedef struct GivenSlice {
    double least, most;  // x
    size_t count;
    double mean;   // of y
    double error;  // its standard error; NaN of one point
} GivenSlice;

// Finds the mean of y in slices of x, the same as given_find_pawn()'s.
//   found  [found_count], in the arena
// Errors: ERROR_INTERNAL (memory).
bool given_find_means(const GivenOrder *order, const double *y, size_t slices, Arena *arena, GivenSlice **found,
                      size_t *found_count, Error *err);
