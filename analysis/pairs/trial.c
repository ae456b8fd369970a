// trial -- sweep of a trial: written once, its axes filled for each launch, its metrics read.
#include "analysis/pairs/trial.h"

#include "engine/point_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Points per launch.
enum { TRIAL_POINTS = 4096 };

// The sweep has one group, whose variables are the status and then the metrics.
struct Trial {
    const Family *family;
    size_t        metric_count;
    Spec          spec;
    Plan          plan;
    PointList     list;
    double       *parameters;  // [parameter_count of the method] of a point
    Arena         arena;
};

// An override of the other method of a pair does not concern this one.
static bool concerns(const char *override, const Catalog *catalog, const Card *method)
{
    char name[64];
    if (sscanf(override, "methods.%63[^.=]", name) != 1)
        return true;
    const Card *owner = catalog_find(catalog, CARD_METHOD, name);
    return !owner || owner == method;
}

static bool sets_time(const char *override)
{
    return strncmp(override, "step=", 5) == 0 || strncmp(override, "steps=", 6) == 0 ||
           strncmp(override, "end=", 4) == 0;
}

// Values of an axis are replaced before every launch: here any that the card permits will do.
static void write_parameters(Text *text, const Family *family, double *parameters)
{
    const Card          *method = family->method;
    const CardParameter *own = &method->parameters[family->free];
    family_at(family, isnan(own->initial) ? 0.5 * (family->least + family->most) : own->initial, parameters);
    const char *before = "";
    for (size_t i = 0; i < method->parameter_count; ++i) {
        if (isnan(parameters[i]))
            continue;
        text_add(text, "%s", before);
        before = ", ";
        setting_add_value(text, &method->parameters[i], parameters[i],
                          i == family->free || i == family->tied ? TRIAL_POINTS : 0);
    }
}

static void write_sweep(Text *text, const Family *family, const TrialSetting *setting, double *parameters)
{
    text_add(text, "problem: %s\ndesign: zip\nmetrics: [status", setting->problem);
    for (size_t i = 0; i < setting->metric_count; ++i)
        text_add(text, ", %s", setting->metrics[i]);
    text_add(text, "]\nmethods: [");
    setting_add_card(text, family->method);
    text_add(text, ": {");
    write_parameters(text, family, parameters);
    text_add(text, "}]\n%s", setting->defaults);
}

// Refuses an override that makes an axis: points are the values of the free parameter alone.
static bool check_numbers(const YamlNode *node, Error *err)
{
    const bool list = node->kind == YAML_SEQUENCE || yaml_find(node, "linear") || yaml_find(node, "log");
    if (list && node->origin->override)
        return yaml_fail(node, err, "one value, not an axis");
    for (size_t i = 0; i < node->count; ++i)
        if (!check_numbers(node->items[i], err))
            return false;
    return true;
}

// Refuses overrides of the keys that the trial sets itself.
static bool check_overrides(const Spec *spec, Error *err)
{
    static const char *const own[] = {"problem", "design", "methods", "metrics", "trajectory"};
    for (size_t i = 0; i < sizeof own / sizeof *own; ++i) {
        const YamlNode *node = yaml_find(spec->root, own[i]);
        if (node && node->origin->override)
            return yaml_fail(node, err, "'%s' is not to be set here", own[i]);
    }
    const YamlNode *parameters = yaml_find(spec->root, "methods")->items[0]->items[0];
    for (size_t i = 0; i < parameters->count; ++i)
        if (parameters->items[i]->origin->override)
            return yaml_fail(parameters->items[i], err, "parameters of the method are not to be set here");
    return check_numbers(spec->root, err);
}

static bool read_sweep(Trial *trial, const Catalog *catalog, const TrialSetting *setting, const char *name, Error *err)
{
    const Card  *method = trial->family->method;
    Text         sweep = {0};
    size_t       count = 0;
    const bool   timed = setting->step > 0.0;
    const char **overrides = arena_take(&trial->arena, setting->override_count + 2, sizeof *overrides, err);
    for (size_t i = 0; overrides && i < setting->override_count; ++i)
        if (concerns(setting->overrides[i], catalog, method) && !(timed && sets_time(setting->overrides[i])))
            overrides[count++] = setting->overrides[i];
    char *step = timed ? arena_format(&trial->arena, err, "step=%.17g", setting->step) : NULL,
         *end = step ? arena_format(&trial->arena, err, "end=%.17g", setting->step * setting->steps) : NULL;
    if (!overrides || (timed && !end))
        return false;
    if (timed) {
        overrides[count++] = step;
        overrides[count++] = end;
    }
    write_sweep(&sweep, trial->family, setting, trial->parameters);
    const bool ok = text_check(&sweep, err) && spec_read_text(name, sweep.text, overrides, count, &trial->spec, err) &&
                    check_overrides(&trial->spec, err) && plan_make(&trial->spec, catalog, &trial->plan, err);
    text_free(&sweep);
    return ok;
}

// The user never sees the text of the sweep, so its place is left out: the error is in the setting.
static bool blame_setting(const char *name, Error *err)
{
    const size_t length = strlen(name);
    if (err->kind != ERROR_INPUT)
        return false;
    err->kind = ERROR_USAGE;
    if (strncmp(err->message, name, length) == 0 && err->message[length] == ':') {
        const char *what = strchr(err->message + length, ' ');
        memmove(err->message, what + 1, strlen(what));
    }
    return within(err, "%s", name);
}

// Each is one number of a point.
static bool check_metrics(const Trial *trial, const char *name, Error *err)
{
    const Group *group = trial->plan.groups;
    for (size_t v = 1; v < group->variable_count; ++v)
        if (group->variables[v].width != 1)
            return fail(err, ERROR_USAGE, "%s: metric '%s' has %zu numbers a point, not one", name,
                        group->variables[v].name, group->variables[v].width);
    return group->variable_count == 1 + trial->metric_count ||
           fail(err, ERROR_USAGE, "%s: %zu metrics in place of %zu", name, group->variable_count - 1,
                trial->metric_count);
}

static bool make_list(Trial *trial, Device *device, Error *err)
{
    trial->list = (PointList){.plan = &trial->plan, .group = trial->plan.groups, .device = device, .solves = true};
    return point_list_build(&trial->list, TRIAL_POINTS, false, &trial->arena, err);
}

bool trial_make(Device *device, const Catalog *catalog, const Family *family, const TrialSetting *setting,
                Trial **trial, Error *err)
{
    char        name[160];
    const Card *problem;
    Trial      *made = calloc(1, sizeof *made);
    *trial = NULL;
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->family = family;
    made->metric_count = setting->metric_count;
    made->parameters = arena_take(&made->arena, family->method->parameter_count, sizeof *made->parameters, err);
    if (!made->parameters || !setting_find_card(catalog, CARD_PROBLEM, setting->problem, &made->arena, &problem, err)) {
        trial_free(made);
        return false;
    }
    snprintf(name, sizeof name, "%s on %s", family->method->name, setting->problem);
    if (!read_sweep(made, catalog, setting, name, err) || !check_metrics(made, name, err) ||
        !make_list(made, device, err)) {
        trial_free(made);
        return blame_setting(name, err);
    }
    *trial = made;
    return true;
}

void trial_free(Trial *trial)
{
    if (!trial)
        return;
    point_list_free(&trial->list);
    plan_free(&trial->plan);
    spec_free(&trial->spec);
    arena_free(&trial->arena);
    free(trial);
}

static void fill_axes(Trial *trial, const double *values, const size_t *places, size_t count)
{
    Group *group = &trial->list.points;
    for (size_t i = 0; i < count; ++i) {
        family_at(trial->family, values[places[i]], trial->parameters);
        for (size_t k = 0; k < group->method->parameter_count; ++k)
            engine_place(group, group->method_parameters[k], i, trial->parameters[k]);
    }
}

bool trial_run(Trial *trial, const double *values, size_t count, double *numbers, Status *status, Error *err)
{
    size_t places[TRIAL_POINTS];
    for (size_t next = 0; next < count;) {
        size_t placed = 0;
        for (; next < count && placed < TRIAL_POINTS; ++next) {
            for (size_t m = 0; m < trial->metric_count; ++m)
                numbers[m * count + next] = (double)NAN;
            if (!isnan(values[next]))
                places[placed++] = next;
        }
        if (placed == 0)
            break;
        fill_axes(trial, values, places, placed);
        if (!point_list_run(&trial->list, placed, err))
            return within(err, "%s", trial->spec.path);
        for (size_t i = 0; i < placed; ++i) {
            const Status ended = (Status)results_value(&trial->list.results, 0, i, 0);
            if (status)
                status[places[i]] = ended;
            for (size_t m = 0; ended == STATUS_OK && m < trial->metric_count; ++m)
                numbers[m * count + places[i]] = results_value(&trial->list.results, 1 + m, i, 0);
        }
    }
    return true;
}

double trial_step(const Trial *trial)
{
    return group_step(trial->plan.groups, 0);
}

double trial_steps(const Trial *trial)
{
    return (double)group_steps(trial->plan.groups, 0);
}
