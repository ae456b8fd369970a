// group -- what a point of a group has: its values, its steps, its samples, its place among the stored trajectories.
#include "plan/group.h"

#include <math.h>
#include <string.h>

#define VECTOR(NAME, member, reference, ...) {.kernel = #member, .per_dof = true, __VA_ARGS__},
#define NUMBER(NAME, expression, reference, ...) {.kernel = #expression, __VA_ARGS__},
const Field field_table[FIELD_COUNT] = {FIELDS(VECTOR, NUMBER)};

const char *const group_start_names[START_COUNT] = {"theta1", "trapezoidal", "variable"};

size_t group_index(const Group *group, size_t axis, uint64_t point)
{
    if (group->design == DESIGN_ZIP)
        return (size_t)point;
    for (size_t i = group->axis_count - 1; i > axis; --i)
        point /= group->axes[i].count;
    return (size_t)(point % group->axes[axis].count);
}

double group_value(const Group *group, Quantity quantity, uint64_t point)
{
    if (quantity.axis < 0)
        return quantity.value;
    const size_t axis = (size_t)quantity.axis;
    return group->axes[axis].values[group_index(group, axis, point)];
}

double group_step(const Group *group, uint64_t point)
{
    if (group->step_given)
        return group_value(group, group->step, point);
    return group->end.value / group_value(group, group->steps, point);
}

uint64_t group_steps(const Group *group, uint64_t point)
{
    if (group->steps_given)
        return (uint64_t)group_value(group, group->steps, point);
    return (uint64_t)fmax(1.0, round(group->end.value / group_value(group, group->step, point)));
}

uint64_t group_sample_step(const Group *group, uint64_t point, size_t k)
{
    const Trajectory *trajectory = &group->trajectory;
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
    const bool        zip = group->design == DESIGN_ZIP;
    const size_t      axes = zip ? 1 : group->axis_count;
    uint64_t          slot = 0, rest = trajectory->slot_count;
    bool              stored = trajectory->stored && point < group->point_count;
    if (!stored) {
        if (selected)
            *selected = false;
        return point < group->point_count ? 0 : trajectory->slot_count;
    }
    // Slots run in the order of points: those before this one differ first in some axis, where they lie below it.
    for (size_t i = 0; stored && i < axes && rest > 0; ++i) {
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

const Axis *group_axis(const Group *group, const char *name)
{
    for (size_t i = 0; i < group->axis_count; ++i)
        if (strcmp(group->axes[i].name, name) == 0)
            return &group->axes[i];
    return NULL;
}

const Variable *group_variable(const Group *group, VariableSource source)
{
    for (size_t i = 0; i < group->variable_count; ++i)
        if (group->variables[i].source == source)
            return &group->variables[i];
    return NULL;
}
