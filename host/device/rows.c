// rows -- values of the parameter rows, in the program's precision.
#include "device/program.h"

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

// The batch's point at a place; that of the last one beyond it.
static size_t place_point(const Run *run, size_t place)
{
    const size_t last = run->output->raw.points - 1;
    return run->output->raw.point[place < last ? place : last];
}

// Fills the parameter row of a quantity of the sweep.
static void fill_quantity(const Program *program, const Run *run, size_t count, size_t row, Quantity quantity,
                          bool whole, void *rows)
{
    const Batch *batch = run->batch;
    double       value = quantity.value;
    for (size_t i = 0; i < count; ++i) {
        if (quantity.axis >= 0)
            value = group_value(batch->group, quantity, batch->first_point + place_point(run, run->begun + i));
        if (whole)
            rows_put_whole(program, rows, row * count + i, (int64_t)value);
        else
            rows_put(program, rows, row * count + i, value);
    }
}

// Fills the parameter row of a metric's argument.
static void fill_argument(const Program *program, const Run *run, size_t count, size_t row,
                          const MetricInstance *instance, size_t which, void *rows)
{
    const Batch *batch = run->batch;
    double       value = instance->arguments[which].value;
    for (size_t i = 0; i < count; ++i) {
        if (instance->arguments[which].formula)
            value =
                metric_argument(batch->group, instance, which, batch->first_point + place_point(run, run->begun + i));
        rows_put(program, rows, row * count + i, value);
    }
}

// Fills a column of the parameter rows that differ from point to point by more than an axis.
static uint64_t fill_own(const Program *program, const Run *run, size_t column, size_t stride, void *rows)
{
    const Batch    *batch = run->batch;
    const Group    *group = batch->group;
    const RawBatch *raw = &run->output->raw;
    const size_t    place = run->begun + column;
    const uint64_t  point = batch->first_point + place_point(run, place);
    const uint64_t  steps = run->fixed_steps ? (uint64_t)run->fixed_steps : group_steps(group, point);
    const double    budget = floor(group->substeps.budget * (double)steps);
    const uint64_t  spacing = group->trajectory.sample_count > 1 ? group->trajectory.sample_count - 1 : 1;
    const bool      every = group->trajectory.every > 0;
    const Solution *solution = batch->solution;
    const uint64_t  table = solution && solution->first ? solution->first[solution_table(group, point)] : 0;
    rows_put(program, rows, ROW_H * stride + column, group_step(group, point));
    rows_put_whole(program, rows, ROW_STEPS * stride + column, place < raw->points ? (int64_t)steps : 0);
    rows_put_whole(program, rows, ROW_BUDGET * stride + column, budget < 9e18 ? (int64_t)budget : INT64_MAX);
    rows_put_whole(program, rows, ROW_PLACE * stride + column, (int64_t)place);
    rows_put_whole(program, rows, ROW_SLOT * stride + column, place < raw->slots ? (int64_t)place : -1);
    rows_put_whole(program, rows, ROW_EVERY * stride + column,
                   (int64_t)(every ? group->trajectory.every : steps / spacing));
    rows_put_whole(program, rows, ROW_REMAINDER * stride + column, (int64_t)(every ? 0 : steps % spacing));
    rows_put_whole(program, rows, ROW_TABLE * stride + column, (int64_t)table);
    rows_put_whole(program, rows, ROW_TABLE_EVERY * stride + column, (int64_t)solution_every(steps));
    return place < raw->points ? steps : 0;
}

uint64_t rows_fill(const Program *program, const Run *run, size_t count, void *rows)
{
    const Group *group = run->batch->group;
    size_t       row = ROW_PROBLEM;
    uint64_t     steps = 0;
    for (size_t i = 0; i < count; ++i)
        steps += fill_own(program, run, i, count, rows);
    fill_quantity(program, run, count, ROW_TOLERANCE, group->newton.tolerance, false, rows);
    fill_quantity(program, run, count, ROW_MAX_UPDATES, group->newton.max_updates, true, rows);
    for (size_t k = 0; k < group->problem->parameter_count; ++k)
        fill_quantity(program, run, count, row++, group->problem_parameters[k], false, rows);
    for (size_t k = 0; k < group->method->parameter_count; ++k)
        fill_quantity(program, run, count, row++, group->method_parameters[k], false, rows);
    for (size_t k = 0; k < group->instance_count; ++k)
        for (size_t a = 0; a < group->instances[k].card->parameter_count; ++a)
            fill_argument(program, run, count, row++, &group->instances[k], a, rows);
    return steps;
}
