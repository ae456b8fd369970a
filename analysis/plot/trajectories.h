// trajectories -- pictures over time: the fields that are drawn, the trajectories, and the rows of panels.
//
// Whatever has a dimension `sample` is a field. Those that the sweep grammar knows have a label and habits of their
// own; any other is drawn under its name.
//
// Where several groups share an axis along which more than one trajectory is stored, its values make the columns of the
// picture, and groups are lines; where they do not, a group is a column, and the values of its own axis are lines. The
// values of a lone group are lines.
#pragma once

#include "analysis/plot/plot_kind.h"

enum { PLOT_MOST_COLUMNS = 6, PLOT_MOST_LINES = 16, PLOT_MOST_CURVES = PLOT_MOST_COLUMNS * PLOT_MOST_LINES };

// A field, or one coordinate of it.
typedef struct PlotField {
    const StoreVariable *variable;  // of a group that has it; others have theirs under the same name
    bool                 per_dof;
    size_t               coordinate;      // where per_dof
    const char          *name, *label;    // "x0"; "condition number"
    bool                 settles, spans;  // as Field has it
} PlotField;

typedef struct PlotFields {
    PlotField items[PLOT_ROWS];
    size_t    count;
    size_t    left_out;  // stored, and beyond what there is room for
} PlotFields;

typedef struct PlotCurve {
    const PlotGroup     *group;
    const StoreVariable *variable;  // any of its fields: they have the same dimensions before the samples
    size_t               rank;      // how many these are
    size_t               column, line;
    uint64_t             index[STORE_READ_RANK];  // [rank]
    size_t               varied;                  // the dimension of columns or lines; rank where there is none
    size_t               samples;
    double              *time;         // [samples]
    double              *numbers;      // [fields][samples]; NaN for a field or coordinate that the group lacks
    size_t               first, last;  // samples that are shown; `last` is behind them
} PlotCurve;

typedef struct Trajectories {
    PlotCurve       curves[PLOT_MOST_CURVES];
    size_t          count, column_count, left_out;  // groups left out
    const char     *shared;                         // the axis that makes the columns, or NULL
    bool            apart;                          // columns are groups
    bool            above;                          // a group's name stands above its column: all lines are its own
    FigureRange     time;                           // shown of all curves
    const PlotFile *file;
} Trajectories;

typedef struct PlotPanel {
    bool        filled;  // some curve has a number
    bool        logarithmic;
    FigureRange range;     // of its values
    size_t      beyond;    // curves that leave the scale, since they are a thousand times as large as most
    double      furthest;  // the largest magnitude among these
} PlotPanel;

typedef struct PlotRow {
    const PlotField *field;
    size_t           number;  // of the field among those read
    bool             zoomed;  // its time ends before that of the others, where it has settled
    FigureRange      time;    // shown
    PlotPanel        panels[PLOT_MOST_COLUMNS];
} PlotRow;

// The first field of a group, or NULL.
const StoreVariable *plot_fields_first(const PlotGroup *group);

// How many dimensions stand before the samples.
size_t plot_fields_rank(const StoreVariable *variable);

// Chooses what the request asks for, or the fields of the file in their order: of coordinates and velocities the first
// three each. Some group stores a field.
//   fields  zeroed
// Errors: ERROR_USAGE (a field that is unknown, or not stored; a coordinate there is none of), ERROR_INTERNAL.
bool plot_fields_choose(const PlotFile *file, const PlotRequest *request, PlotFields *fields, Arena *arena, Error *err);

// Chooses the curves.
//   trajectories  zeroed
void trajectories_choose(const PlotFile *file, Trajectories *trajectories);

// Reads the numbers of all curves and finds the samples between the times of the request.
//   arena  owns the numbers
// Errors: ERROR_INPUT, ERROR_USAGE (no sample lies between), ERROR_INTERNAL.
bool trajectories_read(Trajectories *trajectories, const PlotFields *fields, const PlotRequest *request, Arena *arena,
                       Error *err);

// The numbers of a field of a curve, [curve->samples], and the range of them among some samples.
const double *trajectories_numbers(const PlotCurve *curve, size_t field);
FigureRange   trajectories_range(const PlotCurve *curve, size_t field, size_t first, size_t last);

// Adds what a curve is: its group and where all its axes stand; or what of this the legend calls it, or what stands
// above its column. These two together are all of it.
// Errors: ERROR_INPUT.
typedef enum TrajectoryWords { TRAJECTORY_WHOLE, TRAJECTORY_LEGEND, TRAJECTORY_TITLE } TrajectoryWords;
bool trajectories_name(const Trajectories *trajectories, const PlotCurve *curve, TrajectoryWords words, Text *text,
                       Error *err);

// Finds the rows that have something to show. One without any number is left out, as the condition number is where no
// method needs Newton's.
//   rows  written; [fields->count], of which `count` are filled
// Errors: ERROR_USAGE (none has a number).
bool plot_rows_find(const Trajectories *trajectories, const PlotFields *fields, const PlotRequest *request,
                    PlotRow *rows, size_t *count, Error *err);
