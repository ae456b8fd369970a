// plot -- pictures of a result file: metrics over the axes, samples, trajectories, and one metric over another.
//
// Every picture is drawn by gnuplot from a script that holds its data, STEM_map_updates.gp for STEM_map_updates.png and
// STEM_map_updates.svg. The script stays beside them and can be changed and run again. A picture's name gives its
// contents: its kind and its metric, STEM_map_METRIC; STEM_curves where curves of all metrics are drawn; of
// trajectories and phase portraits the fields and the coordinates asked for, STEM_trajectory_FIELD_FIELD,
// STEM_phase_COORDINATE.
#pragma once

#include "base/outputs.h"
#include "terminal/coordinates.h"

// The kinds, with their makers and their words: of --kind, and in names of pictures.
#define PLOT_MAKERS(X)                                         \
    X(MAP, plot_map, "map")                                    \
    X(CURVES, plot_curves, "curves")                           \
    X(TRAJECTORY, plot_trajectory, "trajectory")               \
    X(SCATTER, plot_scatter, "scatter")                        \
    X(BIFURCATION, plot_bifurcation, "bifurcation")            \
    X(CONVERGENCE, plot_convergence, "convergence")            \
    X(WORK_PRECISION, plot_convergence_work, "work-precision") \
    X(PHASE, plot_phase, "phase")
#define PLOT_KIND(NAME, maker, word) PLOT_##NAME,
typedef enum PlotKind { PLOT_ALL, PLOT_MAKERS(PLOT_KIND) PLOT_KINDS } PlotKind;
#undef PLOT_KIND
extern const char *const plot_kind_names[PLOT_KINDS];
typedef enum PlotScale { PLOT_SCALE_CHOSEN, PLOT_SCALE_LINEAR, PLOT_SCALE_LOG } PlotScale;

enum { PLOT_ROWS = 8 };  // panels above each other, and fields that can be asked for

// The points drawn, and the axes of the picture.
typedef struct PlotView {
    const char *x;          // axis along x, of a scatter also a metric; NULL: chosen
    const char *y;          // axis along y of a map, metric of the work of a work-precision plot; NULL: chosen
    const char *family;     // axis of which each value has a curve; NULL: none
    const char *component;  // coordinate of a vector, "0" or by its name; of a phase portrait "A,B" too
    Coordinates at;         // where other axes stand, at the nearest value; unnamed axes at their middle
} PlotView;

typedef struct PlotRequest {
    const char *path;     // of the result file
    Outputs     outputs;  // of which path is an input
    const char *stem;     // pictures are STEM_KIND_METRIC.png; NULL: the result file's path without .h5
    const char *metric;   // NULL: the kind's choice; of maps and curves updates per step, else the first metric
    PlotKind
        kind;  // all: a map where a group has two axes, else curves where one has an axis, and the stored trajectories
    PlotView          view;
    double            x_limits[2], y_limits[2];  // parts of the axes of the picture; equal ends: not limited
    PlotScale         scale;                     // of the values: colours of a map, else along y
    const char       *title;                     // NULL: the file's
    unsigned          formats;                   // of FIGURE_PNG, ...; 0: PNG and SVG
    const char       *fields[PLOT_ROWS];  // [field_count] of trajectories: stored fields, or coordinates of one: x, v1
    size_t            field_count;        // 0: all that are stored, as far as there is room
    double            from, to;           // times shown of trajectories and phase portraits; to 0: the end
    struct FigureSvg *svg;                // of plot_svg()
} PlotRequest;

// Draws.
//   said   files, counts of points and ranges are added, line by line; free it also after a failure
//   notes  nearest values taken and checks of the file left out are added, likewise
// Errors: ERROR_IO (files, none of which is made where one is to stay; gnuplot is not installed), ERROR_INPUT (not a
// result file, damaged), ERROR_USAGE (no such metric, axis, coordinate or field; no time between from and to; nothing
// to draw of the kind asked for), ERROR_INTERNAL.
bool plot_draw(const PlotRequest *request, Text *said, Text *notes, Error *err);

// Draws a single picture into the request's `svg`: that of the metric, a map where a group has two axes, else curves;
// or that of the trajectories, where the kind says so. The stem names gnuplot's files in the folder.
// The file's blocks are not checked: that is for the caller.
//   drawn  written: false where no group has such a picture
// Errors: as plot_draw().
bool plot_svg(const PlotRequest *request, bool *drawn, Text *said, Error *err);
