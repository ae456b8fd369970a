// plot_file -- a result file as pictures read it: its groups, and the metric that is drawn.
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
