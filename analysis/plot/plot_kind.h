// plot_kind -- the kinds of pictures, and their data in a result file: its groups, a metric, slices of the points.
#pragma once

#include "analysis/plot/figure.h"
#include "analysis/plot/plot.h"
#include "store/points.h"

// The values drawn of a group: a metric, one component of it, or its quotient by the number of steps.
typedef struct PlotMetric {
    const StoreVariable *variable;  // NULL: the group has none of that name
    bool                 per_step;
    size_t               component;  // of a variable with a number for each degree of freedom; else 0
    const char          *name, *unit;
} PlotMetric;

typedef struct PlotGroup {
    Points          points;
    PlotMetric      metric;
    const PlotView *view;
    uint64_t        counts[POINTS_COUNTS];
} PlotGroup;

typedef struct PlotFile {
    StoreFile   file;
    PlotGroup  *groups;  // [group_count]; owned
    size_t      group_count;
    const char *metric;  // as it is asked for; borrowed
    char       *title;   // owned
    Arena       arena;
} PlotFile;

// Opens the result file of a request.
//   request  borrowed: its view is that of the groups
//   trusted  its blocks were checked already; else a damaged one is refused
//   file     zeroed; release with plot_file_close(), also after a failure
// Errors: ERROR_IO, ERROR_INPUT, ERROR_INTERNAL.
bool plot_file_open(const PlotRequest *request, bool trusted, PlotFile *file, Error *err);
void plot_file_close(PlotFile *file);

// Refuses names of the view that no axis of any group has.
//   axes  x and y are axes, not metrics
// Errors: ERROR_USAGE.
bool plot_file_check(const PlotFile *file, const PlotView *view, bool axes, Error *err);

// The metrics among which a kind chooses.
typedef enum PlotChoice {
    PLOT_NO_METRIC,  // it draws none
    PLOT_METRIC,     // one number per point: updates per step, else the file's first metric, else the status
    PLOT_ERROR,      // the same: the error at the end, else the largest one
    PLOT_SAMPLES     // metrics with samples: the first
} PlotChoice;

// Chooses the metric of every group: the one that the request asks for, else the first of the choice that a group has.
// It is "NAME", or "NAME[COORDINATE]" of a metric with a number for each degree of freedom.
// Errors: ERROR_USAGE (no group has it; it has several numbers and none of them is asked for), ERROR_INTERNAL.
bool plot_file_choose(PlotFile *file, const PlotRequest *request, PlotChoice choice, Error *err);

// Finds a metric of a group, as it is asked for; its variable is NULL where the group has none.
//   arena  owns its name
// Errors: as plot_file_choose().
bool plot_file_metric(const PlotFile *file, const PlotGroup *group, const char *asked, bool sampled, Arena *arena,
                      PlotMetric *metric, Error *err);

// The number of a coordinate of so many: by its name, that of its velocity, or number; `dofs` where there is none.
size_t plot_file_coordinate(const PlotGroup *group, const char *name, size_t dofs);

// The axis of that name of a group; NULL: none.
const PointsAxis *plot_file_axis(const PlotGroup *group, const char *name);

// The index along a dimension where the view has it stand.
size_t plot_file_place_of(const PlotGroup *group, size_t dim);

// A number of the metric's variable, as drawn.
double plot_file_value(const Points *points, const PlotMetric *metric, uint64_t point, double number);

// Adds "step = 0.05, eps = 0.001" for the axes of a point, without axes that have show[axis] false. NULL: all.
void plot_file_place(Text *text, const Points *points, uint64_t point, const bool *show);

// The part of a group that a curve or a map shows: some dimensions whole, the others at one index.
typedef struct PlotSlice {
    const PlotGroup  *group;
    const PointsAxis *axes[2];  // whole: one of each dimension
    size_t            axis_count;
    size_t            place[STORE_READ_RANK];  // index along each dimension that is not whole
    size_t            count;                   // points
    double           *status, *values;         // [count], the last axis fastest; a value is NaN where a point is not ok
} PlotSlice;

// The range of values that a scale shows. A few that blew up leave room for the others: at most one value in fifty at
// either end, and one in any case where there are eight or more, is beyond the scale, where it would stretch the scale
// of the others tenfold or, where all values are positive and span enough for a logarithmic scale, would double its
// decades and add two or more.
typedef struct PlotClip {
    double low, high;      // that the scale shows; low > high: nothing is shown
    bool   logarithmic;    // whether a logarithmic scale suits these values
    double least, most;    // of all values
    size_t count, beyond;  // of the values, and of values that the scale does not show
} PlotClip;

// Finds the range of values, which are sorted by that.
PlotClip plot_slice_clip(double *values, size_t count);

// Finds the slice of a group with at most so many axes: the axes that its view names, else the first ones. Its numbers
// are to be read.
PlotSlice plot_slice_find(const PlotGroup *group, size_t most);

// The line of a slice along its first axis, where the second one stands at an index.
PlotSlice plot_slice_line(const PlotSlice *slice, size_t second);

// The point of a slice that has that number.
uint64_t plot_slice_point(const PlotSlice *slice, size_t number);

// Reads a metric of a slice. Its variable is looked up by its name; values are NaN where the group has none of it.
// Values of the status itself include points that are not ok.
//   slice  its numbers are written, owned by the arena
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_slice_fill(PlotSlice *slice, const PlotMetric *metric, Arena *arena, Error *err);

// The part of a variable that a slice takes of a metric.
//   start, count  [STORE_READ_RANK] written; the last one used is that of the component
void plot_slice_part(const PlotSlice *slice, const PlotMetric *metric, uint64_t *start, uint64_t *count);

// A run of cells of a slice along one of its axes.
typedef struct PlotRun {
    size_t        places[2];        // of the first one along each axis
    size_t        along;            // the axis along which the others follow
    size_t        count;            // cells
    const double *status, *values;  // [count] as in a slice
} PlotRun;
typedef void PlotSee(const PlotRun *run, void *user);

// Shows a metric of a slice run by run, in the order of the file. It takes memory for a million numbers at most,
// however many the slice has.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_slice_scan(const PlotSlice *slice, const PlotMetric *metric, PlotSee *see, void *user, Error *err);

// The cells of a curve that are drawn: all, or of many the least and the greatest one of each block, in their order.
typedef struct PlotPicks {
    size_t *cells;   // [count] owned by an arena
    double *values;  // [count] likewise
    size_t  count;
    size_t  each;  // cells of a block; 1: all are drawn
} PlotPicks;

// Reads the cells of a slice with one axis or none that are drawn, as plot_slice_fill() reads all.
//   spread  they are in no order: the first cell of each block stands for it
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_picks_read(const PlotSlice *slice, const PlotMetric *metric, bool spread, Arena *arena, PlotPicks *picks,
                     Error *err);

// Adds a line on the cells that picks leave out, or nothing where all are drawn.
void plot_picks_say(Text *notes, const PlotPicks *picks, const char *label, bool spread);

// Adds the values of a slice's axes that are not whole and have at least so many values.
//   before  the text in front, where there are such axes
void plot_slice_rest(Text *text, const char *before, const PlotSlice *slice, size_t least);

// Adds a line on the values beyond the scale of `name`, or nothing where all are shown.
//   what  the name of the elements with these values: "points"
void plot_slice_say(Text *notes, const PlotClip *clip, const char *name, const char *what);

// Each kind is a file that adds the script of a picture, and an entry of plot.c's table.
typedef struct PlotMaker {
    const char *lacks;  // the message where no group has one
    bool (*possible)(const PlotGroup *group);

    PlotChoice choice;  // of its metric, before anything else is asked

    // Adds the script of the picture, from its data to its last panel, where it is possible for some group. Notes of
    // the figure stand on the picture and are printed; `said` is printed with its name.
    // Errors: ERROR_INPUT, ERROR_USAGE (nothing to draw), ERROR_INTERNAL.
    bool (*add)(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err);
} PlotMaker;

// Notes that a group is not drawn, since it lacks something.
void plot_kind_lack(Figure *figure, const PlotGroup *group, const char *what);

// k-th of `count` indices spread over 0 .. length - 1, both ends included.
size_t plot_kind_spread(size_t length, size_t count, size_t k);

// A metric over two axes, one panel per group. A group with one axis or none is a strip or a cell, and one without the
// metric shows how its points ended.
extern const PlotMaker plot_map;

// Metrics over one axis, one line per group: the file's metric and, unless only that one was asked for, the next few.
// With a family the metric alone: a panel per group, a line per value.
extern const PlotMaker plot_curves;

// Stored trajectories over time: a row of panels for every field or coordinate. A line is said for every trajectory
// drawn: how far coordinates range in the first and last quarter of the time shown, and the greatest size of other
// fields.
extern const PlotMaker plot_trajectory;

// One number of each point over another, a metric or an axis.
extern const PlotMaker plot_scatter;

// Samples of a metric over an axis, a panel per group: of a Poincare map it is the bifurcation diagram.
extern const PlotMaker plot_bifurcation;

// An error over the step, a curve per method, with triangles of their slopes; and the work over the error.
extern const PlotMaker plot_convergence, plot_convergence_work;

// A velocity over its coordinate, or one coordinate over another, of stored trajectories.
extern const PlotMaker plot_phase;
