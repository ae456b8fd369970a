// group_make -- makes a group: its parameters and axes, its settings, its points.
#include "plan/axis.h"
#include "plan/events.h"
#include "plan/derivatives.h"
#include "plan/group_time.h"
#include "plan/plan_make.h"
#include "base/suggest.h"

#include <math.h>
#include <string.h>

// A quantity of the group and its entry in the sweep file.
typedef struct Wanted {
    Axis               axis;  // as it will be, but for its values
    const char        *what;  // in messages
    Range              range;
    AxisText           text;
    const PointColumn *column;    // of the file of points, in place of the text; or NULL
    Quantity          *quantity;  // borrowed from the group
} Wanted;

// A group in the making.
typedef struct Making {
    Plan        *plan;
    Group       *group;
    const Entry *entry;
    Wanted      *wanted;  // in the order of the axes
    size_t       count;
} Making;

static const Axis step_axis = {.name = "step", .unit = "s", .about = "step size", .role = AXIS_STEP};
static const Axis steps_axis = {.name = "steps", .unit = "1", .about = "number of steps", .role = AXIS_STEPS};
static const Axis tolerance_axis = {
    .name = "tolerance", .unit = "1", .about = "tolerance of Newton's method", .role = AXIS_NEWTON};
static const Axis max_updates_axis = {
    .name = "max_updates", .unit = "1", .about = "most Newton updates per solve", .role = AXIS_NEWTON};
static const Range step_range = {.least = 0.0, .least_open = true, .most = INFINITY};
static const Range tolerance_range = {.least = 0.0, .most = INFINITY};
static const Range max_updates_range = {.least = 1.0, .most = 2147483647.0, .whole = true};

static const YamlNode *sweep_node(const Making *making, const char *key)
{
    return yaml_find(making->plan->spec->root, key);
}

static bool want(Making *making, const YamlNode *node, Axis axis, const char *what, Range range, Quantity *quantity,
                 Error *err)
{
    Wanted *wanted = &making->wanted[making->count];
    *wanted = (Wanted){.axis = axis, .what = what, .range = range, .quantity = quantity};
    if (!what || !axis_read(node, what, &wanted->range, &wanted->text, err))
        return false;
    if (wanted->text.form == FORM_RANDOM && making->plan->design.how != DESIGN_RANDOM)
        return yaml_fail(
            node, err,
            "%s: a distribution belongs to a random design, such as design: {sobol: {samples: 1024}}; `fit` and "
            "`rare`, which take the distributions alone, need none",
            what);
    ++making->count;
    return true;
}

// Where a quantity has values already, or NULL; a column with its name is then one too many.
static const Wanted *find_wanted(const Making *making, const Quantity *quantity)
{
    for (size_t i = 0; i < making->count; ++i)
        if (making->wanted[i].quantity == quantity)
            return &making->wanted[i];
    return NULL;
}

// Takes a quantity from the file of points, if it has a column of the axis's name.
static bool want_column(Making *making, Axis axis, Range range, Quantity *quantity, Error *err)
{
    const PointFile   *file = &making->plan->points;
    const PointColumn *column = together_column(making->plan, axis.name);
    char               text[AXIS_TEXT];
    if (!column)
        return true;
    const size_t number = (size_t)(column - file->columns);
    axis.given = making->plan->spec->points != NULL;
    if (find_wanted(making, quantity))
        return point_file_fail(file, number, POINT_FILE_HEADER, err,
                               "column '%.60s': the sweep file gives it too, leave one of them out", axis.name);
    for (uint64_t i = 0; i < file->count; ++i) {
        const char *reason = axis_refuses(&range, column->values[i], text);
        if (reason)
            return point_file_fail(file, number, i, err, "column '%.60s': %s", axis.name, reason);
    }
    making->wanted[making->count++] = (Wanted){.axis = axis,
                                               .what = axis.name,
                                               .range = range,
                                               .text = {.node = yaml_find(making->plan->spec->root, "points"),
                                                        .form = FORM_LIST,
                                                        .count = (size_t)file->count},
                                               .column = column,
                                               .quantity = quantity};
    return true;
}

static bool want_step(Making *making, Error *err)
{
    Group          *group = making->group;
    const YamlNode *step = sweep_node(making, "step"), *steps = sweep_node(making, "steps"),
                   *end = sweep_node(making, "end");
    const Range steps_range = {.least = 1.0, .most = group_time_most(making->plan), .whole = true};
    group->step_given = step || together_has(making->plan, step_axis.name);
    group->steps_given = steps || together_has(making->plan, steps_axis.name);
    group->end_given = end != NULL;
    group->step.axis = group->steps.axis = group->end.axis = -1;
    if ((step && !want(making, step, step_axis, "step", step_range, &group->step, err)) ||
        (steps && !want(making, steps, steps_axis, "steps", steps_range, &group->steps, err)) ||
        !want_column(making, step_axis, step_range, &group->step, err) ||
        !want_column(making, steps_axis, steps_range, &group->steps, err))
        return false;
    if (!end)
        return true;
    if (!yaml_number(end, "end", &group->end.value, err))
        return false;
    return group->end.value > 0.0 || making->plan->problem->begin ||
           yaml_fail(end, err, "end: %.60s is too small, it must be greater than 0", end->text);
}

static bool read_choice(const YamlNode *node, const char *what, const CardParameter *parameter, Quantity *quantity,
                        Error *err)
{
    size_t index;
    if (!what || !yaml_choice(node, what, parameter->choices, parameter->choice_count, &index, err))
        return false;
    quantity->value = (double)index;
    return true;
}

Range group_make_range(const CardParameter *parameter)
{
    return (Range){.least = parameter->least,
                   .least_open = parameter->least_open,
                   .most = parameter->most,
                   .most_open = parameter->most_open,
                   .whole = parameter->whole};
}

// The axis that a parameter would be. Where the problem has one of the same name, the method's is METHOD.NAME.
static bool name_axis(const Making *making, const Card *card, const CardParameter *parameter, Axis *axis, Error *err)
{
    const Card *other = making->plan->problem;
    const bool  problem = card->kind == CARD_PROBLEM;
    const bool  shared = !problem && card_parameter(other, parameter->name) < other->parameter_count;
    *axis = (Axis){.name = parameter->name,
                   .unit = parameter->unit,
                   .about = parameter->about,
                   .role = problem ? AXIS_PROBLEM : AXIS_METHOD};
    if (shared)
        axis->name = arena_format(&making->plan->arena, err, "%s.%s", card->name, parameter->name);
    return axis->name != NULL;
}

// The parameters of a card that the file of points gives.
static bool want_columns(Making *making, const Card *card, Quantity *quantities, Error *err)
{
    for (size_t i = 0; i < card->parameter_count && making->plan->points.column_count > 0; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        Axis                 axis;
        if (!name_axis(making, card, parameter, &axis, err))
            return false;
        const bool size = card->dofs_parameter && strcmp(parameter->name, card->dofs_parameter) == 0;
        if ((parameter->choices || size) && together_has(making->plan, axis.name))
            return point_file_fail(&making->plan->points,
                                   (size_t)(together_column(making->plan, axis.name) - making->plan->points.columns),
                                   POINT_FILE_HEADER, err, "column '%.60s': %s cannot change from point to point",
                                   axis.name, size ? "the number of degrees of freedom" : "a word");
        if (!want_column(making, axis, group_make_range(parameter), &quantities[i], err))
            return false;
    }
    return true;
}

// One parameter that the sweep file gives.
static bool want_parameter(Making *making, const Card *card, const YamlNode *key, const YamlNode *node,
                           Quantity *quantities, Error *err)
{
    Arena       *arena = &making->plan->arena;
    const size_t i = card_parameter(card, key->text);
    if (i == card->parameter_count) {
        const char **names = arena_take(arena, card->parameter_count, sizeof *names, err);
        for (size_t k = 0; names && k < card->parameter_count; ++k)
            names[k] = card->parameters[k].name;
        return names && (yaml_fail(node->origin->override ? node : key, err, "%s has no parameter '%.60s'", card->name,
                                   key->text) ||
                         suggest_add(err, suggest(key->text, names, card->parameter_count), ""));
    }
    const CardParameter *parameter = &card->parameters[i];
    if (parameter->choices)
        return read_choice(node, arena_format(arena, err, "parameter '%s'", key->text), parameter, &quantities[i], err);
    Axis axis;
    if (!name_axis(making, card, parameter, &axis, err))
        return false;
    if (!want(making, node, axis, arena_format(arena, err, "parameter '%s'", key->text), group_make_range(parameter),
              &quantities[i], err))
        return card_names(card->conventions, key->text) &&
               (suggest_add(err, NULL, "; ") || suggest_add(err, NULL, card->conventions));
    return !card->dofs_parameter || strcmp(parameter->name, card->dofs_parameter) != 0 ||
           making->wanted[making->count - 1].text.form == FORM_NUMBER ||
           yaml_fail(node, err,
                     "parameter '%s' is the number of degrees of freedom and no axis, give each an entry of its own",
                     key->text);
}

// A parameter that neither the sweep file nor the card gives a value.
static bool check_given(const Making *making, const Card *card, const Quantity *quantities, Error *err)
{
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (!find_wanted(making, &quantities[i]) && isnan(quantities[i].value) && !card->parameters[i].derived)
            return yaml_fail(making->entry->node, err, "%s: parameter '%s' has no default, give it a value", card->name,
                             card->parameters[i].name);
    return true;
}

// Refuses parameters of a method that are given and have no effect, since others are given too; takes the default of
// those that are not given.
static bool leave_idle(Making *making, const Card *card, Quantity *quantities, Error *err)
{
    double *values = arena_take(&making->plan->arena, card->parameter_count, sizeof *values, err);
    for (size_t i = 0; values && i < card->parameter_count; ++i)
        values[i] = find_wanted(making, &quantities[i]) ? 0.0 : (double)NAN;
    for (size_t i = 0; values && i < card->parameter_count; ++i) {
        const Wanted *wanted = find_wanted(making, &quantities[i]);
        if (card_parameter_counts(card, i, values))
            continue;
        if (wanted)
            return yaml_fail(wanted->text.node, err,
                             "%s: it has no effect beside the other parameters that are given, leave it out",
                             wanted->what);
        quantities[i].value = (double)NAN;
    }
    return values != NULL;
}

static Quantity *take_defaults(const Making *making, const Card *card, Error *err)
{
    Quantity *quantities = arena_take(&making->plan->arena, card->parameter_count, sizeof *quantities, err);
    for (size_t i = 0; quantities && i < card->parameter_count; ++i)
        quantities[i] = (Quantity){.value = card->parameters[i].initial, .axis = -1};
    return quantities;
}

// The parameters of the sweep, replaced by the entry's where it gives them too, and after them the parameters that the
// entry alone gives.
//   all, own  the sweep's and the entry's; NULL: none
static bool want_parameters(Making *making, const Card *card, const YamlNode *all, const YamlNode *own, Quantity **made,
                            Error *err)
{
    Quantity *quantities = *made = take_defaults(making, card, err);
    if (!quantities || (all && !yaml_is_null(all) && !yaml_is_mapping(all, "parameters", err)))
        return false;
    for (size_t i = 0; all && i < all->count; ++i) {
        const YamlNode *node = yaml_find(own, all->keys[i]->text);
        if (!want_parameter(making, card, all->keys[i], node ? node : all->items[i], quantities, err))
            return false;
    }
    for (size_t i = 0; own && i < own->count; ++i)
        if (!yaml_find(all, own->keys[i]->text) &&
            !want_parameter(making, card, own->keys[i], own->items[i], quantities, err))
            return false;
    return want_columns(making, card, quantities, err) && check_given(making, card, quantities, err) &&
           leave_idle(making, card, quantities, err);
}

// The numbers of `newton:`, which may be axes: the keys of `node`, or of `stronger` where it has the key too; not the
// keys of `skipped`.
static bool want_newton_numbers(Making *making, const YamlNode *node, const YamlNode *stronger, const YamlNode *skipped,
                                Error *err)
{
    Newton *newton = &making->group->newton;
    for (size_t i = 0; node && i < node->count; ++i) {
        const char     *key = node->keys[i]->text;
        const YamlNode *own = yaml_find(stronger, key), *value = own ? own : node->items[i];
        if (yaml_find(skipped, key))
            continue;
        if (strcmp(key, "tolerance") == 0 &&
            !want(making, value, tolerance_axis, "newton.tolerance", tolerance_range, &newton->tolerance, err))
            return false;
        if (strcmp(key, "max_updates") == 0 &&
            !want(making, value, max_updates_axis, "newton.max_updates", max_updates_range, &newton->max_updates, err))
            return false;
    }
    return true;
}

static bool want_newton(Making *making, Error *err)
{
    Newton         *newton = &making->group->newton;
    const YamlNode *all = yaml_said(making->plan->spec->root, "newton"), *own = making->entry->newton;
    const size_t    before = making->count;
    if (!newton_make(all, own, making->group, err) || !want_newton_numbers(making, all, own, NULL, err) ||
        !want_newton_numbers(making, own, NULL, all, err) ||
        !want_column(making, tolerance_axis, tolerance_range, &newton->tolerance, err) ||
        !want_column(making, max_updates_axis, max_updates_range, &newton->max_updates, err))
        return false;
    // Explicit methods and linear stages have no such numbers: an axis of them would run every point again and again.
    if (!group_iterates(making->group))
        making->count = before;
    return true;
}

static bool multiply_points(Making *making, const YamlNode *node, const char *what, uint64_t count, Error *err)
{
    Group *group = making->group;
    if (!__builtin_mul_overflow(group->point_count, count, &group->point_count) && group->point_count <= PLAN_POINTS)
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

// The points of a random design lie along the last dimension, so that the points of a sample stand together.
static bool join_factors(Making *making, Error *err)
{
    Group        *group = making->group;
    Arena        *arena = &making->plan->arena;
    const char  **names = arena_take(arena, making->count, sizeof *names, err);
    Distribution *factors = arena_take(arena, making->count, sizeof *factors, err);
    size_t        count = 0;
    if (!names || !factors || group->design != DESIGN_RANDOM)
        return names && factors;
    for (size_t i = 0; i < making->count; ++i) {
        Wanted *wanted = &making->wanted[i];
        if (wanted->text.form != FORM_RANDOM)
            continue;
        if (!axis_values(&wanted->text, arena, err))
            return false;
        names[count] = wanted->axis.name;
        factors[count++] = wanted->text.distribution;
    }
    if (!design_make(making->plan, group, names, factors, count, err))
        return false;
    for (size_t i = 0; i < making->count; ++i)
        if (making->wanted[i].text.form == FORM_RANDOM) {
            making->wanted[i].text.count = (size_t)group->sampling->point_count;
            making->wanted[i].axis.dim = group->dim_count;
        }
    group->axis_count += count;
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
        const AxisForm form = making->wanted[i].text.form;
        if (form == FORM_NUMBER || form == FORM_RANDOM)
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

static bool make_axes(Making *making, Error *err)
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

// The first function that the method needs and the problem does not provide ends it.
static bool check_needs(const Making *making, Error *err)
{
    const Card *method = making->group->method, *problem = making->plan->problem;
    if (problem->first_order && !method->first_order)
        return yaml_fail(
            making->entry->method_node, err,
            "method '%s' is for systems of second order, and problem '%s' is of first order; `pendula list "
            "methods` says which suit it",
            method->name, problem->name);
    for (size_t i = 0; i < method->need_count; ++i)
        if (!card_provides(problem, method->needs[i]))
            return yaml_fail(making->entry->method_node, err,
                             "method '%s' needs '%s', which problem '%s' does not provide, leave it out", method->name,
                             method->needs[i], problem->name);
    return true;
}

static bool check_broken(const Making *making, Error *err)
{
    const Group    *group = making->group;
    const char     *key = events_key(group);
    const YamlNode *breaks = sweep_node(making, key);
    for (size_t i = 0; group->breaks && i < group->instance_count; ++i) {
        const Card *metric = group->instances[i].card;
        const char *why = breaks_forbid(metric);
        if (why)
            return yaml_fail(breaks, err, "%s: metrics '%s' %s, leave one of both out", key, metric->name, why);
    }
    return !group->breaks || !group->trajectory.times ||
           yaml_fail(breaks, err, "%s: trajectory.times lie between the ends of steps, take 'every' or 'samples'", key);
}

bool group_make(Plan *plan, const Entry *entry, Group *group, Error *err)
{
    Making making = {.plan = plan, .group = group, .entry = entry};
    group->label = entry->label;
    group->problem = plan->problem;
    group->design = plan->design.how;
    group->observing = plan->observing;
    if (catalog_reserves(plan->catalog, entry->label))
        return yaml_fail(entry->label_node, err, "label '%s': the name is reserved, choose another", entry->label);
    group->method = own_find(plan, entry->method_node, CARD_METHOD, err);
    if (!group->method || !check_needs(&making, err))
        return false;
    // step, steps, the parameters, tolerance and max_updates.
    const size_t most = 4 + plan->problem->parameter_count + group->method->parameter_count;
    making.wanted = arena_take(&plan->arena, most, sizeof *making.wanted, err);
    if (!making.wanted || !want_step(&making, err) ||
        !want_parameters(&making, plan->problem, plan->parameters, entry->parameters, &group->problem_parameters,
                         err) ||
        !want_parameters(&making, group->method, NULL, entry->values, &group->method_parameters, err) ||
        !want_newton(&making, err) ||
        !newton_make_substeps(yaml_said(plan->spec->root, "substeps"), entry->substeps, group, err) ||
        !make_axes(&making, err))
        return false;
    group->dofs = plan->problem->dofs;
    if (plan->problem->dofs_parameter)
        group->dofs =
            (size_t)group->problem_parameters[card_parameter(plan->problem, plan->problem->dofs_parameter)].value;
    group->coordinates = dof_list(plan->problem, group->dofs, &plan->arena, err);
    return group->coordinates && observe_check(plan, group, err) && begin_check(plan, group, err) &&
           breaks_make(plan, group, err) && events_make(plan, group, err) &&
           newton_make_scale(sweep_node(&making, "newton"), entry->newton, plan, group, err) &&
           group_time_check(plan, entry, group, err) && derivatives_make(plan, group, err) &&
           trajectory_make(plan, group, err) && variable_make_all(plan, group, err) && check_broken(&making, err);
}
