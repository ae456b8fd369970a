// correlation -- how far two outputs of a study rise together, over the points that have a number of both.
//
// Pearson's coefficient is of the numbers, Spearman's of their ranks, of which equal numbers share the middle one. Of
// more points than CORRELATION_POINTS the first are taken of a random design, whose beginning is a design too, and of
// other points every n-th.
#pragma once

#include "analysis/distribution/spread.h"

enum { CORRELATION_POINTS = 1 << 20, CORRELATION_NUMBERS = 1 << 23 };

typedef struct Correlation {
    const StudyOutput *first, *second;
    uint64_t           points;             // that have both numbers
    IntervalEstimate   pearson, spearman;  // NaN: an output is constant, or has too few numbers
} Correlation;

// All pairs of outputs at one row of a study.
typedef struct Correlations {
    const Study  *study;
    uint64_t      row;
    StudyOutput **outputs;  // [output_count]
    size_t        output_count;
    Correlation  *pairs;   // [output_count (output_count - 1) / 2]: 0-1, 0-2, .., 1-2, ..
    uint64_t      points;  // that were taken
} Correlations;

// Finds the correlations of each row.
//   see  called with each, which is valid during the call
// Errors: those of spread_find(); ERROR_USAGE (fewer than two outputs, or too many).
typedef bool CorrelationSee(const Correlations *found, void *user, Error *err);
bool         correlation_find(const SpreadRequest *request, Study *study, CorrelationSee *see, void *user, Error *err);

// The place of a pair, first < second.
size_t correlation_pair(const Correlations *found, size_t first, size_t second);

// Pearson's coefficient of x[count] and y[count]; NaN where either is constant.
double correlation_of(const double *x, const double *y, size_t count);

// Ranks of numbers[count], which are finite: ranks[count] from 1 on, equal numbers with the mean of theirs.
//   order  [count] room
void correlation_rank(const double *numbers, size_t count, size_t *order, double *ranks);
