// settings -- writes a plan's effective settings and hashes all that its results depend on.
#include "plan/plan_make.h"
#include "base/hash.h"
#include "base/text.h"
#include "plan/events.h"
#include "plan/metric.h"
#include "plan/observe.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Longer axes are written by their ends and a hash of all values, and those that a caller gives again and again.
enum { LONGEST_WRITTEN = 1000 };

// As few digits as read back equal.
static void add_number(Text *text, const char *before, double number)
{
    char written[32];
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(written, sizeof written, "%.*g", digits, number);
        if (strtod(written, NULL) == number)
            break;
    }
    text_add(text, "%s%s", before, written);
}

static void write_distribution(Text *text, const Distribution *distribution)
{
    const size_t  count = distribution->kind == DISTRIBUTION_CHOICE ? distribution->value_count
                                                                    : distribution_number_count(distribution->kind);
    const double *numbers = distribution->kind == DISTRIBUTION_CHOICE ? distribution->values : distribution->numbers;
    text_add(text, "{%s: [", distribution_names[distribution->kind]);
    for (size_t i = 0; i < count; ++i)
        add_number(text, i == 0 ? "" : ", ", numbers[i]);
    text_add(text, "]}");
}

static void write_sampling(Text *text, const Sampling *sampling)
{
    const bool alone = sampling->kind == SAMPLING_ONE_AT_A_TIME || sampling->kind == SAMPLING_LOCAL;
    text_add(text, "{%s: {", sampling_names[sampling->kind]);
    if (!alone)
        text_add(text, "%s: %llu, seed: %llu", sampling->kind == SAMPLING_MORRIS ? "trajectories" : "samples",
                 (unsigned long long)sampling->samples, (unsigned long long)sampling->seed);
    switch (sampling->kind) {
    case SAMPLING_SOBOL: text_add(text, ", scramble: %s", sampling->plain ? "false" : "true"); break;
    case SAMPLING_SALTELLI:
        text_add(text, ", second_order: %s", sampling->second_order ? "true" : "false");
        if (sampling->nets > 1)
            text_add(text, ", nets: %u", sampling->nets);
        break;
    case SAMPLING_MORRIS: text_add(text, ", levels: %u", sampling->levels); break;
    case SAMPLING_ONE_AT_A_TIME: text_add(text, "levels: %u", sampling->levels); break;
    case SAMPLING_LOCAL:
        add_number(text, "step: ", sampling->step);
        text_add(text, ", halvings: %u", sampling->halvings);
        break;
    case SAMPLING_RANDOM:
    case SAMPLING_LHS:
    case SAMPLING_COUNT: break;
    }
    if (sampling->optimise > 0)
        text_add(text, ", %s: %llu", sampling->kind == SAMPLING_MORRIS ? "candidates" : "optimise",
                 (unsigned long long)sampling->optimise);
    text_add(text, "}");
}

// Which factors change together, by name, and all correlations of the normals, a matrix row for each factor.
static void write_factors(Text *text, const Group *group)
{
    const Sampling *sampling = group->sampling;
    const size_t    n = sampling->factor_count;
    for (size_t g = 0; sampling->group_of && g < sampling->group_count; ++g) {
        size_t listed = 0;
        text_add(text, "%s%s: [", g == 0 ? ", groups: {" : "], ", sampling->group_names[g]);
        for (size_t i = 0; i < group->axis_count; ++i)
            if (!group->axes[i].values && sampling->group_of[group->axes[i].factor] == g)
                text_add(text, "%s%s", listed++ ? ", " : "", group->axes[i].name);
    }
    text_add(text, "%s", sampling->group_of ? "]}" : "");
    for (size_t i = 0; sampling->correlation && i < n * n; ++i)
        add_number(text, i == 0 ? ", correlation: [[" : i % n == 0 ? "], [" : ", ", sampling->correlation[i]);
    text_add(text, "%s", sampling->correlation ? "]]" : "");
}

// Sets the texts of a group's random design and of its factors' distributions.
static bool describe_design(Group *group, Arena *arena, Error *err)
{
    Text text = {0};
    if (!group->sampling)
        return true;
    write_sampling(&text, group->sampling);
    write_factors(&text, group);
    text_add(&text, "}");
    group->sampling_text = text_keep(&text, arena, err);
    bool kept = group->sampling_text != NULL;
    for (size_t i = 0; kept && i < group->axis_count; ++i) {
        if (group->axes[i].values)
            continue;
        write_distribution(&text, &group->sampling->factors[group->axes[i].factor]);
        kept = (group->axes[i].distribution = text_keep(&text, arena, err)) != NULL;
    }
    return kept;
}

static void write_axis(Text *text, const Axis *axis)
{
    if (!axis->values) {
        text_add(text, "%s", axis->distribution);
        return;
    }
    if (axis->given) {
        text_add(text, "{given: %zu}", axis->count);
        return;
    }
    if (axis->count > LONGEST_WRITTEN) {
        text_add(text, "{first: %.17g, last: %.17g, count: %zu, hash: %016" PRIx64 "}", axis->values[0],
                 axis->values[axis->count - 1], axis->count,
                 hash_bytes(hash_start, axis->values, axis->count * sizeof *axis->values));
        return;
    }
    for (size_t i = 0; i < axis->count; ++i)
        text_add(text, "%s%.17g", i == 0 ? "[" : ", ", axis->values[i]);
    text_add(text, "]");
}

static void write_quantity(Text *text, const Group *group, Quantity quantity)
{
    if (quantity.axis >= 0)
        write_axis(text, &group->axes[quantity.axis]);
    else
        text_add(text, "%.17g", quantity.value);
}

static void write_parameters(Text *text, const Group *group, const char *key, const Card *card,
                             const Quantity *quantities)
{
    const char *before = "";
    text_add(text, "    %s: {", key);
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        if (!quantity_given(quantities[i]))
            continue;
        text_add(text, "%s%s: ", before, parameter->name);
        before = ", ";
        if (parameter->choices)
            text_add(text, "%s", parameter->choices[(size_t)quantities[i].value]);
        else
            write_quantity(text, group, quantities[i]);
    }
    text_add(text, "}\n");
}

static void write_times(Text *text, const Group *group)
{
    const struct {
        const char *name;
        bool        given;
        Quantity    quantity;
    } times[] = {{"step", group->step_given, group->step},
                 {"steps", group->steps_given, group->steps},
                 {"end", group->end_given, group->end},
                 {"begin", group->problem->begin > 0, group_begins(group)}};
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i)
        if (times[i].given) {
            text_add(text, "    %s: ", times[i].name);
            write_quantity(text, group, times[i].quantity);
            text_add(text, "\n");
        }
}

static void write_scale(Text *text, const Group *group)
{
    const double *scale = group->newton.scale;
    const char   *separator = ", scale: {";
    for (size_t i = 0; scale && i < group->dofs; ++i)
        if (scale[i] > 0.0) {
            text_add(text, "%s%s: %.17g", separator, group->coordinates[i].name, scale[i]);
            separator = ", ";
        }
    text_add(text, scale ? "}" : "");
}

static void write_newton(Text *text, const Group *group)
{
    static const char *const jacobians[] = {"central", "forward", "analytic"};
    const Newton            *newton = &group->newton;
    const char              *stencil = newton->cube_root_stencil ? "cbrt" : "sqrt";
    if (group->method->unknown == UNKNOWN_NONE)
        return;
    if (!group_iterates(group)) {
        text_add(text, "    newton: {stencil: %s, jacobian: %s", stencil, jacobians[newton->jacobian]);
    } else {
        text_add(text,
                 "    newton: {residual: %s, stencil: %s, floor_guard: %s, jacobian: %s, update: %s, guess: %s, "
                 "tolerance: ",
                 newton->scaled_residual ? "scaled" : "raw", stencil, newton->floor_guard ? "true" : "false",
                 jacobians[newton->jacobian], newton->modified ? "modified" : "full",
                 newton->extrapolated ? "extrapolated" : "last");
        write_quantity(text, group, newton->tolerance);
        text_add(text, ", max_updates: ");
        write_quantity(text, group, newton->max_updates);
        write_scale(text, group);
    }
    text_add(text, "}\n    substeps: {max_depth: %d, budget: %.17g, start: %s}\n", group->substeps.max_depth,
             group->substeps.budget, group_start_names[group->substeps.start]);
}

static void write_instance(Text *text, const Group *group, const MetricInstance *instance)
{
    if (card_takes(instance->card, "of"))
        text_add(text, ", of: %s", metric_observed(group, instance));
    if (card_takes(instance->card, "window")) {
        if (isfinite(instance->from))
            text_add(text, ", from: %.17g", instance->from);
        if (isfinite(instance->to))
            text_add(text, ", to: %.17g", instance->to);
    }
    for (size_t i = 0; i < instance->card->parameter_count; ++i) {
        const CardParameter  *parameter = &instance->card->parameters[i];
        const MetricArgument *argument = &instance->arguments[i];
        text_add(text, ", %s: ", parameter->name);
        if (argument->formula)
            text_add(text, "\"%s\"", argument->text);
        else if (parameter->choice_count)
            text_add(text, "%s", parameter->choices[(size_t)argument->value]);
        else
            text_add(text, "%.17g", argument->value);
    }
}

void plan_write_metric(const Plan *plan, const Group *group, const Variable *variable, Text *text)
{
    const MetricInstance *instance = &group->instances[variable->instance];
    const char           *result = instance->card->results[variable->result].name, *word = NULL;
    if (instance->card->of_events) {  // its name is all that a sweep may say of it
        text_add(text, "%s", result);
        return;
    }
    for (size_t i = 0; i < plan->own_count; ++i)
        if (plan->own[i].card == instance->card)
            word = plan->own[i].word;
    if (word)
        text_add(text, "{\"%s\": {result: %s, label: %s", word, result, variable->name);
    else
        text_add(text, "{%s: {label: %s", result, variable->name);
    write_instance(text, group, instance);
    text_add(text, "}}");
}

static void write_metrics(Text *text, const Plan *plan, const Group *group)
{
    text_add(text, "    metrics: [");
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        if (variable->trajectory)
            continue;
        text_add(text, "%s", i == 0 ? "" : ", ");
        if (variable->source == SOURCE_METRIC)
            plan_write_metric(plan, group, variable, text);
        else
            text_add(text, "%s", variable->name);
    }
    text_add(text, "]\n");
}

// Which indices along a dimension are stored; nothing where all are.
static void write_selection(Text *text, const Group *group)
{
    const Trajectory *trajectory = &group->trajectory;
    for (size_t i = 0; i < group->dim_count; ++i) {
        if (trajectory->selected_count[i] == group->dims[i].count)
            continue;
        text_add(text, ", %s: [", group->dims[i].name);
        for (size_t k = 0; k < trajectory->selected_count[i]; ++k)
            text_add(text, "%s%zu", k == 0 ? "" : ", ", trajectory->selected[i][k]);
        text_add(text, "]");
    }
}

static void write_trajectory(Text *text, const Group *group)
{
    const Trajectory *trajectory = &group->trajectory;
    const char       *separator = "";
    if (!trajectory->stored)
        return;
    if (trajectory->every > 0)
        text_add(text, "    trajectory: {every: %llu, fields: [", (unsigned long long)trajectory->every);
    else if (!trajectory->times)
        text_add(text, "    trajectory: {samples: %zu, fields: [", trajectory->sample_count);
    for (size_t k = 0; trajectory->times && k < trajectory->sample_count; ++k)
        text_add(text, "%s%.17g", k == 0 ? "    trajectory: {times: [" : ", ", trajectory->times[k]);
    text_add(text, trajectory->times ? "], fields: [" : "");
    for (size_t i = 0; i < group->variable_count; ++i)
        if (group->variables[i].trajectory) {
            text_add(text, "%s%s", separator, group->variables[i].name);
            separator = ", ";
        }
    text_add(text, "], indices: {stored: %zu", trajectory->slot_count);
    write_selection(text, group);
    text_add(text, "}}\n");
}

// Which axes go together, but for the design that says it of all.
static void write_together(Text *text, const Group *group)
{
    for (size_t d = 0; d < group->dim_count && group->design != DESIGN_ZIP; ++d) {
        size_t listed = 0;
        if (!group->dims[d].together)
            continue;
        text_add(text, "    %s: [", group->dims[d].name);
        for (size_t i = 0; i < group->axis_count; ++i)
            if (group->axes[i].dim == d)
                text_add(text, "%s%s", listed++ ? ", " : "", group->axes[i].name);
        text_add(text, "]\n");
    }
}

static void write_break_number(Text *text, const char *before, const BreakNumber *number)
{
    if (number->formula)
        text_add(text, "%s\"%s\"", before, number->text);
    else
        add_number(text, before, number->value);
}

static void write_sets(Text *text, const Group *group, const BreakSet *sets, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        const Dof *dof = &group->coordinates[sets[k].dof];
        text_add(text, "%s%s: \"%s\"%s", k == 0 ? ", set: {" : ", ", sets[k].velocity ? dof->velocity : dof->name,
                 sets[k].text, k + 1 == count ? "}" : "");
    }
}

static void write_events(Text *text, const Group *group)
{
    static const char *const ways[] = {"both", "up", "down"};
    for (size_t i = 0; group->events && i < group->events->count; ++i) {
        const EventEntry *entry = &group->events->list[i];
        text_add(text, "%s{when: \"%s\", direction: %s", i == 0 ? "    events: [" : ", ", entry->text,
                 ways[entry->direction]);
        write_sets(text, group, entry->sets, entry->set_count);
        if (entry->count)
            text_add(text, ", count: %s", entry->count);
        if (entry->times)
            text_add(text, ", times: %zu", entry->times);
        text_add(text, ", stop: %s}%s", entry->stop ? "true" : "false", i + 1 == group->events->count ? "]\n" : "");
    }
}

static void write_breaks(Text *text, const Group *group)
{
    for (size_t i = 0; group->breaks && i < group->breaks->count; ++i) {
        const BreakEntry *entry = &group->breaks->list[i];
        text_add(text, "%s", i == 0 ? "    breaks: [{at: [" : ", {at: [");
        for (size_t k = 0; k < entry->at_count; ++k)
            write_break_number(text, k == 0 ? "" : ", ", &entry->at[k]);
        text_add(text, "]");
        if (entry->repeats) {
            write_break_number(text, ", every: ", &entry->every);
            write_break_number(text, ", count: ", &entry->count);
        }
        write_sets(text, group, entry->sets, entry->set_count);
        text_add(text, i + 1 == group->breaks->count ? "}]\n" : "}");
    }
}

static void write_group(Text *text, const Plan *plan, const Group *group)
{
    text_add(text, "  - label: %s\n    method: %s\n", group->label, group->method->name);
    if (group->sampling)
        text_add(text, "    sampling: %s\n", group->sampling_text);
    write_together(text, group);
    write_parameters(text, group, "parameters", group->problem, group->problem_parameters);
    write_parameters(text, group, "method_parameters", group->method, group->method_parameters);
    write_times(text, group);
    write_breaks(text, group);
    write_events(text, group);
    write_newton(text, group);
    write_metrics(text, plan, group);
    write_trajectory(text, group);
}

// Of the samples their number and a hash.
static void write_tables(Text *text, const Plan *plan)
{
    for (size_t i = 0; i < plan->table_count; ++i) {
        const Curve *curve = &plan->tables[i];
        text_add(text, "%s%s: {between: %s, outside: %s%s%s, count: %zu, hash: %016" PRIx64 "}",
                 i == 0 ? "tables: {" : ", ", curve->name, curve_between_names[curve->between],
                 curve_outside_names[curve->outside], curve->of ? ", of: " : "", curve->of ? curve->of : "",
                 curve->count,
                 hash_bytes(hash_start, curve->samples, curve->columns * curve->count * sizeof *curve->samples));
    }
    text_add(text, plan->table_count > 0 ? "}\n" : "");
}

static void write_observed(Text *text, const Plan *plan)
{
    for (size_t i = 0; plan->observing && i < plan->observing->count; ++i)
        text_add(text, "%s%s: \"%s\"", i == 0 ? "observe: {" : ", ", plan->observing->list[i].name,
                 plan->observing->list[i].text);
    text_add(text, plan->observing ? "}\n" : "");
}

// They are those of all groups.
static void write_derivatives(Text *text, const Group *group)
{
    for (size_t i = 0; i < group->derivative_count; ++i)
        text_add(text, "%s%s", i == 0 ? "derivatives: [" : ", ", group->derivatives[i].name);
    text_add(text, group->derivative_count > 0 ? "]\n" : "");
}

static void write_settings(Text *text, const Plan *plan)
{
    static const char *const designs[] = {"grid", "zip", "random"};
    text_add(text, "problem: %s\nprecision: %s\ndesign: %s\n", plan->problem->name,
             plan->precision == PRECISION_SINGLE ? "single" : "double", designs[plan->groups[0].design]);
    write_tables(text, plan);
    write_observed(text, plan);
    write_derivatives(text, &plan->groups[0]);
    text_add(text, "groups:\n");
    for (size_t i = 0; i < plan->group_count; ++i)
        write_group(text, plan, &plan->groups[i]);
}

static uint64_t hash_group(uint64_t hash, const Group *group)
{
    for (size_t i = 0; i < group->axis_count; ++i)
        if (group->axes[i].values)
            hash = hash_bytes(hash, group->axes[i].values, group->axes[i].count * sizeof *group->axes[i].values);
    hash = hash_text(hash, group->method->text);
    for (size_t i = 0; i < group->instance_count; ++i)
        hash = hash_text(hash, group->instances[i].card->text);
    return hash;
}

static uint64_t hash_plan(const Plan *plan)
{
    uint64_t hash = hash_text(hash_start, plan->settings);
    hash = hash_text(hash, plan->problem->text);
    for (size_t i = 0; i < plan->group_count; ++i)
        hash = hash_group(hash, &plan->groups[i]);
    for (size_t i = 0; i < kernel_file_count; ++i)
        if (!strchr(kernel_files[i].path, '/'))
            hash = hash_text(hash, kernel_files[i].text);
    return hash;
}

bool settings_make(Plan *plan, Error *err)
{
    Text     text = {0};
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        return fail(err, ERROR_INTERNAL, "out of memory for the settings");
    // Numbers have a point in them whatever the user's language.
    locale_t before = uselocale(c_locale);
    bool     described = true;
    for (size_t i = 0; i < plan->group_count; ++i)
        described = described && describe_design(&plan->groups[i], &plan->arena, err);
    if (described)
        write_settings(&text, plan);
    uselocale(before);
    freelocale(c_locale);
    plan->settings = described ? text_keep(&text, &plan->arena, err) : NULL;
    if (!plan->settings)
        return false;
    plan->fingerprint = plan->spec->points ? 0 : hash_plan(plan);
    return true;
}
