// fit -- polynomial chaos expansion of an output of a study.
#pragma once

#include "analysis/sensitivity/chaos.h"
#include "analysis/sensitivity/sensitivity.h"

// Zero-initialise it; fit_make() fills it in, fit_free() releases it. The arrays are the arena's.
typedef struct Fit {
    const Distribution **factors;        // [factor_count]: their distributions; NULL: not known
    Distribution        *distributions;  // [factor_count]
    double             **x;              // [factor_count][count]
    double              *y;              // [count]
    size_t               count;
    bool                 known;  // the distribution of every factor is
    Chaos                chaos;
} Fit;

// Fits an expansion to the table's output at its row of the study. Sets the table's tally, mean, deviation and quality;
// its trouble where there are too few points, the output is constant, or the expansion explains less than
// CHAOS_LEAST_Q2.
// Errors: those of study_scan() and chaos_make().
bool fit_make(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Fit *fit, Error *err);
void fit_free(Fit *fit);
