// plot -- pictures of a result file: maps and curves of a metric over the axes, and trajectories over time.
//
// Every picture is drawn by gnuplot from a script that holds its data, STEM_map_updates.gp for STEM_map_updates.png and
// STEM_map_updates.svg. The script stays beside them and can be changed and run again. A picture's name says what it
// shows: a map's its metric, STEM_map_METRIC; that of curves the metric asked for, STEM_curves_METRIC, or STEM_curves
// where all are drawn; that of trajectories the fields asked for, STEM_trajectory_FIELD_FIELD, or STEM_trajectory.
#pragma once

#include "base/outputs.h"

typedef enum PlotKind { PLOT_ALL, PLOT_MAP, PLOT_CURVES, PLOT_TRAJECTORY, PLOT_KINDS } PlotKind;
typedef enum PlotScale { PLOT_SCALE_CHOSEN, PLOT_SCALE_LINEAR, PLOT_SCALE_LOG } PlotScale;

enum { PLOT_ROWS = 8 };  // panels above each other, and fields that can be asked for

typedef struct PlotRequest {
    const char *path;     // of the result file
    Outputs     outputs;  // of which path is an input
    const char *stem;     // pictures are STEM_KIND_METRIC.png; NULL: the result file's path without .h5
    const char *metric;   // of map and curves; NULL: updates per step, else the first metric there is
    PlotKind
        kind;  // all: a map where a group has two axes, else curves where one has an axis, and the stored trajectories
    // What follows is for trajectories alone; kind is PLOT_TRAJECTORY where it is given.
    const char       *fields[PLOT_ROWS];  // [field_count] stored fields, or coordinates of one: energy, x, x0, v1
    size_t            field_count;        // 0: all that are stored, as far as there is room
    PlotScale         scale;     // of the values; chosen: logarithmic for error, condition and energy that span much
    double            from, to;  // times shown; to 0: the end
    struct FigureSvg *svg;       // of plot_svg()
} PlotRequest;

// Draws.
//   said  what was written and what is to be seen is added, line by line; free it also after a failure
// Errors: ERROR_IO (files, none of which is made where one is to stay; gnuplot is not installed), ERROR_INPUT (not a
// result file, damaged), ERROR_USAGE (no such metric or field; no time between from and to; nothing to draw of the kind
// asked for), ERROR_INTERNAL.
bool plot_draw(const PlotRequest *request, Text *said, Error *err);

// Draws a single picture into the request's `svg`: that of the metric, a map where a group has two axes, else curves;
// or that of the trajectories, where the kind says so. The stem names gnuplot's files in the folder.
// The file's blocks are not checked: that is for the caller.
//   drawn  written: false where no group has such a picture
// Errors: as plot_draw().
bool plot_svg(const PlotRequest *request, bool *drawn, Text *said, Error *err);
