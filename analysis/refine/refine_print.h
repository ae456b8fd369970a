// refine_print -- boundaries as text, as records and as pictures, and the points that were run.
#pragma once

#include "analysis/plot/figure.h"
#include "analysis/refine/refine.h"
#include "terminal/table.h"

// Adds the results of the groups: in text a summary and, along one axis, the intervals; in csv and json a record for
// each cell of the boundary.
//   refinements  [count]
// Errors: ERROR_INTERNAL (memory).
bool refine_print(const Refinement *refinements, size_t count, Format format, Text *text, Error *err);

enum { REFINE_PANELS = 9 };

// Draws the cells of each chart, coloured by the class of their points, of the first REFINE_PANELS charts of the
// groups.
//   refinements  [count]
//   said         lines are added that are to be printed
// Errors: ERROR_USAGE (three axes are halved in the first group), those of figure_draw().
bool refine_plot(const Refinement *refinements, size_t count, const char *title, const char *stem,
                 const Outputs *outputs, Text *said, Error *err);

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
bool refine_print_begin(RefinePoints *points, const Group *groups, size_t count, Error *err);
void refine_print_add(RefinePoints *points, const RefineSeen *seen);
void refine_print_free(RefinePoints *points);
