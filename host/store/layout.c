// layout -- names, dimensions and order of everything in a result file.
#include "store/layout.h"

#include <math.h>
#include <string.h>

const char layout_design_sample[] = "design_sample", layout_design_role[] = "design_role", layout_attempt[] = "attempt",
           layout_table[] = "table_";

uint64_t layout_dataset_count(const Dataset *dataset)
{
    uint64_t count = 1;
    for (size_t i = 0; i < dataset->rank; i++)
        count *= dataset->dims[i]->length;
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

// The scales of a group: the possible dimensions of its datasets.
typedef struct Scales {
    const Dataset  *points[LAYOUT_RANK];      // one per dimension
    const Dataset  *trajectory[LAYOUT_RANK];  // the same, where needed with the selected values only
    size_t          count;
    const Dataset  *dof, *sample;
    const Dataset **own;  // [variables] of metrics with samples
} Scales;

// The axis of a dimension that has one.
static size_t only_axis(const Group *group, size_t dim)
{
    size_t axis = 0;
    while (group->axes[axis].dim != dim)
        ++axis;
    return axis;
}

// A dimension's scale, and after it the axes that lie along it.
static const Dataset *add_point_scale(Section *section, size_t dim)
{
    const Group *group = section->group;
    const Dim   *about = &group->dims[dim];
    if (!about->together) {
        const size_t axis = only_axis(group, dim);
        return add_scale(section, DATASET_AXIS, axis, about->count, about->name, group->axes[axis].unit,
                         group->axes[axis].about);
    }
    const Dataset *scale = add_scale(section, DATASET_BARE, 0, about->count, about->name, "", "");
    for (size_t i = 0; i < group->axis_count; i++) {
        const Axis *axis = &group->axes[i];
        if (axis->dim == dim)
            add_dim(add(section, DATASET_ALONG, i, axis->name, axis->unit, axis->about), scale);
    }
    if (group->sampling && group->sampling->roles > 1 && dim + 1 == group->dim_count) {
        add_dim(add(section, DATASET_SAMPLE, 0, layout_design_sample, "1", "base sample or trajectory of the design"),
                scale);
        add_dim(add(section, DATASET_ROLE, 0, layout_design_role, "1", "what the point is in its base sample"), scale);
    }
    return scale;
}

// Where trajectories are stored of some indices only, a dimension of theirs has a scale of its own.
static bool add_selected_scale(Section *section, Scales *scales, size_t dim, Arena *arena, Error *err)
{
    const Group *group = section->group;
    const Dim   *about = &group->dims[dim];
    const size_t count = group->trajectory.selected_count[dim];
    if (count == about->count)
        return true;
    const char *name = arena_format(arena, err, "trajectory_%s", about->name);
    if (!name)
        return false;
    if (about->together) {
        scales->trajectory[dim] =
            add_scale(section, DATASET_SELECTED_POINTS, dim, count, name, "1", "points whose trajectory is stored");
    } else {
        const size_t axis = only_axis(group, dim);
        scales->trajectory[dim] =
            add_scale(section, DATASET_SELECTED, axis, count, name, group->axes[axis].unit, group->axes[axis].about);
    }
    return true;
}

static bool add_point_scales(Section *section, Scales *scales, Arena *arena, Error *err)
{
    const Group *group = section->group;
    bool         added = true;
    scales->count = group->dim_count;
    for (size_t i = 0; i < group->dim_count; i++)
        scales->points[i] = scales->trajectory[i] = add_point_scale(section, i);
    for (size_t i = 0; added && group->trajectory.stored && i < group->dim_count; i++)
        added = add_selected_scale(section, scales, i, arena, err);
    return added;
}

// Whether points differ in their times along a dimension.
static bool is_timed(const Group *group, size_t dim)
{
    bool timed = false;
    for (size_t i = 0; i < group->axis_count; i++)
        timed = timed ||
                (group->axes[i].dim == dim && (group->axes[i].role == AXIS_STEP || group->axes[i].role == AXIS_STEPS ||
                                               group_begins(group).axis == (int)i));
    return timed;
}

// A swept step, or begin, gives each index along its dimension a row of times.
static void add_time(Section *section, const Scales *scales)
{
    const Group *group = section->group;
    Dataset     *time = add(section, DATASET_TIME, 0, "time", "s", "time of the sample");
    for (size_t d = 0; d < group->dim_count; d++) {
        if (is_timed(group, d))
            add_dim(time, scales->trajectory[d]);
    }
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
    if (variable->sampled)
        add_dim(dataset, scales->own[index]);
    if (variable->per_dof)
        add_dim(dataset, scales->dof);
    dataset->coordinates = variable->trajectory ? "time" : along_point;
    section->columns[index] = (BlockColumn){.row_bytes = variable->width * group_type_bytes(variable->type),
                                            .trajectory = variable->trajectory};
}

// A scale for each metric with samples.
static bool add_own_scales(Section *section, Scales *scales, Arena *arena, Error *err)
{
    const Group *group = section->group;
    scales->own = arena_take(arena, group->variable_count, sizeof *scales->own, err);
    for (size_t i = 0; scales->own && i < group->variable_count; i++) {
        const Variable *variable = &group->variables[i];
        if (!variable->sampled)
            continue;
        const char *name = arena_format(arena, err, "%s_sample", variable->name);
        if (!name)
            return false;
        scales->own[i] = add_scale(section, DATASET_COUNTER, 0, variable->width / (variable->per_dof ? group->dofs : 1),
                                   name, "1", "sample");
    }
    return scales->own != NULL;
}

static void add_constant(Section *section, const char *name, const char *unit, const char *about, double value,
                         bool whole)
{
    Dataset *constant = add(section, DATASET_CONSTANT, 0, name, unit, about);
    constant->value = value;
    constant->whole = whole;
}

// The numbers among a card's parameters that are no axis. `rival`, if not NULL, is the card whose parameters have the
// plain names.
static bool add_parameters(Section *section, const Card *card, const Quantity *quantities, const Card *rival,
                           Arena *arena, Error *err)
{
    for (size_t i = 0; i < card->parameter_count; i++) {
        const CardParameter *parameter = &card->parameters[i];
        const char          *name = parameter->name;
        if (quantities[i].axis >= 0 || parameter->choice_count > 0 || !quantity_given(quantities[i]))
            continue;
        if (rival && card_parameter(rival, name) < rival->parameter_count)
            name = arena_format(arena, err, "%s.%s", card->name, name);
        if (!name)
            return false;
        add_constant(section, name, parameter->unit, parameter->about, quantities[i].value, parameter->whole);
    }
    return true;
}

// The number of steps is left out: a metric has its name. Pairs of parameters have no step.
static bool add_constants(Section *section, Arena *arena, Error *err)
{
    const Group *group = section->group;
    const bool   swept = group_is_timed(group);
    const double step = swept ? group->step.value : group_step(group, 0);
    if (!isnan(step) && (!swept || (group->step_given && group->step.axis < 0)))
        add_constant(section, "step", "s", "step size", step, false);
    const double end = swept ? group->end.value : group_end(group, 0);
    if (!isnan(end) && (!swept || (group->end_given && group->end.axis < 0)))
        add_constant(section, "end", "s", "end of the time", end, false);
    return add_parameters(section, group->problem, group->problem_parameters, NULL, arena, err) &&
           add_parameters(section, group->method, group->method_parameters, group->problem, arena, err);
}

// netCDF's coordinates of a variable: the names of the axes that are no dimensions and of the constants, separated by
// spaces.
static const char *coordinates_along(const Section *section, Arena *arena, Error *err)
{
    const Group *group = section->group;
    const char  *names = "";
    for (size_t i = 0; names && i < group->axis_count; i++)
        if (group->dims[group->axes[i].dim].together)
            names = arena_format(arena, err, "%s%s%s", names, *names ? " " : "", group->axes[i].name);
    for (size_t i = 0; names && i < section->dataset_count; i++)
        if (section->datasets[i].kind == DATASET_CONSTANT)
            names = arena_format(arena, err, "%s%s%s", names, *names ? " " : "", section->datasets[i].name);
    return names;
}

// A name stands for one thing.
static bool check_names(const Section *section, Error *err)
{
    for (size_t i = 0; i < section->dataset_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(section->datasets[i].name, section->datasets[k].name) == 0)
                return fail(err, ERROR_INPUT,
                            "%s: two things in the result file would be called '%s'; rename the parameter or label the "
                            "metric",
                            section->name, section->datasets[i].name);
    return true;
}

static bool lay_out_group(Section *section, const Group *group, bool retried, Arena *arena, Error *err)
{
    if (group->dim_count > LAYOUT_RANK - 2)
        return fail(err, ERROR_INPUT, "%s: %zu axes, but a result file holds at most %d", group->label,
                    group->dim_count, LAYOUT_RANK - 2);
    if (group->trajectory.stored && group->trajectory.sample_count > INT32_MAX)
        return fail(err, ERROR_INPUT, "%s: %zu samples per trajectory, at most %d are possible; use a larger `every`",
                    group->label, group->trajectory.sample_count, INT32_MAX);
    // In the file, the data of a group are known by this order.
    if (group->variable_count == 0 || group->variables[0].source != SOURCE_STATUS)
        return fail(err, ERROR_INTERNAL, "%s: the first variable is not the status", group->label);
    size_t most = group->axis_count + 2 * group->dim_count + 2 * group->variable_count + 10 +
                  group->problem->parameter_count + group->method->parameter_count;
    section->name = group->label;
    section->group = group;
    section->datasets = arena_take(arena, most, sizeof *section->datasets, err);
    section->columns = arena_take(arena, group->variable_count, sizeof *section->columns, err);
    if (!section->datasets || !section->columns)
        return false;

    Scales scales = {0};
    if (!add_point_scales(section, &scales, arena, err))
        return false;
    bool per_dof = false;
    for (size_t i = 0; i < group->variable_count; i++)
        per_dof = per_dof || group->variables[i].per_dof;
    if (per_dof)
        scales.dof = add_scale(section, DATASET_DOF, 0, group->dofs, "dof", "1", "degree of freedom");
    if (group->trajectory.stored) {
        scales.sample = add_scale(section, DATASET_COUNTER, 0, group->trajectory.sample_count, "sample", "1",
                                  "stored sample of the trajectory");
        add_time(section, &scales);
    }
    if (!add_own_scales(section, &scales, arena, err) || !add_constants(section, arena, err))
        return false;
    const char *along_point = coordinates_along(section, arena, err);
    if (!along_point)
        return false;
    if (retried) {
        section->attempt = add(section, DATASET_ATTEMPT, 0, layout_attempt, "1",
                               "retry that the point's results are of; 0: the first run");
        for (size_t i = 0; i < scales.count; i++)
            add_dim(section->attempt, scales.points[i]);
    }
    section->variables = section->datasets + section->dataset_count;
    for (size_t i = 0; i < group->variable_count; i++)
        add_variable(section, &scales, i, along_point);
    return check_names(section, err);
}

// The samples of a table: from them the sweep is planned again without the files that it names.
static bool add_table(Section *section, const Curve *table, Arena *arena, Error *err)
{
    const char *name = arena_format(arena, err, "%s%s", layout_table, table->name),
               *sample = arena_format(arena, err, "%s%s_sample", layout_table, table->name),
               *column = arena_format(arena, err, "%s%s_column", layout_table, table->name);
    if (!name || !sample || !column)
        return false;
    const Dataset *scales[] = {add_scale(section, DATASET_BARE, 0, table->count, sample, "", ""),
                               add_scale(section, DATASET_BARE, 0, table->columns, column, "", "")};
    Dataset       *samples = add(section, DATASET_TABLE, 0, name, "", "samples of a table of the sweep");
    samples->samples = table->samples;
    add_dim(samples, scales[0]);
    add_dim(samples, scales[1]);
    return true;
}

static bool lay_out_journal(Layout *layout, Section *section, const Plan *plan, Error *err)
{
    section->name = "journal";
    section->datasets = arena_take(&layout->arena, 3 * (1 + plan->table_count), sizeof *section->datasets, err);
    if (!section->datasets)
        return false;
    const Dataset *block = add_scale(section, DATASET_BARE, 0, plan->block_count, "block", "", "");
    layout->done = add(section, DATASET_DONE, 0, "block_done", "", "1 when every point of the block is in the file");
    layout->crc = add(section, DATASET_CRC, 0, "block_crc32", "",
                      "CRC-32 over the block's part of each variable of its group, in order");
    add_dim(layout->done, block);
    add_dim(layout->crc, block);
    bool added = true;
    for (size_t i = 0; added && i < plan->table_count; i++)
        added = add_table(section, &plan->tables[i], &layout->arena, err);
    return added;
}

bool layout_make(const Plan *plan, Layout *layout, Error *err)
{
    *layout = (Layout){.section_count = plan->group_count + 1};
    layout->sections = arena_take(&layout->arena, layout->section_count, sizeof *layout->sections, err);
    bool made = layout->sections != NULL;
    for (size_t i = 0; made && i < plan->group_count; i++)
        made = lay_out_group(&layout->sections[i], &plan->groups[i], plan->history != NULL, &layout->arena, err);
    made = made && lay_out_journal(layout, &layout->sections[plan->group_count], plan, err);
    if (!made)
        layout_free(layout);
    return made;
}

void layout_place(Layout *layout)
{
    for (const Section *section = layout->sections; section->group; section++)
        for (size_t i = 0; i < section->group->variable_count; i++)
            section->columns[i].offset = section->variables[i].offset;
}

void layout_free(Layout *layout)
{
    arena_free(&layout->arena);
    *layout = (Layout){0};
}

uint64_t layout_time_point(const Dataset *time, const Group *group, uint64_t row)
{
    uint64_t point = 0, stride = 1;
    for (size_t d = group->dim_count; d-- > 0 && time->rank > 1; stride *= group->dims[d].count)
        if (is_timed(group, d)) {
            point += group->trajectory.selected[d][row % group->trajectory.selected_count[d]] * stride;
            row /= group->trajectory.selected_count[d];
        }
    return point;
}
