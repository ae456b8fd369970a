// making_axes -- dimensions and axes of a group, and how many points they make.
#include "plan/making.h"

#include <string.h>

static const uint64_t most_points = UINT64_C(1) << 40;

static bool is_axis(const Wanted *wanted)
{
    return wanted->text.form != FORM_NUMBER && wanted->text.form != FORM_RANDOM;
}

static bool multiply_points(Making *making, const YamlNode *node, const char *what, uint64_t count, Error *err)
{
    Group *group = making->group;
    if (!__builtin_mul_overflow(group->point_count, count, &group->point_count) && group->point_count <= most_points)
        return true;
    return yaml_fail(node, err, "%s: with this %s group '%s' has more than 2^40 points, use fewer %s", what,
                     group->sampling ? "design" : "axis", group->label, group->sampling ? "samples" : "values");
}

// The dimension of a wanted axis: one that it shares with others before it, or a new one.
static bool join_dim(Making *making, Wanted *wanted, Error *err)
{
    Group       *group = making->group;
    const char  *shared = together_dim(making->plan, group->design, wanted->axis.name, wanted->column != NULL);
    const size_t count = wanted->text.count;
    size_t       d = shared ? 0 : group->dim_count;
    if (group->design == DESIGN_RANDOM && !making->plan->design.inside)
        return yaml_fail(wanted->text.node, err,
                         "%s: an axis beside a random design: give it a distribution, or add `inside: grid` to the "
                         "design, which then has all its points at each value",
                         wanted->what);
    while (d < group->dim_count && !(group->dims[d].together && strcmp(group->dims[d].name, shared) == 0))
        ++d;
    wanted->axis.dim = d;
    if (d < group->dim_count)
        return group->dims[d].count == count ||
               yaml_fail(wanted->text.node, err,
                         "%s: axes that go together are of equal length, this one has %zu values and the first %zu",
                         wanted->what, count, group->dims[d].count);
    group->dims[group->dim_count++] =
        (Dim){.name = shared ? shared : wanted->axis.name, .count = count, .together = shared != NULL};
    return multiply_points(making, wanted->text.node, wanted->what, count, err);
}

// The points of a random design lie along the last dimension, so that those of a sample stand together.
static bool join_factors(Making *making, Error *err)
{
    Group *group = making->group;
    if (!making_design(making, err))
        return false;
    if (!group->sampling)
        return true;
    for (size_t i = 0; i < making->count; ++i)
        if (making->wanted[i].text.form == FORM_RANDOM) {
            making->wanted[i].text.count = (size_t)group->sampling->point_count;
            making->wanted[i].axis.dim = group->dim_count;
            ++group->axis_count;
        }
    group->dims[group->dim_count++] =
        (Dim){.name = group_point_dim, .count = (size_t)group->sampling->point_count, .together = true};
    return multiply_points(making, making->plan->design.node, "design", group->sampling->point_count, err);
}

// Finds the dimensions, before anything is taken for their points.
static bool make_dims(Making *making, Error *err)
{
    Group *group = making->group;
    group->point_count = 1;
    group->dims = arena_take(&making->plan->arena, making->count + 1, sizeof *group->dims, err);
    if (!group->dims)
        return false;
    for (size_t i = 0; i < making->count; ++i) {
        if (!is_axis(&making->wanted[i]))
            continue;
        ++group->axis_count;
        if (!join_dim(making, &making->wanted[i], err))
            return false;
    }
    if (group->design == DESIGN_ZIP && group->dim_count == 0)
        group->dims[group->dim_count++] = (Dim){.name = group_point_dim, .count = 1, .together = true};
    return join_factors(making, err);
}

static bool fill_axis(Making *making, const Wanted *wanted, Axis *axis, Error *err)
{
    const bool together = making->group->dims[axis->dim].together;
    if (wanted->text.form == FORM_RANDOM)
        return true;
    axis->values = wanted->column ? wanted->column->values
                                  : arena_take(&making->plan->arena, axis->count, sizeof *axis->values, err);
    return axis->values &&
           (wanted->column || axis_fill(&wanted->text, wanted->what, &wanted->range, !together, axis->values, err));
}

bool making_axes(Making *making, Error *err)
{
    Group *group = making->group;
    if (!make_dims(making, err))
        return false;
    group->axes = arena_take(&making->plan->arena, group->axis_count, sizeof *group->axes, err);
    if (!group->axes)
        return false;
    size_t next = 0, factor = 0;
    for (size_t i = 0; i < making->count; ++i) {
        const Wanted *wanted = &making->wanted[i];
        *wanted->quantity = (Quantity){.value = wanted->text.first, .axis = -1};
        if (wanted->text.form == FORM_NUMBER)
            continue;
        Axis *axis = &group->axes[next];
        *axis = wanted->axis;
        axis->count = wanted->text.count;
        axis->form = wanted->text.form;
        axis->whole = wanted->range.whole;
        if (wanted->text.form == FORM_RANDOM)
            axis->factor = factor++;
        if (!fill_axis(making, wanted, axis, err))
            return false;
        *wanted->quantity =
            (Quantity){.value = axis->values ? axis->values[0] : wanted->text.first, .axis = (int)next++};
    }
    return true;
}
