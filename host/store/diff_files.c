// diff_files -- the groups of both files, the variables that they share, and where the largest differences lie.
#include "store/sides.h"

#include "base/file.h"
#include "store/output.h"

#include <string.h>

// Why a variable that both files have cannot be compared; NULL: it can.
static const char *find_apart(const FileSides *pair, const Variable *a, const Variable *b)
{
    const RecordedList *in_a = &pair->sides[SIDE_A].recorded, *in_b = &pair->sides[SIDE_B].recorded;
    const Trajectory   *of_a = &pair->sides[SIDE_A].content.group.trajectory,
                     *of_b = &pair->sides[SIDE_B].content.group.trajectory;
    if (a->trajectory != b->trajectory || a->per_dof != b->per_dof)
        return "it has another shape";
    if (!a->trajectory)
        return a->width == b->width ? NULL : "it has another shape";
    if (a->width / of_a->sample_count != b->width / of_b->sample_count)
        return "it has another shape";
    const Recorded *every_a = recorded_find(in_a, "trajectory.every"),
                   *every_b = recorded_find(in_b, "trajectory.every");
    const bool same = every_a && every_b ? every_a->number == every_b->number
                                         : !every_a && !every_b && of_a->sample_count == of_b->sample_count;
    return same ? NULL : "samples are taken after other steps";
}

static bool list_variables(const FileSides *pair, DiffGroup *group, Arena *arena, Error *err)
{
    const Group *a = &pair->sides[SIDE_A].content.group, *b = &pair->sides[SIDE_B].content.group;
    group->variables = arena_take(arena, a->variable_count, sizeof *group->variables, err);
    for (size_t i = 0; group->variables && i < a->variable_count; i++)
        for (size_t k = 0; k < b->variable_count; k++)
            if (strcmp(a->variables[i].name, b->variables[k].name) == 0)
                group->variables[group->variable_count++] = (DiffVariable){
                    .name = a->variables[i].name, .apart = find_apart(pair, &a->variables[i], &b->variables[k])};
    return group->variables != NULL;
}

// Lists the quantities that are an axis of one of the files.
static bool list_axes(const FileSides *pair, DiffGroup *group, Arena *arena, Error *err)
{
    group->axes = arena_take(arena, pair->quantity_count, sizeof *group->axes, err);
    for (size_t i = 0; group->axes && i < pair->quantity_count; i++)
        if (pair->quantities[i].old.axis >= 0 || pair->quantities[i].new.axis >= 0) {
            const char *name = arena_copy(arena, pair->names[i], err);
            if (!name)
                return false;
            group->axes[group->axis_count++] = name;
        }
    return group->axes != NULL;
}

// The values that a point of B has on the axes.
static bool read_values(const FileSides *pair, const DiffGroup *group, DiffWorst *worst, Arena *arena, Error *err)
{
    const Content *content = &pair->sides[SIDE_B].content;
    size_t         count = 0;
    bool           ok = !worst->found || (worst->values = arena_take(arena, group->axis_count, sizeof(double), err));
    for (size_t i = 0; ok && worst->found && i < pair->quantity_count; i++) {
        const Quantity quantity = pair->quantities[i].new;
        if (quantity.axis < 0 && pair->quantities[i].old.axis < 0)
            continue;
        double *value = &worst->values[count++];
        *value = quantity.value;
        if (quantity.axis >= 0) {
            const PointsAxis *axis = &content->points.axes[quantity.axis];
            ok = points_read_axis(&content->points, axis, points_index(&content->points, axis->dim, worst->b), 1, value,
                                  err);
        }
    }
    return ok;
}

static bool compare(Diff *diff, FileSides *pair, const DiffTolerance *tolerance, DiffGroup *group, Error *err)
{
    const char *apart;
    if (!sides_pair(pair, &apart, err) || !list_variables(pair, group, &diff->arena, err))
        return false;
    if (apart)
        return (group->apart = arena_copy(&diff->arena, apart, err)) != NULL;
    bool ok = list_axes(pair, group, &diff->arena, err) && diff_points(pair, tolerance, group, err);
    for (size_t i = 0; ok && i < group->variable_count; i++)
        ok = read_values(pair, group, &group->variables[i].absolute, &diff->arena, err) &&
             read_values(pair, group, &group->variables[i].relative, &diff->arena, err);
    return ok;
}

static bool add_group(Diff *diff, FileSides *pair, const char *label, const DiffTolerance *tolerance, Error *err)
{
    DiffGroup *group = &diff->groups[diff->group_count++];
    group->label = label;
    bool ok = true, both = true;
    for (int side = 0; side < DIFF_SIDES; side++)
        both = both && store_read_group(pair->sides[side].file, label);
    for (int side = 0; side < DIFF_SIDES; side++) {
        const StoreGroup    *from = store_read_group(pair->sides[side].file, label);
        const StoreVariable *status = from ? store_read_variable(from, "status") : NULL;
        group->points[side] = group->only[side] = status ? status->count : 0;
    }
    if (both)
        ok = sides_open(pair, label, err) && diff_settings(diff, NULL, NULL, pair, err) &&
             compare(diff, pair, tolerance, group, err);
    sides_close(pair);
    return ok;
}

static bool add_groups(Diff *diff, const StoreFile *const files[DIFF_SIDES], const int descriptors[DIFF_SIDES],
                       const DiffTolerance *tolerance, Error *err)
{
    diff->groups =
        arena_take(&diff->arena, files[SIDE_A]->group_count + files[SIDE_B]->group_count, sizeof *diff->groups, err);
    bool ok = diff->groups && diff_settings(diff, files[SIDE_A], files[SIDE_B], NULL, err);
    for (int side = 0; side < DIFF_SIDES; side++)
        for (size_t i = 0; ok && i < files[side]->group_count; i++) {
            const char *label = files[side]->groups[i].label;
            if (side == SIDE_B && store_read_group(files[SIDE_A], label))
                continue;
            FileSides pair = {.sides = {{.file = files[SIDE_A], .descriptor = descriptors[SIDE_A]},
                                        {.file = files[SIDE_B], .descriptor = descriptors[SIDE_B]}}};
            ok = add_group(diff, &pair, label, tolerance, err);
        }
    return ok;
}

bool diff_files(const StoreFile *a, const StoreFile *b, const DiffTolerance *tolerance, Diff *diff, Error *err)
{
    int in_a SCOPED(file_close) = -1, in_b SCOPED(file_close) = -1;
    return output_open(a->path, false, &in_a, err) && output_open(b->path, false, &in_b, err) &&
           add_groups(diff, (const StoreFile *[]){a, b}, (const int[]){in_a, in_b}, tolerance, err);
}

void diff_free(Diff *diff)
{
    arena_free(&diff->arena);
    *diff = (Diff){0};
}

uint64_t diff_compared(const Diff *diff)
{
    uint64_t compared = 0;
    for (size_t i = 0; i < diff->group_count; i++)
        compared += diff->groups[i].common - diff->groups[i].not_run;
    return compared;
}

bool diff_differs(const Diff *diff)
{
    for (size_t i = 0; i < diff->group_count; i++)
        for (size_t v = 0; v < diff->groups[i].variable_count; v++)
            if (diff->groups[i].variables[v].differ > 0)
                return true;
    return false;
}
