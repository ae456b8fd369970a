// group -- values, steps and samples of a group's points, and their places among the stored trajectories.
#include "plan/group.h"

#include <math.h>
#include <string.h>

#define VECTOR(NAME, member, reference, ...) {.kernel = #member, .per_dof = true, __VA_ARGS__},
#define NUMBER(NAME, expression, reference, ...) {.kernel = #expression, __VA_ARGS__},
const Field field_table[FIELD_COUNT] = {FIELDS(VECTOR, NUMBER)};

const char group_point_dim[] = "point";

const char *const group_start_names[START_COUNT] = {"theta1", "trapezoidal", "variable"};

size_t group_index(const Group *group, size_t dim, uint64_t point)
{
    for (size_t i = group->dim_count - 1; i > dim; --i)
        point /= group->dims[i].count;
    return (size_t)(point % group->dims[dim].count);
}

double group_axis_at(const Group *group, const Axis *axis, size_t index)
{
    return axis->values ? axis->values[index] : sampling_value(group->sampling, axis->factor, index);
}

double group_axis_value(const Group *group, size_t axis, uint64_t point)
{
    return group_axis_at(group, &group->axes[axis], group_index(group, group->axes[axis].dim, point));
}

void group_find_ends(const Group *group, Quantity quantity, double *least, double *most)
{
    const Axis *axis = quantity.axis < 0 ? NULL : &group->axes[quantity.axis];
    *least = *most = axis && axis->values ? axis->values[0] : quantity.value;
    if (axis && !axis->values)
        distribution_support(&group->sampling->factors[axis->factor], least, most);
    for (size_t i = 0; axis && axis->values && i < axis->count; ++i) {
        *least = fmin(*least, axis->values[i]);
        *most = fmax(*most, axis->values[i]);
    }
}

double group_value(const Group *group, Quantity quantity, uint64_t point)
{
    return quantity.axis < 0 ? quantity.value : group_axis_value(group, (size_t)quantity.axis, point);
}

size_t group_tangents(const Group *group)
{
    return group->derivative_count + group->deviation_count;
}

size_t group_state_dofs(const Group *group)
{
    return group->dofs * (1 + group_tangents(group));
}

bool group_has_tangents(const Group *group, const MetricInstance *instance)
{
    const Card *card = instance->card;
    const bool  of_state = !card_takes(card, "of") || instance->of == OBSERVED_X || instance->of == OBSERVED_V ||
                          instance->of == OBSERVED_FORMULA;
    if (card->deviations)
        return group->deviation_count > 0;
    return group->derivative_count > 0 && card->tangent_count > 0 &&
           ((of_state && !card_needs(card, "energy") && !card_needs(card, "kinetic")) ||
            card_provides(group->problem, "gradients"));
}

size_t group_metric_rows(const Group *group, const MetricInstance *instance)
{
    const Card *card = instance->card;
    const bool  all = group_has_tangents(group, instance);
    size_t      rows = card_state_rows(card, group->dofs);
    for (size_t i = 0; i < card->tangent_count; ++i)
        if (card_lists(card->vectors, card->vector_count, card->tangents[i]))
            rows += group_state_dofs(group) - group->dofs;
        else
            rows += all ? group_tangents(group) : 0;
    return rows + (all ? card->tangent_state_count * (1 + group_tangents(group)) : 0);
}

size_t group_differences(const Group *group)
{
    const Card *problem = group->problem;
    return problem->banded ? problem->below + problem->above + 1 : group->dofs;
}

size_t group_kept_vectors(const Group *group)
{
    const Card *method = group->method;
    return method->state_count + (group->newton.extrapolated ? method->guess_state_count : 0);
}

bool group_arcs(const Group *group)
{
    bool looks = group->trajectory.stored && group->trajectory.times;
    for (size_t i = 0; i < group->instance_count; ++i)
        looks = looks || group->instances[i].card->takes_arcs;
    return looks && group->method->adaptive;
}

bool group_shows_arcs(const Group *group, const MetricInstance *instance)
{
    return instance->card->takes_arcs && group_arcs(group);
}

bool group_keeps_scale(const Group *group)
{
    return group->method->unknown != UNKNOWN_NONE && group->newton.scaled_residual;
}

bool group_iterates(const Group *group)
{
    return group->method->unknown != UNKNOWN_NONE && group->method->solver != SOLVER_ROSENBROCK;
}

size_t group_jacobian_evaluations(const Group *group)
{
    const bool   linear = group->method->solver == SOLVER_ROSENBROCK;
    const size_t sides = group->newton.jacobian == JACOBIAN_CENTRAL   ? 2
                         : group->newton.jacobian == JACOBIAN_FORWARD ? 1
                                                                      : 0,
                 both = linear && !group->problem->first_order ? 2 : 1, in_time = linear ? 3 : 0;
    return sides * both * group_differences(group) + in_time;
}

double group_tolerance(const Group *group, uint64_t point)
{
    const double tolerance = group_value(group, group->newton.tolerance, point);
    const Card  *method = group->method;
    const size_t rtol = card_parameter(method, "rtol");
    return method->adaptive && group_keeps_scale(group) && rtol < method->parameter_count
               ? fmin(tolerance, 0x1p-7 * group_value(group, group->method_parameters[rtol], point))
               : tolerance;
}

Quantity group_begins(const Group *group)
{
    const size_t begin = group->problem ? group->problem->begin : 0;
    return begin ? group->problem_parameters[begin - 1] : (Quantity){.value = 0.0, .axis = -1};
}

double group_begin(const Group *group, uint64_t point)
{
    return group_value(group, group_begins(group), point);
}

void group_find_begins(const Group *group, double *least, double *most)
{
    group_find_ends(group, group_begins(group), least, most);
}

bool group_is_timed(const Group *group)
{
    return (group->step_given && group->step.axis >= 0) || (group->steps_given && group->steps.axis >= 0) ||
           (group->end_given && group->end.axis >= 0) || group_begins(group).axis >= 0;
}

double group_step(const Group *group, uint64_t point)
{
    if (group->step_given)
        return group_value(group, group->step, point);
    return (group->end.value - group_begin(group, point)) / group_value(group, group->steps, point);
}

uint64_t group_steps(const Group *group, uint64_t point)
{
    if (group->steps_given)
        return (uint64_t)group_value(group, group->steps, point);
    const double length = group->end.value - group_begin(group, point);
    return (uint64_t)fmax(1.0, round(length / group_value(group, group->step, point)));
}

double group_end(const Group *group, uint64_t point)
{
    if (group->end_given)
        return group_value(group, group->end, point);
    return group_begin(group, point) + group_step(group, point) * (double)group_steps(group, point);
}

double group_first_end(const Group *group)
{
    const Axis *step = group->step_given && group->step.axis >= 0 ? &group->axes[group->step.axis] : NULL;
    double      least, largest, fewest, most, begin, latest, first = INFINITY;
    group_find_ends(group, group->step, &least, &largest);
    group_find_ends(group, group->steps, &fewest, &most);
    group_find_begins(group, &begin, &latest);
    if (!group->end_given)
        return begin + least * fewest;
    if (!group->step_given)
        return group->end.value;
    if ((step && !step->values) || begin != latest)
        return group->end.value - 0.5 * largest;
    for (size_t i = 0; i < (step ? step->count : 1); ++i) {
        const double h = step ? step->values[i] : group->step.value;
        first = fmin(first, begin + fmax(1.0, round((group->end.value - begin) / h)) * h);
    }
    return first;
}

double group_sample_time(const Group *group, size_t k)
{
    const Trajectory *trajectory = &group->trajectory;
    return trajectory->single ? (double)(float)trajectory->times[k] : trajectory->times[k];
}

// The end of a step as kernels have it.
static double time_after(const Trajectory *trajectory, uint64_t steps, double h, double begin)
{
    return trajectory->single ? (double)((float)steps * (float)h + (float)begin) : (double)steps * h + begin;
}

// The first step whose end reaches a time, at most the last one. The quotient may be rounded to the next step.
static uint64_t step_reaching(const Group *group, uint64_t point, double time)
{
    const Trajectory *trajectory = &group->trajectory;
    const double      h = group_step(group, point), begin = group_begin(group, point);
    const uint64_t    last = group_steps(group, point);
    uint64_t          n = (uint64_t)fmax(0.0, (time - begin) / h);
    while (n > 0 && time_after(trajectory, n - 1, h, begin) >= time)
        --n;
    while (n < last && time_after(trajectory, n, h, begin) < time)
        ++n;
    return n < last ? n : last;
}

uint64_t group_sample_step(const Group *group, uint64_t point, size_t k)
{
    const Trajectory *trajectory = &group->trajectory;
    if (trajectory->times)
        return step_reaching(group, point, group_sample_time(group, k));
    if (trajectory->every > 0)
        return k * trajectory->every;
    // floor(k N/parts) without the product, which may overflow.
    const uint64_t parts = trajectory->sample_count - 1, steps = group_steps(group, point);
    return k * (steps / parts) + k * (steps % parts) / parts;
}

size_t group_samples(const Group *group, uint64_t point)
{
    const Trajectory *trajectory = &group->trajectory;
    if (trajectory->every == 0)
        return trajectory->sample_count;
    return (size_t)(group_steps(group, point) / trajectory->every + 1);
}

// How many of the ascending indices are less than `index`.
static size_t count_below(const size_t *selected, size_t count, uint64_t index)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (selected[middle] < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t group_slot(const Group *group, uint64_t point, bool *selected)
{
    const Trajectory *trajectory = &group->trajectory;
    uint64_t          slot = 0, rest = trajectory->slot_count;
    bool              stored = trajectory->stored && point < group->point_count;
    if (!stored) {
        if (selected)
            *selected = false;
        return point < group->point_count ? 0 : trajectory->slot_count;
    }
    // Slots run in the order of points: the slots before differ first in some dimension, where they lie below this one.
    for (size_t i = 0; stored && i < group->dim_count && rest > 0; ++i) {
        const uint64_t index = group_index(group, i, point);
        const size_t count = trajectory->selected_count[i], below = count_below(trajectory->selected[i], count, index);
        rest /= count;
        slot += below * rest;
        stored = below < count && trajectory->selected[i][below] == index;
    }
    if (selected)
        *selected = stored && rest > 0;
    return slot;
}

size_t group_type_bytes(VariableType type)
{
    switch (type) {
    case TYPE_I8: return 1;
    case TYPE_I32:
    case TYPE_F32: return 4;
    case TYPE_I64:
    case TYPE_F64: return 8;
    }
    return 0;
}

static bool pick_axes(const Group *group, const uint64_t *points, size_t count, Arena *arena, Group *picked, Error *err)
{
    picked->axes = arena_take(arena, group->axis_count, sizeof *picked->axes, err);
    for (size_t a = 0; picked->axes && a < group->axis_count; ++a) {
        double *values = arena_take(arena, count, sizeof *values, err);
        if (!values)
            return false;
        for (size_t i = 0; i < count; ++i)
            values[i] = group_axis_value(group, a, points[i]);
        picked->axes[a] = group->axes[a];
        picked->axes[a].values = values;
        picked->axes[a].count = count;
        picked->axes[a].dim = 0;
    }
    return picked->axes != NULL;
}

static bool pick_slots(const Group *group, const uint64_t *points, size_t count, Arena *arena, Group *picked,
                       Error *err)
{
    Trajectory *trajectory = &picked->trajectory;
    trajectory->selected = arena_take(arena, 1, sizeof *trajectory->selected, err);
    trajectory->selected_count = arena_take(arena, 1, sizeof *trajectory->selected_count, err);
    size_t *selected = arena_take(arena, count, sizeof *selected, err), stored = 0;
    if (!trajectory->selected || !trajectory->selected_count || !selected)
        return false;
    for (size_t i = 0; i < count; ++i) {
        bool is = false;
        group_slot(group, points[i], &is);
        if (is)
            selected[stored++] = i;
    }
    trajectory->selected[0] = selected;
    trajectory->selected_count[0] = trajectory->slot_count = stored;
    return true;
}

bool group_pick(const Group *group, const uint64_t *points, size_t count, Arena *arena, Group *picked, Error *err)
{
    *picked = *group;
    picked->design = DESIGN_ZIP;
    picked->sampling = NULL;
    picked->dim_count = 1;
    picked->dims = arena_take(arena, 1, sizeof *picked->dims, err);
    if (!picked->dims || !pick_axes(group, points, count, arena, picked, err) ||
        (group->trajectory.stored && !pick_slots(group, points, count, arena, picked, err)))
        return false;
    *picked->dims = (Dim){.name = group_point_dim, .count = count, .together = true};
    picked->point_count = picked->block_points = count;
    picked->first_block = 0;
    picked->block_count = 1;
    return true;
}

const Axis *group_axis(const Group *group, const char *name)
{
    for (size_t i = 0; i < group->axis_count; ++i)
        if (strcmp(group->axes[i].name, name) == 0)
            return &group->axes[i];
    return NULL;
}

const Variable *group_variable_named(const Group *group, const char *name)
{
    for (size_t i = 0; i < group->variable_count; ++i)
        if (strcmp(group->variables[i].name, name) == 0)
            return &group->variables[i];
    return NULL;
}

const Variable *group_variable(const Group *group, VariableSource source)
{
    for (size_t i = 0; i < group->variable_count; ++i)
        if (group->variables[i].source == source)
            return &group->variables[i];
    return NULL;
}
