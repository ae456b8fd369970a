// excerpt -- axes of one value each.
#include "plan/excerpt.h"

static bool copy_axes(const Group *group, uint64_t point, Excerpt *excerpt, Error *err)
{
    Axis   *axes = arena_take(&excerpt->arena, group->axis_count, sizeof *axes, err);
    double *values = axes ? arena_take(&excerpt->arena, group->axis_count, sizeof *values, err) : NULL;
    for (size_t i = 0; values && i < group->axis_count; ++i) {
        values[i] = group->axes[i].values[group_index(group, i, point)];
        axes[i] = group->axes[i];
        axes[i].values = &values[i];
        axes[i].count = 1;
    }
    excerpt->group.axes = axes;
    return values != NULL;
}

// Of every dimension of the stored trajectories the one index that is left.
static bool copy_selection(const Group *group, uint64_t point, Excerpt *excerpt, Error *err)
{
    Trajectory  *trajectory = &excerpt->group.trajectory;
    const size_t axes = group->design == DESIGN_ZIP ? 1 : group->axis_count;
    bool         selected = false;
    group_slot(group, point, &selected);
    trajectory->slot_count = selected;
    trajectory->selected = arena_take(&excerpt->arena, axes, sizeof *trajectory->selected, err);
    trajectory->selected_count = arena_take(&excerpt->arena, axes, sizeof *trajectory->selected_count, err);
    bool ok = trajectory->selected && trajectory->selected_count;
    for (size_t i = 0; ok && i < axes; ++i) {
        trajectory->selected_count[i] = selected;
        ok = (trajectory->selected[i] = arena_take(&excerpt->arena, 1, sizeof **trajectory->selected, err)) != NULL;
    }
    return ok;
}

bool excerpt_make(const Group *group, uint64_t point, Excerpt *excerpt, Error *err)
{
    *excerpt = (Excerpt){.group = *group};
    excerpt->group.point_count = excerpt->group.block_count = excerpt->group.block_points = 1;
    excerpt->group.first_block = 0;
    if (copy_axes(group, point, excerpt, err) &&
        (!group->trajectory.stored || copy_selection(group, point, excerpt, err)))
        return true;
    excerpt_free(excerpt);
    return false;
}

void excerpt_free(Excerpt *excerpt)
{
    arena_free(&excerpt->arena);
    *excerpt = (Excerpt){0};
}
