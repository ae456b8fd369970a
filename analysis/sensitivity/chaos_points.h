// chaos_points -- the different points of an expansion's data, in random order.
#pragma once

#include "analysis/sensitivity/chaos.h"

// chaos_points_make() makes it; the arrays live as long as the arena.
typedef struct ChaosPoints {
    size_t  count;           // different points
    size_t *numbers;         // [count]: of one point in the data
    double *counts;          // [count]: how many points are the same
    double *values;          // [count]: their mean output, less `mean`, in units of `deviation`
    double  mean, variance;  // of the output at all points
    double  deviation;       // its root; 1 where the output is constant
    double  within;          // share of the variance between points that are the same
    bool    constant;
} ChaosPoints;

// Finds the different points. Their order is that of a hash of their values under the seed: a part of them from the
// first on is a random sample, whatever the order of the data. Errors: ERROR_INTERNAL (memory).
bool chaos_points_make(const ChaosData *data, uint64_t seed, Arena *arena, ChaosPoints *points, Error *err);
