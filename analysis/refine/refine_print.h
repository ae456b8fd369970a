// refine_print -- boundaries as text and as records, and the points that were run.
#pragma once

#include "analysis/refine/refine.h"
#include "terminal/table.h"

// Adds the results of the groups: in text a summary and, along one axis, the intervals; in csv and json a record for
// each cell of the boundary.
//   refinements  [count]
// Errors: ERROR_INTERNAL (memory).
bool refine_print(const Refinement *refinements, size_t count, Format format, Text *text, Error *err);

// The points that were run, as records of CSV: label, every axis of some group, the class, the status, and every metric
// of some group that has one number a point.
typedef struct RefinePoints {
    Text text;
    Text class;  // of the record that is added
    Table table;
    Arena arena;
} RefinePoints;

// Begins the records.
//   groups  [count]
//   points  zeroed; it must stay where it is
// Errors: ERROR_INTERNAL (memory).
bool refine_points_begin(RefinePoints *points, const Group *groups, size_t count, Error *err);
void refine_points_add(RefinePoints *points, const RefineSeen *seen);
void refine_points_free(RefinePoints *points);
