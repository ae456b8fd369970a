// replace -- a plan with other values at the points that a caller gave.
#include "plan/plan_make.h"

#include <string.h>

static bool same_columns(const PointFile *a, const PointFile *b)
{
    bool same = a->count == b->count && a->column_count == b->column_count;
    for (size_t i = 0; same && i < a->column_count; ++i)
        same = strcmp(a->columns[i].name, b->columns[i].name) == 0;
    return same;
}

// Gives the axes of a card's parameters the values of their columns; counts these axes.
static bool replace_values(Group *group, const Card *card, const PointFile *points, Quantity **quantities,
                           size_t *replaced, Arena *arena)
{
    Error     unknown;
    char      text[AXIS_TEXT];
    Quantity *own = arena_take(arena, card->parameter_count, sizeof *own, &unknown);
    for (size_t i = 0; own && i < card->parameter_count; ++i) {
        const Range range = group_make_range(&card->parameters[i]);
        own[i] = (*quantities)[i];
        Axis *axis = own[i].axis < 0 ? NULL : &group->axes[own[i].axis];
        if (!axis || !axis->given)
            continue;
        size_t column = 0;
        while (strcmp(points->columns[column].name, axis->name) != 0)
            ++column;
        axis->values = points->columns[column].values;
        for (size_t k = 0; k < axis->count; ++k)
            if (axis_refuses(&range, axis->values[k], text))
                return false;
        own[i].value = axis->values[0];
        ++*replaced;
    }
    *quantities = own;
    return own != NULL;
}

static bool replace_group(Group *group, const PointFile *points, Arena *arena)
{
    Error  unknown;
    size_t given = 0, replaced = 0;
    Axis  *axes = arena_take(arena, group->axis_count, sizeof *axes, &unknown);
    if (!axes || group->trajectory.stored)
        return false;
    for (size_t i = 0; i < group->axis_count; ++i) {
        axes[i] = group->axes[i];
        given += axes[i].given;
    }
    group->axes = axes;
    return replace_values(group, group->problem, points, &group->problem_parameters, &replaced, arena) &&
           replace_values(group, group->method, points, &group->method_parameters, &replaced, arena) &&
           replaced == given;
}

bool plan_replace_points(const Plan *from, const PointFile *points, Plan *plan)
{
    Error unknown;
    if (!same_columns(&from->points, points))
        return false;
    *plan = *from;
    plan->arena = (Arena){0};
    plan->points = point_file_borrow(points);
    plan->groups = arena_take(&plan->arena, plan->group_count, sizeof *plan->groups, &unknown);
    bool ok = plan->groups;
    for (size_t g = 0; ok && g < plan->group_count; ++g) {
        plan->groups[g] = from->groups[g];
        ok = replace_group(&plan->groups[g], points, &plan->arena);
    }
    if (!ok)
        plan_free(plan);
    return ok;
}
