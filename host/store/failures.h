// failures -- where on an axis points failed: computed and failed points of each value, or of parts of the axis.
#pragma once

#include "store/points.h"

enum { FAILURES_PARTS = 8, FAILURES_MOST = 2 * FAILURES_PARTS };

typedef struct Failures {
    const PointsAxis *axis;
    size_t            count;  // of parts, at most FAILURES_MOST
    bool              each;   // a part for each value; else several values, or an equal part of the range of a factor
    double            low[FAILURES_MOST], high[FAILURES_MOST];         // least and largest value of a part
    uint64_t          computed[FAILURES_MOST], failed[FAILURES_MOST];  // points
} Failures;

// Counts the points along an axis; points that are not computed yet do not count.
//   failures  written
// Errors: those of points_scan() and points_read_axis().
bool failures_count(const Points *points, const PointsAxis *axis, Failures *failures, Error *err);
