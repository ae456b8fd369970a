// sample -- points of a study that are a random sample: an output at them, and the values of the factors.
//
// Of saltelli's design these are the matrices A and B, of the others all points. Of more points than are wanted the
// first are taken of a random design, whose beginning is a design too; of others every n-th.
#pragma once

#include "analysis/sensitivity/chaos.h"
#include "analysis/sensitivity/sensitivity.h"

typedef struct Sample {
    double  *y;       // [count]; NaN: the point does not count
    uint64_t stride;  // of base samples
    size_t   roles;   // of a base sample that are taken
    size_t   count, most;
} Sample;

// Takes at most about `most` points of the table's output at its row of the study; adds to its tally, and describes it.
// Errors: those of study_scan().
bool sample_take(const SensitivityRequest *request, SensitivityTable *table, uint64_t most, Arena *arena,
                 Sample *sample, Error *err);

// Reads the values x[sample->count] of a factor at these points. Errors: ERROR_INPUT, ERROR_INTERNAL.
bool sample_read_factor(const SensitivityTable *table, size_t factor, const Sample *sample, double *x, Error *err);

// The distribution of a factor; *known is false where the file has none.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool sample_read_distribution(const Study *study, size_t factor, Distribution *distribution, bool *known, Arena *arena,
                              Error *err);

// A polynomial chaos expansion of an output of a study. Zero-initialise it; sample_fit() fills it in, sample_fit_free()
// releases it. The arrays are the arena's.
typedef struct Fit {
    const Distribution **factors;        // [factor_count]: their distributions; NULL: not known
    Distribution        *distributions;  // [factor_count]
    double             **x;              // [factor_count][count]
    double              *y;              // [count]
    size_t               count;
    Chaos                chaos;
} Fit;

// Fits an expansion to the table's output at its row of the study. Sets the table's tally, mean, deviation and quality;
// its trouble where there are too few points, the output is constant, or the expansion explains less than
// CHAOS_LEAST_Q2.
// Errors: those of study_scan() and chaos_make().
bool sample_fit(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Fit *fit, Error *err);
void sample_fit_free(Fit *fit);

// Where a factor's values may lie: in its distribution, or without one between those of the points.
void sample_fit_range(const Fit *fit, size_t factor, double *least, double *most);
