// layout -- names, dimensions and order of everything in a result file.
#include "store/layout.h"

uint64_t layout_dataset_length(const Dataset *dataset, size_t dimension)
{
    return dataset->dims[dimension]->length;
}

uint64_t layout_dataset_count(const Dataset *dataset)
{
    uint64_t count = 1;
    for (size_t i = 0; i < dataset->rank; i++)
        count *= layout_dataset_length(dataset, i);
    return count;
}

bool layout_is_scale(const Dataset *dataset)
{
    return dataset->rank == 1 && dataset->dims[0] == dataset;
}

bool layout_is_data(const Dataset *dataset)
{
    return dataset->kind == DATASET_VARIABLE || dataset->kind == DATASET_DONE || dataset->kind == DATASET_CRC;
}

static Dataset *add(Section *section, DatasetKind kind, size_t index, const char *name, const char *unit,
                    const char *about)
{
    Dataset *dataset = &section->datasets[section->dataset_count++];
    *dataset = (Dataset){.kind = kind,
                         .index = index,
                         .name = name,
                         .unit = unit ? unit : "",
                         .about = about ? about : "",
                         .coordinates = ""};
    return dataset;
}

static Dataset *add_scale(Section *section, DatasetKind kind, size_t index, uint64_t length, const char *name,
                          const char *unit, const char *about)
{
    Dataset *scale = add(section, kind, index, name, unit, about);
    scale->length = length;
    scale->dims[0] = scale;
    scale->rank = 1;
    return scale;
}

static void add_dim(Dataset *dataset, const Dataset *scale)
{
    dataset->dims[dataset->rank++] = scale;
}

// The scales of a group: what its datasets may have as dimensions.
typedef struct Scales {
    const Dataset *points[LAYOUT_RANK];      // one per axis, or `point`
    const Dataset *trajectory[LAYOUT_RANK];  // the same, where needed with the selected values only
    size_t         count;
    const Dataset *dof, *sample;
} Scales;

static bool add_grid_scales(Section *section, Scales *scales, Arena *arena, Error *err)
{
    const Group *group = section->group;
    scales->count = group->axis_count;
    for (size_t i = 0; i < group->axis_count; i++) {
        const Axis *axis = &group->axes[i];
        scales->points[i] = add_scale(section, DATASET_AXIS, i, axis->count, axis->name, axis->unit, axis->about);
        scales->trajectory[i] = scales->points[i];
    }
    for (size_t i = 0; group->trajectory.stored && i < group->axis_count; i++) {
        const Axis *axis = &group->axes[i];
        size_t      selected = group->trajectory.selected_count[i];
        if (selected == axis->count)
            continue;
        const char *name = arena_format(arena, err, "trajectory_%s", axis->name);
        if (!name)
            return false;
        scales->trajectory[i] = add_scale(section, DATASET_SELECTED, i, selected, name, axis->unit, axis->about);
    }
    return true;
}

static void add_zip_scales(Section *section, Scales *scales)
{
    const Group   *group = section->group;
    const Dataset *point = add_scale(section, DATASET_BARE, 0, group->point_count, "point", "", "");
    for (size_t i = 0; i < group->axis_count; i++) {
        const Axis *axis = &group->axes[i];
        add_dim(add(section, DATASET_ALONG, i, axis->name, axis->unit, axis->about), point);
    }
    scales->count = 1;
    scales->points[0] = scales->trajectory[0] = point;
    if (group->trajectory.stored && group->trajectory.slot_count != group->point_count)
        scales->trajectory[0] = add_scale(section, DATASET_SELECTED_POINTS, 0, group->trajectory.slot_count,
                                          "trajectory_point", "1", "points whose trajectory is stored");
}

// A swept step gives each of its values a row of times. In a zip every point may have its own step.
static void add_time(Section *section, const Scales *scales)
{
    const Group *group = section->group;
    Dataset     *time = add(section, DATASET_TIME, 0, "time", "s", "time of the sample");
    bool         stepped = false;
    for (size_t i = 0; i < group->axis_count; i++) {
        if (group->axes[i].role != AXIS_STEP && group->axes[i].role != AXIS_STEPS)
            continue;
        if (group->design == DESIGN_GRID)
            add_dim(time, scales->trajectory[i]);
        stepped = true;
    }
    if (stepped && group->design == DESIGN_ZIP)
        add_dim(time, scales->trajectory[0]);
    add_dim(time, scales->sample);
}

static void add_variable(Section *section, const Scales *scales, size_t index, const char *along_point)
{
    const Variable *variable = &section->group->variables[index];
    Dataset        *dataset = add(section, DATASET_VARIABLE, index, variable->name, variable->unit, variable->about);
    for (size_t i = 0; i < scales->count; i++)
        add_dim(dataset, variable->trajectory ? scales->trajectory[i] : scales->points[i]);
    if (variable->trajectory)
        add_dim(dataset, scales->sample);
    if (variable->per_dof)
        add_dim(dataset, scales->dof);
    dataset->coordinates = variable->trajectory ? "time" : along_point;
}

// The coordinates of a variable along `point`: the axes' names, separated by spaces. "" for a grid, whose axes are
// dimensions.
static const char *coordinates_along_point(const Group *group, Arena *arena, Error *err)
{
    const char *names = "";
    for (size_t i = 0; names && group->design == DESIGN_ZIP && i < group->axis_count; i++)
        names = arena_format(arena, err, "%s%s%s", names, i ? " " : "", group->axes[i].name);
    return names;
}

static bool lay_out_group(Section *section, const Group *group, Arena *arena, Error *err)
{
    if (group->axis_count > LAYOUT_RANK - 2)
        return fail(err, ERROR_INPUT, "%s: %zu axes, but a result file holds at most %d", group->label,
                    group->axis_count, LAYOUT_RANK - 2);
    if (group->trajectory.stored && group->trajectory.sample_count > INT32_MAX)
        return fail(err, ERROR_INPUT, "%s: %zu samples per trajectory, at most %d are possible; use a larger `every`",
                    group->label, group->trajectory.sample_count, INT32_MAX);
    // In the file, the data of a group are known by this order.
    if (group->variable_count == 0 || group->variables[0].source != SOURCE_STATUS)
        return fail(err, ERROR_INTERNAL, "%s: the first variable is not the status", group->label);
    size_t      most = 2 * group->axis_count + group->variable_count + 5;
    const char *along_point = coordinates_along_point(group, arena, err);
    section->name = group->label;
    section->group = group;
    section->datasets = arena_take(arena, most, sizeof *section->datasets, err);
    if (!along_point || !section->datasets)
        return false;

    Scales scales = {0};
    if (group->design == DESIGN_ZIP)
        add_zip_scales(section, &scales);
    else if (!add_grid_scales(section, &scales, arena, err))
        return false;
    bool per_dof = false;
    for (size_t i = 0; i < group->variable_count; i++)
        per_dof = per_dof || group->variables[i].per_dof;
    if (per_dof)
        scales.dof = add_scale(section, DATASET_COUNTER, 0, group->dofs, "dof", "1", "degree of freedom");
    if (group->trajectory.stored) {
        scales.sample = add_scale(section, DATASET_COUNTER, 0, group->trajectory.sample_count, "sample", "1",
                                  "stored sample of the trajectory");
        add_time(section, &scales);
    }
    section->variables = section->datasets + section->dataset_count;
    for (size_t i = 0; i < group->variable_count; i++)
        add_variable(section, &scales, i, along_point);
    return true;
}

static bool lay_out_journal(Layout *layout, Section *section, const Plan *plan, Error *err)
{
    section->name = "journal";
    section->datasets = arena_take(&layout->arena, 3, sizeof *section->datasets, err);
    if (!section->datasets)
        return false;
    const Dataset *block = add_scale(section, DATASET_BARE, 0, plan->block_count, "block", "", "");
    layout->done = add(section, DATASET_DONE, 0, "block_done", "", "1 when every point of the block is in the file");
    layout->crc = add(section, DATASET_CRC, 0, "block_crc32", "",
                      "CRC-32 over the block's part of each variable of its group, in order");
    add_dim(layout->done, block);
    add_dim(layout->crc, block);
    return true;
}

bool layout_make(const Plan *plan, Layout *layout, Error *err)
{
    *layout = (Layout){.section_count = plan->group_count + 1};
    layout->sections = arena_take(&layout->arena, layout->section_count, sizeof *layout->sections, err);
    bool made = layout->sections != NULL;
    for (size_t i = 0; made && i < plan->group_count; i++)
        made = lay_out_group(&layout->sections[i], &plan->groups[i], &layout->arena, err);
    made = made && lay_out_journal(layout, &layout->sections[plan->group_count], plan, err);
    if (!made)
        layout_free(layout);
    return made;
}

void layout_free(Layout *layout)
{
    arena_free(&layout->arena);
    *layout = (Layout){0};
}

uint64_t layout_time_point(const Dataset *time, const Group *group, uint64_t row)
{
    if (group->design == DESIGN_ZIP)
        return group->trajectory.selected[0][row];
    uint64_t point = 0;
    for (size_t i = time->rank - 1; i-- > 0;) {
        size_t   axis = time->dims[i]->index;
        uint64_t value = group->trajectory.selected[axis][row % time->dims[i]->length];
        row /= time->dims[i]->length;
        for (size_t later = axis + 1; later < group->axis_count; later++)
            value *= group->axes[later].count;
        point += value;
    }
    return point;
}
