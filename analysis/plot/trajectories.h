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

typedef struct PlotCurve {
    const PlotGroup     *group;
    const StoreVariable *variable;  // any of its fields: they have the same dimensions before the samples
    size_t               rank;      // how many these are
    size_t               column, line;
    uint64_t             index[STORE_READ_RANK];  // [rank]
    size_t               varied;                  // the dimension of columns or lines; rank where there is none
    size_t               samples;
    double              *time;         // [samples]
    double              *numbers;      // [row->number][samples]; NaN for a field or coordinate that the group lacks
    size_t               first, last;  // samples that are shown; `last` is behind them
} PlotCurve;

typedef struct PlotPanel {
    bool        filled;  // some curve has a number
    bool        logarithmic;
    FigureRange range;     // of its values
    size_t      beyond;    // curves that leave the scale, since they are a thousand times as large as most
    double      furthest;  // the largest magnitude among these
} PlotPanel;

// A field, or one coordinate of it, and its row of panels.
typedef struct PlotRow {
    const StoreVariable *variable;  // of a group that has it; others have theirs under the same name
    bool                 per_dof;
    size_t               coordinate;    // where per_dof
    const char          *name, *label;  // "x0"; "condition number", or the problem's name for the coordinate
    const char          *unit;
    bool                 settles, spans;  // as Field has it
    size_t               number;          // of the field among the fields read
    bool                 zoomed;          // its time ends before the others', where it has settled
    FigureRange          time;            // shown
    unsigned             down;            // pixels below the first row
    PlotPanel            panels[PLOT_MOST_COLUMNS];
} PlotRow;

// A picture over time. The caller fills the first part; the figure owns its memory.
typedef struct Trajectories {
    const PlotFile    *file;
    const PlotRequest *request;
    Figure            *figure;

    PlotRow     rows[PLOT_ROWS];
    size_t      row_count, fields_left;  // fields stored, and fields there is no room for
    PlotCurve   curves[PLOT_MOST_CURVES];
    size_t      count, column_count, left_out;  // groups left out
    const char *shared;                         // the axis that makes the columns, or NULL
    bool        apart;                          // columns are groups
    bool        above;                          // a group's name stands above its column: all lines are its own
    FigureRange time;                           // shown of all curves
    size_t      last[PLOT_MOST_COLUMNS];        // row of a column with a panel; row_count where there is none
    size_t      lines[PLOT_MOST_COLUMNS];       // curves of a column
    const char *titles[PLOT_MOST_COLUMNS];
} Trajectories;

// The first field of a group, or NULL; whether it has one; and the first group that has one. Some group does.
const StoreVariable *plot_fields_first(const PlotGroup *group);
bool                 plot_fields_stored(const PlotGroup *group);
const PlotGroup     *plot_fields_group(const PlotFile *file);

// How many dimensions stand before the samples.
size_t plot_fields_rank(const StoreVariable *variable);

// Makes a row of each field that the request asks for, or of the fields of the file in their order: of coordinates and
// velocities the first three each. Some group stores a field.
// Errors: ERROR_USAGE (a field that is unknown, or not stored; a coordinate there is none of), ERROR_INTERNAL.
bool plot_fields_choose(Trajectories *picture, Error *err);

// Chooses the curves: along the request's family, else along the first axis with several values. Other axes stand where
// the view says, else at their middle.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool trajectories_choose(Trajectories *picture, Error *err);

// Reads the numbers of all curves and finds the samples between the times of the request.
// Errors: ERROR_INPUT, ERROR_USAGE (no sample lies between), ERROR_INTERNAL.
bool trajectories_read(Trajectories *picture, Error *err);

// The numbers of a row of a curve, [curve->samples], and the range of them among some samples.
const double *trajectories_numbers(const PlotCurve *curve, const PlotRow *row);
FigureRange   trajectories_range(const PlotCurve *curve, const PlotRow *row, size_t first, size_t last);

// The name of a curve: its group and where all its axes stand; or the part of it in the legend, or the part above its
// column. These two together are all of it. The figure's arena owns it.
// Errors: NULL with ERROR_INPUT, ERROR_INTERNAL.
typedef enum TrajectoryWords { TRAJECTORY_WHOLE, TRAJECTORY_LEGEND, TRAJECTORY_TITLE } TrajectoryWords;
const char *trajectories_name(const Trajectories *picture, const PlotCurve *curve, TrajectoryWords words, Error *err);
