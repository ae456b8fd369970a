// chaos_search -- the different points of an expansion, and its terms: the degree, the choice at it, and their error.
#pragma once

#include "analysis/sensitivity/chaos.h"
#include "analysis/sensitivity/pursuit.h"

// chaos_search_points() makes it; the arrays live as long as the arena.
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
bool chaos_search_points(const ChaosData *data, uint64_t seed, Arena *arena, ChaosPoints *points, Error *err);

// Zero-initialise it, fill in the first part, call chaos_search_run(). The arrays live as long as the arena.
typedef struct ChaosSearch {
    const ChaosData   *data;
    const Polynomials *polynomials;  // [factor]
    const ChaosPoints *points;
    size_t             fit_count;  // of points that enter the fit: the first ones
    double             norm;
    size_t             most_degree;
    Arena             *arena;

    Regressors regressors;
    Basis      basis;
    Pursuit    pursuit;
    double    *gram, *fold_gram;  // [candidate][candidate]
    size_t    *terms;             // [term_count]: places in the basis
    size_t     term_count, degree, candidate_count;
} ChaosSearch;

// Finds the degree and the terms. Errors: ERROR_INTERNAL (memory).
bool chaos_search_run(ChaosSearch *search, Error *err);

// Finds the mean squared error, in units of the variance, of terms chosen and fitted at the same degree without a part
// of the points, at that part. Errors: ERROR_INTERNAL (memory).
bool chaos_search_find_folds(ChaosSearch *search, double *error, Error *err);
