// reference_case -- a group from a Case, its variables, its run on the reference.
#include "support/reference_case.h"

#include "support/built_in.h"

static void *take(Run *run, size_t count, size_t size)
{
    void *start = arena_take(&run->arena, count, size, &err);
    assert_non_null(start);
    return start;
}

// Of a name that problem and method have it is the problem's parameter that is set.
static Quantity *case_parameters(Run *run, const Case *c, const Card *card)
{
    const Card *problem = run->group.problem;
    Quantity   *quantities = take(run, card->parameter_count, sizeof *quantities);
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const char *name = card->parameters[i].name;
        quantities[i] = (Quantity){card->parameters[i].initial, -1};
        for (size_t j = 0; j < MOST_SETTINGS && c->settings[j].name; ++j)
            if (strcmp(c->settings[j].name, name) == 0 &&
                (card == problem || card_parameter(problem, name) == problem->parameter_count))
                quantities[i].value = c->settings[j].value;
        if (c->axis && card->kind == CARD_PROBLEM && strcmp(c->axis, name) == 0)
            quantities[i].axis = 0;
    }
    return quantities;
}

// What the problem's parameter says, where it has one for the number of its degrees of freedom.
static size_t case_dofs(const Group *group)
{
    const Card *problem = group->problem;
    for (size_t i = 0; problem->dofs_parameter && i < problem->parameter_count; ++i)
        if (strcmp(problem->parameters[i].name, problem->dofs_parameter) == 0)
            return (size_t)group->problem_parameters[i].value;
    return problem->dofs;
}

// A solution is the closed form here: these groups have no tables.
static bool case_provides(const Group *group, const char *const *needs, size_t count)
{
    bool all = true;
    for (size_t i = 0; i < count; ++i) {
        const char *feature = strcmp(needs[i], "solution") == 0 ? "exact" : needs[i];
        all = all && (strcmp(feature, "newton") == 0 ? group->method->unknown != UNKNOWN_NONE
                                                     : card_provides(group->problem, feature));
    }
    return all;
}

static void add_variable(Group *group, const char *name, VariableType type, VariableSource source, size_t width)
{
    Variable *variable = &group->variables[group->variable_count++];
    *variable = (Variable){.name = name, .type = type, .source = source, .width = width};
    variable->trajectory = source >= SOURCE_X;
    variable->per_dof =
        source == SOURCE_X_FINAL || source == SOURCE_V_FINAL || source == SOURCE_X || source == SOURCE_V;
}

// Every metric that applies, status, the final state and all trajectory fields.
static void case_variables(Run *run, const Case *c)
{
    Group *group = &run->group;
    size_t dofs = group->dofs;
    group->variables = take(run, 256, sizeof *group->variables);
    group->instances = take(run, built_in()->card_count, sizeof *group->instances);
    add_variable(group, "status", TYPE_I8, SOURCE_STATUS, 1);
    for (size_t i = 0; i < built_in()->card_count; ++i) {
        const Card *card = &built_in()->cards[i];
        // Deviations are carried along by kernels alone.
        if (card->kind != CARD_METRIC || card->deviations || !case_provides(group, card->needs, card->need_count))
            continue;
        group->instances[group->instance_count] = (MetricInstance){
            .card = card,
            .of = c->of,
            .from = c->from,
            .to = c->to > 0.0 ? c->to : (double)INFINITY,
            .arguments = take(run, card->parameter_count + 1, sizeof(MetricArgument)),
        };
        for (size_t k = 0; k < card->parameter_count; ++k)
            group->instances[group->instance_count].arguments[k].value = card->parameters[k].initial;
        for (size_t j = 0; j < card->result_count; ++j) {
            const CardResult *result = &card->results[j];
            if (!case_provides(group, result->needs, result->need_count))
                continue;
            add_variable(group, result->name, result->whole ? TYPE_I64 : TYPE_F64, SOURCE_METRIC, 1);
            group->variables[group->variable_count - 1].instance = group->instance_count;
            group->variables[group->variable_count - 1].result = j;
        }
        ++group->instance_count;
    }
    add_variable(group, "x_final", TYPE_F64, SOURCE_X_FINAL, dofs);
    add_variable(group, "v_final", TYPE_F64, SOURCE_V_FINAL, dofs);
    if (c->every == 0)
        return;
    size_t samples = (size_t)(c->steps / c->every) + 1;
    group->trajectory = (Trajectory){.stored = true, .every = c->every, .sample_count = samples};
    group->trajectory.slot_count = group->point_count;
    group->trajectory.selected_count = take(run, 1, sizeof(size_t));
    group->trajectory.selected_count[0] = c->value_count;
    group->trajectory.selected = take(run, 1, sizeof(size_t *));
    group->trajectory.selected[0] = take(run, c->value_count, sizeof(size_t));
    for (size_t i = 0; i < c->value_count; ++i)
        group->trajectory.selected[0][i] = i;
    add_variable(group, "x", TYPE_F64, SOURCE_X, samples * dofs);
    add_variable(group, "v", TYPE_F64, SOURCE_V, samples * dofs);
    add_variable(group, "energy", TYPE_F64, SOURCE_ENERGY, samples);
    add_variable(group, "condition", TYPE_F64, SOURCE_CONDITION, samples);
    add_variable(group, "updates_so_far", TYPE_F64, SOURCE_UPDATES, samples);
}

void run_free(Run *run)
{
    results_free(&run->results);
    arena_free(&run->arena);
}

void case_plan(Run *run, const Case *c)
{
    Group *group = &run->group;
    double points = c->axis ? (double)c->value_count : 1.0;
    run_free(run);
    *run = (Run){.plan = {.precision = c->precision, .groups = group, .group_count = 1}};
    group->problem = catalog_find(built_in(), CARD_PROBLEM, c->problem);
    group->method = catalog_find(built_in(), CARD_METHOD, c->method);
    assert_non_null(group->problem);
    assert_non_null(group->method);
    group->point_count = group->block_points = (uint64_t)points;
    group->block_count = 1;
    if (c->axis) {
        run->axis = (Axis){.name = c->axis, .role = AXIS_PROBLEM, .count = c->value_count};
        run->axis.values = take(run, c->value_count, sizeof(double));
        memcpy(run->axis.values, c->values, c->value_count * sizeof(double));
        group->axes = &run->axis;
        group->axis_count = 1;
        run->dim = (Dim){.name = c->axis, .count = c->value_count};
        group->dims = &run->dim;
        group->dim_count = 1;
    }
    group->problem_parameters = case_parameters(run, c, group->problem);
    group->method_parameters = case_parameters(run, c, group->method);
    group->dofs = case_dofs(group);
    group->step = (Quantity){c->h, -1};
    group->steps = (Quantity){(double)c->steps, -1};
    group->step_given = group->steps_given = true;
    group->newton = (Newton){
        .scaled_residual = !c->paper,
        .cube_root_stencil = !c->paper,
        .floor_guard = !c->paper && !c->guard_off,
        .jacobian = c->jacobian,
        .tolerance = {c->tolerance, -1},
        .max_updates = {c->max_updates > 0.0 ? c->max_updates : 50.0, -1},
    };
    group->substeps = (Substeps){
        .max_depth = c->no_halving      ? 0
                     : c->max_depth > 0 ? c->max_depth
                                        : 20,
        .budget = c->budget > 0.0 ? c->budget : 200.0,
        .start = c->start,
    };
    case_variables(run, c);
}

bool case_try(const Case *c, const volatile sig_atomic_t *stop, Run *run)
{
    case_plan(run, c);
    Group *group = &run->group;
    Batch batch = {.group = group, .point_count = (size_t)group->point_count, .slot_count = (size_t)group->point_count};
    ReferenceOptions options = {.threads = c->threads, .stop = stop};
    assert_true(results_make(group, batch.point_count, batch.slot_count, &run->results, &err));
    return reference_run(&run->plan, &batch, &options, &run->results, &err);
}

void run_case(const Case *c, Run *run)
{
    if (!case_try(c, NULL, run))
        fail_msg("%s", err.message);
}

void run_to(Status expected, const Case *c, Run *run)
{
    run_case(c, run);
    assert_string_equal(plan_status_names[status(run)], plan_status_names[expected]);
}

size_t variable_of(const Run *run, const char *name)
{
    for (size_t i = 0; i < run->group.variable_count; ++i)
        if (strcmp(run->group.variables[i].name, name) == 0)
            return i;
    fail_msg("no variable '%s'", name);
    return 0;
}

double case_element(const Run *run, const char *name, size_t point, size_t i)
{
    return results_value(&run->results, variable_of(run, name), point, i);
}

double case_number(const Run *run, const char *name)
{
    return case_element(run, name, 0, 0);
}

void case_due(const Run *run, const Due *due)
{
    for (; due->name; ++due)
        test_due(case_number(run, due->name), due);
}

Status status(const Run *run)
{
    return (Status)case_number(run, "status");
}

double number_of(const Case *c, const char *name)
{
    Run run SCOPED(run_free) = {0};
    run_case(c, &run);
    return case_number(&run, name);
}
