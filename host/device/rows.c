// rows -- values of the parameter rows, in the program's precision.
#include "device/program.h"

#include "plan/breaks.h"
#include "plan/metric.h"

#include <math.h>

void rows_put(const Program *program, void *rows, size_t i, double value)
{
    if (program->number_bytes == sizeof(float))
        ((float *)rows)[i] = (float)value;
    else
        ((double *)rows)[i] = value;
}

void rows_put_whole(const Program *program, void *rows, size_t i, int64_t value)
{
    if (program->number_bytes == sizeof(float))
        ((int32_t *)rows)[i] = (int32_t)(value > INT32_MAX ? INT32_MAX : value);
    else
        ((int64_t *)rows)[i] = value;
}

double rows_value(const Program *program, const void *rows, size_t i)
{
    return program->number_bytes == sizeof(float) ? (double)((const float *)rows)[i] : ((const double *)rows)[i];
}

// The rows of `count` columns in the making.
typedef struct Filling {
    const Program *program;
    const Run     *run;
    size_t         count;
    void          *rows;
    bool          *alike;  // [rows] set: all columns have the number of the first, and only that is written; or NULL
} Filling;

// How many numbers of a row are written that has the same in all columns.
static size_t mark_alike(const Filling *filling, size_t row)
{
    if (filling->alike)
        filling->alike[row] = true;
    return filling->alike ? 1 : filling->count;
}

static void fill_row(const Filling *filling, size_t row, double value)
{
    const size_t count = mark_alike(filling, row);
    float       *floats = (float *)filling->rows + row * filling->count;
    double      *doubles = (double *)filling->rows + row * filling->count;
    if (filling->program->number_bytes == sizeof(float))
        for (size_t i = 0; i < count; ++i)
            floats[i] = (float)value;
    else
        for (size_t i = 0; i < count; ++i)
            doubles[i] = value;
}

static void fill_row_whole(const Filling *filling, size_t row, int64_t value)
{
    const size_t count = mark_alike(filling, row);
    for (size_t i = 0; i < count; ++i)
        rows_put_whole(filling->program, filling->rows, row * filling->count + i, value);
}

static void put(const Filling *filling, size_t row, size_t column, double value)
{
    rows_put(filling->program, filling->rows, row * filling->count + column, value);
}

static void put_whole(const Filling *filling, size_t row, size_t column, int64_t value)
{
    rows_put_whole(filling->program, filling->rows, row * filling->count + column, value);
}

// The group's point in a column; that of the last place beyond it.
static uint64_t column_point(const Filling *filling, size_t column)
{
    const Run   *run = filling->run;
    const size_t last = run->output->raw.points - 1, place = run->begun + column;
    return run->batch->first_point + run->output->raw.point[place < last ? place : last];
}

// Fills the parameter row of a quantity of the sweep.
static void fill_quantity(const Filling *filling, size_t row, Quantity quantity, bool whole)
{
    const Group *group = filling->run->batch->group;
    if (quantity.axis < 0 && whole)
        fill_row_whole(filling, row, (int64_t)quantity.value);
    else if (quantity.axis < 0)
        fill_row(filling, row, quantity.value);
    if (quantity.axis < 0)
        return;
    const double *values = group->dim_count == 1 ? group->axes[quantity.axis].values : NULL;
    for (size_t i = 0; i < filling->count; ++i) {
        const uint64_t point = column_point(filling, i);
        const double   value = values ? values[point] : group_value(group, quantity, point);
        if (whole)
            put_whole(filling, row, i, (int64_t)value);
        else
            put(filling, row, i, value);
    }
}

// Fills the parameter row of a metric's argument.
static void fill_argument(const Filling *filling, size_t row, const MetricInstance *instance, size_t which)
{
    if (!instance->arguments[which].formula) {
        fill_row(filling, row, instance->arguments[which].value);
        return;
    }
    for (size_t i = 0; i < filling->count; ++i)
        put(filling, row, i, metric_argument(filling->run->batch->group, instance, which, column_point(filling, i)));
}

// Fills the rows of the breaks' numbers from one on.
static void fill_breaks(const Filling *filling, size_t row)
{
    const Group *group = filling->run->batch->group;
    double       numbers[BREAK_NUMBERS_MOST];
    for (size_t i = 0; i < filling->count; ++i) {
        breaks_numbers(group, column_point(filling, i), numbers);
        for (size_t k = 0; k < group->breaks->number_count; ++k)
            put(filling, row + k, i, numbers[k]);
    }
}

// The steps of a point, and the numbers that follow from them.
typedef struct Timing {
    double   h;
    uint64_t steps;
    int64_t  budget, every, remainder, table_every;
} Timing;

static Timing find_timing(const Run *run, uint64_t point)
{
    const Group   *group = run->batch->group;
    const uint64_t steps = run->fixed_steps ? (uint64_t)run->fixed_steps : group_steps(group, point);
    const double   budget = floor(group->substeps.budget * (double)steps);
    const uint64_t spacing = group->trajectory.sample_count > 1 ? group->trajectory.sample_count - 1 : 1;
    const bool     every = group->trajectory.every > 0;
    return (Timing){.h = group_step(group, point),
                    .steps = steps,
                    .budget = budget < 9e18 ? (int64_t)budget : INT64_MAX,
                    .every = (int64_t)(every ? group->trajectory.every : steps / spacing),
                    .remainder = (int64_t)(every ? 0 : steps % spacing),
                    .table_every = (int64_t)solution_every(steps)};
}

// Fills the rows of the steps; returns how many these are together.
static uint64_t fill_timing(const Filling *filling)
{
    const Run *run = filling->run;
    const bool timed = group_is_timed(run->batch->group);
    uint64_t   sum = 0;
    Timing     timing = find_timing(run, column_point(filling, 0));
    if (!timed) {
        fill_row(filling, ROW_H, timing.h);
        fill_row_whole(filling, ROW_BUDGET, timing.budget);
        fill_row_whole(filling, ROW_EVERY, timing.every);
        fill_row_whole(filling, ROW_REMAINDER, timing.remainder);
        fill_row_whole(filling, ROW_TABLE_EVERY, timing.table_every);
    }
    for (size_t i = 0; i < filling->count; ++i) {
        if (timed) {
            timing = find_timing(run, column_point(filling, i));
            put(filling, ROW_H, i, timing.h);
            put_whole(filling, ROW_BUDGET, i, timing.budget);
            put_whole(filling, ROW_EVERY, i, timing.every);
            put_whole(filling, ROW_REMAINDER, i, timing.remainder);
            put_whole(filling, ROW_TABLE_EVERY, i, timing.table_every);
        }
        const uint64_t steps = run->begun + i < run->output->raw.points ? timing.steps : 0;
        put_whole(filling, ROW_STEPS, i, (int64_t)steps);
        sum += steps;
    }
    return sum;
}

// Fills the rows of the places of columns.
static void fill_places(const Filling *filling)
{
    const Run      *run = filling->run;
    const Solution *solution = run->batch->solution && run->batch->solution->first ? run->batch->solution : NULL;
    const int64_t   first_sample = (int64_t)program_curve_samples(run->batch->group);
    if (!solution)
        fill_row_whole(filling, ROW_TABLE, first_sample);
    if (run->output->raw.slots == 0)
        fill_row_whole(filling, ROW_SLOT, -1);
    for (size_t i = 0; i < filling->count; ++i) {
        const size_t place = run->begun + i;
        put_whole(filling, ROW_PLACE, i, (int64_t)place);
        if (run->output->raw.slots > 0)
            put_whole(filling, ROW_SLOT, i, place < run->output->raw.slots ? (int64_t)place : -1);
        if (solution)
            put_whole(filling, ROW_TABLE, i,
                      first_sample +
                          (int64_t)solution->first[solution_table(run->batch->group, column_point(filling, i))]);
    }
}

uint64_t rows_fill(const Program *program, const Run *run, size_t count, void *rows, bool *alike)
{
    const Group   *group = run->batch->group;
    const Filling  filling = {program, run, count, rows, alike};
    const uint64_t steps = fill_timing(&filling);
    size_t         row = ROW_PROBLEM;
    fill_places(&filling);
    fill_quantity(&filling, ROW_TOLERANCE, group->newton.tolerance, false);
    fill_quantity(&filling, ROW_MAX_UPDATES, group->newton.max_updates, true);
    for (size_t k = 0; k < group->problem->parameter_count; ++k)
        fill_quantity(&filling, row++, group->problem_parameters[k], false);
    for (size_t k = 0; k < group->method->parameter_count; ++k)
        if (quantity_given(group->method_parameters[k]))
            fill_quantity(&filling, row++, group->method_parameters[k], false);
    for (size_t k = 0; k < group->instance_count; ++k)
        for (size_t a = 0; a < group->instances[k].card->parameter_count; ++a)
            fill_argument(&filling, row++, &group->instances[k], a);
    if (group->breaks)
        fill_breaks(&filling, row);
    return steps;
}
