// chaos_search -- the terms of an expansion: the degree, the choice at it, and the error of both.
#pragma once

#include "analysis/sensitivity/chaos_points.h"
#include "analysis/sensitivity/pursuit.h"

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
    double    *moments, *weights;
    size_t    *terms;  // [term_count]: places in the basis
    size_t     term_count, degree, candidate_count;
} ChaosSearch;

// Finds the degree and the terms. Errors: ERROR_INTERNAL (memory).
bool chaos_search_run(ChaosSearch *search, Error *err);

// Finds the mean squared error, in units of the variance, of terms chosen and fitted at the same degree without a part
// of the points, at that part. Errors: ERROR_INTERNAL (memory).
bool chaos_search_find_folds(ChaosSearch *search, double *error, Error *err);
