// band -- the parameter of TO whose damping is nearest to FROM's over a band of Omega.
#pragma once

#include "analysis/pairs/criterion.h"
#include "analysis/pairs/family.h"

// The best over the band [low, high] of Omega: it minimises the largest |difference of logarithms|, of radius or xi.
typedef struct BandFit {
    double at;         // NaN: none, see `one_sided`
    double low, high;  // of the bracket when the search ended
    double largest;    // the largest |difference of logarithms| that is left, to about 1e-6 of itself
    int    one_sided;  // even the best damps less (-1) or more (1) than FROM in all of the band; 0: neither
} BandFit;

// Finds the best for values of FROM's parameter.
//   criterion  CRITERION_RADIUS or CRITERION_DAMPING_RATIO
//   fits       [count] written; `at` NaN and `one_sided` 0 where FROM or every parameter of TO lacks the number
//              somewhere in the band
// Errors: ERROR_INTERNAL.
bool band_find(Criterion criterion, const Family *from, const Family *to, const double band[2], const double *values,
               size_t count, BandFit *fits, Error *err);
