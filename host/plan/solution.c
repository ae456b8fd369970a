// solution -- table and samples that belong to a point.
#include "plan/solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_bytes = 2147483648.0;
static const size_t most_tables = (size_t)1 << 24;

uint64_t solution_every(uint64_t steps)
{
    return steps <= SOLUTION_SAMPLES ? 1 : steps / SOLUTION_SAMPLES;
}

uint64_t solution_samples(uint64_t steps)
{
    const uint64_t every = solution_every(steps);
    return steps / every + 1 + (steps % every != 0);
}

// Whether the exact motion depends on an axis of a dimension.
static bool matters(const Group *group, size_t dim)
{
    for (size_t i = 0; i < group->axis_count; ++i) {
        const Axis *axis = &group->axes[i];
        if (axis->dim == dim && (axis->role == AXIS_STEP || axis->role == AXIS_STEPS || axis->role == AXIS_PROBLEM))
            return true;
    }
    return false;
}

size_t solution_table(const Group *group, uint64_t point)
{
    size_t table = 0;
    for (size_t i = 0; i < group->dim_count; ++i)
        if (matters(group, i))
            table = table * group->dims[i].count + group_index(group, i, point);
    return table;
}

size_t solution_tables(const Group *group)
{
    size_t tables = 1;
    for (size_t i = 0; i < group->dim_count; ++i)
        if (matters(group, i))
            tables *= group->dims[i].count;
    return tables;
}

uint64_t solution_point(const Group *group, size_t table)
{
    uint64_t point = 0, stride = 1;
    for (size_t i = group->dim_count; i-- > 0; stride *= group->dims[i].count) {
        if (!matters(group, i))
            continue;
        point += table % group->dims[i].count * stride;
        table /= group->dims[i].count;
    }
    return point;
}

// Samples of all tables; `first`, if not NULL, receives the number of each table's first.
static double count_samples(const Group *group, size_t tables, uint64_t *first)
{
    double samples = 0.0;
    for (size_t table = 0; table < tables; ++table) {
        if (first)
            first[table] = (uint64_t)samples;
        samples += (double)solution_samples(group_steps(group, solution_point(group, table)));
    }
    return samples;
}

bool solution_check(const Group *group, Error *err)
{
    const size_t tables = group->solution.rows ? solution_tables(group) : 0;
    const double bytes = (tables > most_tables ? (double)tables : count_samples(group, tables, NULL)) *
                         (double)group->solution.rows * sizeof(double);
    if (tables <= most_tables && bytes <= most_bytes)
        return true;
    return fail(err, ERROR_INPUT,
                "group '%s': error metrics would compare with %zu solutions, %.3g GiB or more, at most %zu and 2; take "
                "fewer values of the problem's parameters and steps, or leave these metrics out",
                group->label, tables, bytes / 1073741824.0, most_tables);
}

uint64_t solution_size(const Group *group)
{
    return group->solution.rows ? (uint64_t)count_samples(group, solution_tables(group), NULL) * group->solution.rows
                                : 0;
}

bool solution_make(const Group *group, Solution *solution, Error *err)
{
    const size_t tables = solution_tables(group);
    *solution = (Solution){.group = group, .table_count = tables};
    if (!solution_check(group, err))
        return false;
    solution->first = calloc(tables + 1, sizeof *solution->first);
    if (solution->first)
        solution->sample_count = (size_t)count_samples(group, tables, solution->first);
    const size_t count = solution->sample_count * group->solution.rows;
    solution->numbers = solution->first ? malloc((count + 1) * sizeof *solution->numbers) : NULL;
    if (!solution->numbers) {
        solution_free(solution);
        return fail(err, ERROR_INTERNAL, "out of memory for %zu tables of solutions", tables);
    }
    for (size_t i = 0; i < count; ++i)
        solution->numbers[i] = NAN;
    return true;
}

SolutionSamples solution_of(const Solution *solution, const Group *group, uint64_t point, uint64_t steps)
{
    if (!solution || !solution->numbers)
        return (SolutionSamples){0};
    const Solved solved = group->solution;
    return (SolutionSamples){.numbers = solution->numbers + solution->first[solution_table(group, point)] * solved.rows,
                             .solved = solved,
                             .every = solution_every(steps),
                             .steps = steps};
}

const double *solution_at(const SolutionSamples *samples, uint64_t step)
{
    if (!samples->numbers || (step != samples->steps && step % samples->every != 0))
        return NULL;
    const uint64_t sample = step / samples->every + (step % samples->every != 0);
    return samples->numbers + sample * samples->solved.rows;
}

// Whether two quantities take the same values, along the same dimension.
static bool equal(const Group *a, Quantity x, const Group *b, Quantity y)
{
    if (x.axis < 0 || y.axis < 0)
        return x.axis < 0 && y.axis < 0 && (x.value == y.value || (isnan(x.value) && isnan(y.value)));
    const Axis *left = &a->axes[x.axis], *right = &b->axes[y.axis];
    return x.axis == y.axis && left->dim == right->dim && left->count == right->count &&
           (left->values == right->values ||
            memcmp(left->values, right->values, left->count * sizeof *left->values) == 0);
}

bool solution_serves(const Group *a, const Group *b)
{
    if (!a || a->problem != b->problem || a->dofs != b->dofs || a->solution.x != b->solution.x ||
        a->solution.limit != b->solution.limit || a->step_given != b->step_given || a->steps_given != b->steps_given ||
        a->end_given != b->end_given || !equal(a, a->step, b, b->step) || !equal(a, a->steps, b, b->steps) ||
        !equal(a, a->end, b, b->end))
        return false;
    for (size_t i = 0; i < a->problem->parameter_count; ++i)
        if (!equal(a, a->problem_parameters[i], b, b->problem_parameters[i]))
            return false;
    return true;
}

void solution_free(Solution *solution)
{
    free(solution->first);
    free(solution->numbers);
    *solution = (Solution){0};
}
