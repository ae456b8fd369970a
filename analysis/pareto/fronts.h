// fronts -- fronts, knees, and the value of a decision over all problems, from lists of points.
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { FRONT_OBJECTIVES = 4 };

typedef struct FrontPoint {
    double   values[FRONT_OBJECTIVES];  // 0 where there are fewer objectives
    uint64_t point;                     // in its group; of a decision, one of its points
    uint32_t problem, group, decision;
    bool     knee;
} FrontPoint;

// A growing array. Zero-initialise it; release with fronts_free().
typedef struct FrontList {
    FrontPoint *items;  // [count]; owned
    size_t      count, room;
    size_t      limit;  // of count, at which fronts_offer() reduces
} FrontList;

void fronts_free(FrontList *list);

// Adds a point. Errors: ERROR_INTERNAL (memory).
bool fronts_add(FrontList *list, const FrontPoint *point, Error *err);

// Adds a point to a list that is reduced whenever it has doubled: n points take O(n log n) steps with two objectives,
// with more as many comparisons as n times the front at worst, and memory for twice the front.
// Errors: ERROR_INTERNAL (memory).
bool fronts_offer(FrontList *list, const FrontPoint *point, size_t objectives, Error *err);

// Adds a point to a list of at most `most`, in which each of the `seen` points, this one included, is as likely as any
// other. Errors: ERROR_INTERNAL (memory).
bool fronts_sample(FrontList *list, size_t most, uint64_t seen, const FrontPoint *point, Error *err);

// Sorts by problem, then by the objectives in turn, then by group and point, and leaves out the points that another of
// the same problem dominates: none greater, one less. Values are finite.
void fronts_reduce(FrontList *list, size_t objectives);

// Finds which points no other of a table dominates; a point with a number that is not finite is not on the front.
//   values  [count][objectives], objectives <= FRONT_OBJECTIVES; count < 2^64
//   on      [count] written
// Errors: ERROR_INTERNAL (memory).
bool fronts_of(const double *values, size_t count, size_t objectives, bool *on, Error *err);

// Marks the knee of each problem's front of two objectives: the point furthest below the chord between the front's
// ends, on logarithmic scales, but for an objective that is not positive everywhere on it. A front that nowhere lies
// below its chord has none.
void fronts_find_knees(FrontList *list);

// The points of each decision become one: their median or their maximum in each objective, NaN where the decision was
// not tried on every problem. Values may be infinite. Errors: ERROR_INTERNAL (memory).
bool fronts_judge(FrontList *list, size_t objectives, bool worst, size_t problem_count, Error *err);
