// measurements -- measured values of a CSV file: at a time, under a condition, of a quantity of a sweep.
//
//     t,x,x_sigma,force
//     0.5,0.82,0.01,1
//     0.5,0.41,,2
//
// The column `t` or `time` is the time. A column with the name of an axis of the sweep says under which value of it a
// line was measured: its condition. A column NAME_sigma is the standard deviation of the values of NAME. All others are
// quantities: a coordinate, a velocity, energy, kinetic, slow, fast or one of `observe:`. A quantity has an empty
// field, or nan, where it was not measured.
#pragma once

#include "plan/plan.h"

enum {
    MEASUREMENTS_QUANTITIES = 32,
    MEASUREMENTS_CONDITIONS = 4096,
    MEASUREMENTS_TIMES = 4096,
    MEASUREMENTS_MOST = 1 << 20
};

typedef struct MeasuredQuantity {
    const char *name;
    const char *field;      // of a trajectory, where it is
    size_t      component;  // of it
    size_t      column;     // of the file
    size_t      sigma;      // column of standard deviations; SIZE_MAX: none
} MeasuredQuantity;

// A measured value.
typedef struct MeasuredValue {
    size_t   quantity, condition, time;  // numbers
    double   value, sigma;               // 1 where no column gives it
    uint64_t line;
} MeasuredValue;

// Release with measurements_free().
typedef struct Measurements {
    const char       *path;  // borrowed
    MeasuredQuantity *quantities;
    size_t            quantity_count;
    const char      **axes;          // [axis_count] by their names: what conditions are of
    size_t           *axis_columns;  // [axis_count]
    size_t            axis_count;
    double           *conditions;  // [condition_count][axis_count] in the order of their first lines
    size_t            condition_count;
    double           *times;  // [time_count] ascending
    size_t            time_count;
    MeasuredValue    *list;
    size_t            count;
    size_t            gaps;      // fields of quantities without a number
    bool              weighted;  // there is a column of standard deviations
    Arena             arena;
} Measurements;

// Reads a file for a plan, whose first group has the quantities and the axes.
//   columns  [column_count] the only ones that are read; none: all
// Errors: those of csv_open() and csv_next(); ERROR_INPUT (no time, a column that is nothing of the sweep, no quantity,
// nothing measured, a value that its axis has not, a deviation that is not positive, values that have no squares, a
// time out of the run, too many; names the line), ERROR_INTERNAL.
bool measurements_read(const char *path, const char *const *columns, size_t column_count, const Plan *plan,
                       Measurements *data, Error *err);

// The number of an axis among those of the conditions; axis_count where it is none of them.
size_t measurements_axis(const Measurements *data, const char *name);
void   measurements_free(Measurements *data);
