// fit_sweep -- values put into the tree of a sweep, which is written key by key.
#include "analysis/fit/fit_sweep.h"

#include "base/json.h"
#include "base/scoped.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

bool fit_sweep_check(const Plan *plan, const Measurements *data, Error *err)
{
    if (plan->group_count > 1)
        return fail(err, ERROR_USAGE,
                    "--sweep: the sweep has %zu groups, each with an optimum of its own: choose one, as by -s "
                    "methods=[%s]",
                    plan->group_count, plan->groups[0].label);
    const Group *group = &plan->groups[0];
    for (size_t a = 0; a < group->axis_count; ++a)
        if (!group->axes[a].values && group->axes[a].role != AXIS_PROBLEM &&
            measurements_axis(data, group->axes[a].name) < data->axis_count)
            return fail(err, ERROR_USAGE,
                        "--sweep: '%s' has a distribution and is no parameter of the problem: give it a list of the "
                        "values that %s has",
                        group->axes[a].name, data->path);
    return true;
}

// The mapping that gives a parameter of the problem: `parameters:` goes before that of a problem of formulas.
static YamlNode *find_home(const YamlNode *root, const char *name)
{
    YamlNode *own = yaml_said(root, "parameters"), *problem = yaml_said(root, "problem"),
             *other = problem && problem->kind == YAML_MAPPING ? yaml_said(problem, "parameters") : NULL;
    return own && yaml_find(own, name) ? own : other && yaml_find(other, name) ? other : NULL;
}

static YamlNode *make_scalar(const YamlNode *at, double value, Arena *arena, Error *err)
{
    Text      text SCOPED(text_free) = {0};
    YamlNode *node = arena_take(arena, 1, sizeof *node, err);
    json_number(&text, value);
    if (!node || !text_check(&text, err))
        return NULL;
    *node = (YamlNode){.kind = YAML_SCALAR, .origin = at->origin, .line = at->line, .column = at->column};
    node->text = arena_copy(arena, text.text, err);
    return node->text ? node : NULL;
}

static bool fail_home(const char *name, Error *err)
{
    return fail(err, ERROR_INTERNAL, "parameter '%s' stands nowhere in the sweep", name);
}

static bool set_parameter(const Spec *spec, const FitParameter *parameter, Arena *arena, Error *err)
{
    YamlNode *home = find_home(spec->root, parameter->name);
    if (!home)
        return fail_home(parameter->name, err);
    YamlNode *value = make_scalar(yaml_find(home, parameter->name), parameter->value, arena, err);
    return value && yaml_put(home, parameter->name, value, arena, err);
}

// The different values that the conditions have of an axis, ascending.
static bool set_condition(const Spec *spec, const Measurements *data, size_t axis, Arena *arena, Error *err)
{
    const char *name = data->axes[axis];
    YamlNode   *home = find_home(spec->root, name), *list = arena_take(arena, 1, sizeof *list, err);
    double     *values = arena_take(arena, data->condition_count, sizeof *values, err);
    if (!home)
        return fail_home(name, err);
    if (!list || !values)
        return false;
    const YamlNode *at = yaml_find(home, name);
    *list = (YamlNode){.kind = YAML_SEQUENCE, .origin = at->origin, .line = at->line, .column = at->column};
    list->items = arena_take(arena, data->condition_count, sizeof(YamlNode *), err);
    for (size_t i = 0; i < data->condition_count; ++i)
        values[i] = data->conditions[i * data->axis_count + axis];
    sort_numbers(values, data->condition_count);
    for (size_t i = 0; list->items && i < data->condition_count; ++i)
        if ((i == 0 || values[i] != values[i - 1]) &&
            !(list->items[list->count++] = make_scalar(at, values[i], arena, err)))
            return false;
    return list->items && yaml_put(home, name, list, arena, err);
}

static bool set_all(const GroupFit *fit, const Spec *spec, Arena *arena, Error *err)
{
    const Measurements *data = fit->request->data;
    for (size_t j = 0; j < fit->parameter_count; ++j)
        if (!set_parameter(spec, &fit->parameters[j], arena, err))
            return false;
    for (size_t k = 0; k < data->axis_count; ++k)
        if (!group_axis(fit->group, data->axes[k])->values && !set_condition(spec, data, k, arena, err))
            return false;
    return true;
}

bool fit_sweep_write(const GroupFit *fit, const Spec *sweep, const char *const *overrides, size_t override_count,
                     Text *text, Error *err)
{
    const Measurements *data = fit->request->data;
    Spec                spec SCOPED(spec_free) = {0};
    Arena               arena SCOPED(arena_free) = {0};
    if (!spec_read_text(sweep->path, sweep->text, overrides, override_count, &spec, err) ||
        !set_all(fit, &spec, &arena, err))
        return false;
    text_add(text, "# Fitted by `pendula fit` to %zu measured values: the sum of squares is %.9g.\n", data->count,
             fit->squares);
    for (size_t i = 0; i < spec.root->count; ++i) {
        const char *key = spec.root->keys[i]->text;
        const bool  random = strcmp(key, "correlated") == 0 || (strcmp(key, "design") == 0 && fit->group->sampling);
        if (random || yaml_is_null(spec.root->items[i]))
            continue;
        text_add(text, "%s: ", key);
        yaml_write(spec.root->items[i], text);
        text_add(text, "\n");
    }
    if (!yaml_said(spec.root, "trajectory")) {
        text_add(text, "trajectory: ");
        fit_study_samples(data, data->times, data->time_count, NULL, 0, text);
        text_add(text, "\n");
    }
    return text_check(text, err);
}
