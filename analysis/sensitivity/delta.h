// delta -- the moment-independent index delta of one factor, from points that any design gave.
//
// delta = E |f(y) - f(y | x)| / 2, the mean over x of half the area between the density of an output and its density
// given the factor (Borgonovo 2007): 0 where it does not depend on x, 1 where x decides it. It needs no variance, and
// stays as it is where y is replaced by a monotonic function of y.
//
// The estimator is that of Plischke, Borgonovo and Smith 2013: classes of x with as many points, kernel densities on
// 100 places between the least and the largest y, and 2 d - mean(d*) over bootstrap samples d*, which takes most of the
// bias off. An estimate may be below 0.
#pragma once

#include "analysis/sensitivity/given.h"

enum { DELTA_REPLICATES = 100 };  // a good number

typedef struct Delta {
    Outcome outcome;
    size_t  count, class_count;  // of points used, of classes
    double  plain;               // d, as the points have it
    double  value;               // less its bias; `plain` without replicates
    // 1.96 deviations of the bootstrap; NaN without it. It is not printed as an interval: kernels take more than that
    // off a delta (docs/sensitivity.md has how often it held).
    double conf;
} Delta;

// Finds delta; without OUTCOME_FOUND it is NaN. Classes are round(min(ceil(n^(2 / (7 + tanh((1500 - n) / 500)))), 48))
// as in that paper and SALib, but points of the same x are in one class. The density of a class whose y are all the
// same is a point, whose area beside any other density is 2.
//   y  [the count of given_make_order()]
// Errors: ERROR_INTERNAL (memory).
bool delta_find(const GivenOrder *order, const double *y, size_t replicates, uint64_t seed, Delta *found, Error *err);
