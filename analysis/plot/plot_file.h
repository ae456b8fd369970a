// plot_file -- a result file as pictures read it: its groups, the metric that is drawn, and slices of its points.
#pragma once

#include "store/points.h"
#include "base/text.h"

// What is drawn of a group: a metric, or its quotient by the number of steps.
typedef struct PlotMetric {
    const StoreVariable *variable;  // NULL: the group has none of that name
    bool                 per_step;
    const char          *name, *unit;
} PlotMetric;

typedef struct PlotGroup {
    Points     points;
    PlotMetric metric;
    uint64_t   counts[POINTS_COUNTS];
} PlotGroup;

typedef struct PlotFile {
    StoreFile   file;
    PlotGroup  *groups;  // [group_count]; owned
    size_t      group_count;
    const char *metric;  // as it is asked for; borrowed
    char       *title;   // owned
} PlotFile;

// Opens a result file and chooses the metric; NULL: the default.
//   file  zeroed; release with plot_file_close(), also after a failure
// Errors: ERROR_IO, ERROR_INPUT, ERROR_USAGE (no group has the metric), ERROR_INTERNAL.
bool plot_file_open(const char *path, const char *metric, PlotFile *file, Error *err);
void plot_file_close(PlotFile *file);

// A number of the metric's variable, as drawn.
double plot_file_value(const Points *points, const PlotMetric *metric, uint64_t point, double number);

// Adds "step = 0.05, eps = 0.001" for the axes of a point, but for those with show[axis] false. NULL: all.
void plot_file_place(Text *text, const Points *points, uint64_t point, const bool *show);

// The part of a group that a curve or a map shows: some axes whole, the others at their middle value. Of a zip it is
// all of its points.
typedef struct PlotSlice {
    const PlotGroup *group;
    size_t           axes[2], axis_count;  // whole: the first ones that have more than one value; of a zip at most one
    size_t           count;                // points
    double          *status, *values;      // [count], the last axis fastest; a value is NaN where a point is not ok
} PlotSlice;

// Finds the slice with at most so many axes. Its numbers are to be read.
PlotSlice plot_file_slice(const PlotGroup *group, size_t most);

// Reads the status and a metric, whose variable is looked up by its name in each group; all are NaN in one without it.
// Values of the status itself are also those of points that are not ok.
//   arena  owns the numbers
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_file_read(PlotSlice *slice, const PlotMetric *metric, Arena *arena, Error *err);

// Adds where those axes of a slice stand that are not whole and have at least so many values.
//   before  what stands in front, where there are some
void plot_file_rest(Text *text, const char *before, const PlotSlice *slice, size_t least);
