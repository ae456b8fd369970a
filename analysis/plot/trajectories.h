// trajectories -- trajectories that are drawn: their choice, their labels and their numbers.
//
// Where several groups share an axis along which more than one trajectory is stored, its values make the columns of the
// picture, and groups are lines; where they do not, a group is a column, and the values of its own axis are lines. The
// values of a lone group are lines.
#pragma once

#include "analysis/plot/plot_fields.h"

enum { PLOT_MOST_COLUMNS = 6, PLOT_MOST_LINES = 16, PLOT_MOST_CURVES = PLOT_MOST_COLUMNS * PLOT_MOST_LINES };

typedef struct PlotCurve {
    const PlotGroup     *group;
    const StoreVariable *variable;  // any of its fields: they have the same dimensions before the samples
    size_t               rank;      // how many these are
    size_t               column;
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
    FigureRange     time;                           // shown of all curves
    const PlotFile *file;
} Trajectories;

// Chooses the curves.
//   trajectories  zeroed
void trajectories_choose(const PlotFile *file, Trajectories *trajectories);

// Reads the numbers of all curves and finds the samples between two times.
//   to     0: the end
//   arena  owns the numbers
// Errors: ERROR_INPUT, ERROR_USAGE (no sample lies between), ERROR_INTERNAL.
bool trajectories_read(Trajectories *trajectories, const PlotFields *fields, double from, double to, Arena *arena,
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

// Which of the lines in its column a curve is.
size_t trajectories_line(const Trajectories *trajectories, size_t curve);
