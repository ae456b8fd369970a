// spread -- how an output of a result file is distributed over the points of a design.
//
//   mean, deviation   with intervals by Student's t and the fourth moment
//   quantiles         with intervals between order statistics
//   P(output > V)     with intervals by Clopper and Pearson
//
// There is a spread for each output and each cell: of a random design a node of the grid around it; of other points all
// together, or those at one value of the axes that the request names. Over time there is one for each sample.
//
// Numbers are read in the order of the file. Of more than are kept in memory they are read once, and four to sixteen
// times more for the quantiles, by the number of cells and samples: memory does not grow with the points.
#pragma once

#include "analysis/distribution/density.h"
#include "analysis/distribution/interval.h"
#include "analysis/sensitivity/study.h"
#include "terminal/options.h"

typedef enum SpreadFailed {
    SPREAD_DROP,    // a point that failed, or has no number, does not count
    SPREAD_WORST,   // it is larger than every number: there are no mean and no deviation
    SPREAD_REFUSE,  // it is an error
    SPREAD_RULES
} SpreadFailed;
extern const char *const spread_rules[SPREAD_RULES];  // "drop", ...

enum { SPREAD_QUANTILES = 64, SPREAD_ABOVE = 64, SPREAD_KEPT = 1 << 23 };

typedef struct SpreadRequest {
    const char *path;
    Words       metrics, labels;  // none: all
    Words       by;               // axes whose values make the cells of points that are no random design
    Numbers     quantiles;        // probabilities, ascending
    Numbers     above;            // values V of P(output > V)
    unsigned    failed;           // SpreadFailed
    unsigned    over;             // time; 0: nothing
    bool        correlation;
    bool        density;  // densities are wanted
    uint64_t    kept;     // numbers of an output that are kept in memory
} SpreadRequest;

typedef struct OutputSpread {
    const Study       *study;
    const StudyOutput *output;
    uint64_t           point;           // one of the cell
    double             time;            // NaN: over nothing
    uint64_t           points, failed;  // failed: another status than ok, or no finite number
    IntervalEstimate   mean, deviation;
    double             least, most;
    IntervalEstimate  *quantiles, *above;  // [request->quantiles.count], [request->above.count]
    DensityEstimate   *density;            // NULL: not wanted, or the output is constant
} OutputSpread;

// Refuses groups whose points are no sample of their factors, and axes that make no cells. Errors: ERROR_USAGE.
bool spread_check(const SpreadRequest *request, const Study *study, Error *err);

// Whether an axis of the study's points is one that cells lie along.
bool spread_is_around(const SpreadRequest *request, const Study *study, const PointsAxis *axis);

// Finds the spreads of a study, one by one: cell by cell, then over time.
//   see  called with each, whose arrays live as long as the call; the output as long as the study
// Errors: those of spread_check() and study_outputs(); ERROR_INPUT (a failed point that is refused; the file is
// damaged), ERROR_INTERNAL.
typedef bool SpreadSee(const OutputSpread *spread, void *user, Error *err);
bool         spread_find(const SpreadRequest *request, Study *study, SpreadSee *see, void *user, Error *err);

// Why numbers of the study may be more or less certain than their intervals say. Static text.
const char *spread_words(const Study *study);

// The points of a base sample that are a sample of the factors: of Saltelli's design those of A and B.
size_t spread_roles(const Study *study);

// Opens the groups that the request names. Errors: those of study_open() and spread_check().
//   studies  [file->group_count]; [*count] are open, also after a failure
bool spread_open(const SpreadRequest *request, const StoreFile *file, Study *studies, size_t *count, Error *err);
