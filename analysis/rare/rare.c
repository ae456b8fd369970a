// rare -- a sweep's factors from normal numbers, its points run in batches, and its metric as the function of a subset.
#include "analysis/rare/rare.h"

#include "base/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 1 << 15 };  // of a launch

// Finds which number of a metric is meant: the only one, or NAME[i], NAME[COORDINATE].
static bool find_component(Rare *rare, const char *inside, Error *err)
{
    const RareRequest *request = rare->request;
    const Variable    *variable = rare->variable;
    char              *end = NULL;
    char               word[64];
    if (!inside)
        return variable->width == 1 ||
               fail(err, ERROR_USAGE, "%s: metric '%s' has %zu numbers a point: name one, as %s[0]", request->path,
                    variable->name, variable->width, variable->name);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(inside, "]"), inside);
    rare->component = (size_t)strtoul(word, &end, 10);
    if (end == word || *end) {
        const bool velocity = variable->source == SOURCE_V_FINAL;
        rare->component =
            variable->per_dof ? dof_find(rare->group->coordinates, variable->width, velocity, word) : variable->width;
    }
    return rare->component < variable->width ||
           fail(err, ERROR_USAGE, "%s: metric '%s' has %zu numbers a point, and no '%.60s'", request->path,
                variable->name, variable->width, word);
}

static bool find_metric(Rare *rare, Error *err)
{
    const RareRequest *request = rare->request;
    const Group       *group = rare->group;
    const char        *bracket = strchr(request->metric, '['), *near = NULL;
    const size_t       length = strcspn(request->metric, "[");
    for (size_t v = 0; v < group->variable_count; ++v) {
        const Variable *variable = &group->variables[v];
        if (variable->trajectory)
            continue;
        if (strlen(variable->name) == length && strncmp(variable->name, request->metric, length) == 0)
            rare->variable = variable;
        near = near ? near : suggest(request->metric, &variable->name, 1);
    }
    if (!rare->variable)
        return fail(err, ERROR_USAGE, "%s: group '%s' has no metric '%.60s'", request->path, group->label,
                    request->metric) ||
               suggest_add(err, near, ": list it under `metrics:`");
    if (rare->variable->type != TYPE_F64 && rare->variable->type != TYPE_F32)
        return fail(err, ERROR_USAGE,
                    "%s: metric '%s' is a whole number: a rare event is reached through levels of a real one",
                    request->path, rare->variable->name);
    return find_component(rare, bracket ? bracket + 1 : NULL, err);
}

static bool check_group(const RareRequest *request, const Group *group, Error *err)
{
    if (!group->sampling)
        return fail(err, ERROR_INPUT,
                    "%s: group '%s' has no distributions: give parameters some, as by --distribution "
                    "'NAME={uniform: [a, b]}'",
                    request->path, group->label);
    for (size_t i = 0; i < group->axis_count; ++i)
        if (group->axes[i].values && group->axes[i].count > 1)
            return fail(err, ERROR_INPUT,
                        "%s: group '%s': axis '%s' has %zu values: a rare event has a probability at each; choose one "
                        "by -s",
                        request->path, group->label, group->axes[i].name, group->axes[i].count);
    return true;
}

double rare_factor(const Rare *rare, size_t factor, const double *point)
{
    const Sampling *sampling = rare->group->sampling;
    double          z = point[factor];
    if (sampling->mixing) {
        const double *row = sampling->mixing + factor * sampling->factor_count;
        z = 0.0;
        for (size_t k = 0; k <= factor; ++k)
            z += row[k] * point[k];
    }
    return distribution_at_normal(&sampling->factors[factor], z);
}

double rare_threshold(const Rare *rare, double threshold)
{
    return rare->request->below ? -threshold : threshold;
}

// The number of a point, as the subset takes it: large is rare.
static bool read_number(Rare *rare, size_t point, double *number, Error *err)
{
    const RareRequest *request = rare->request;
    const Status       status = (Status)results_value(&rare->list.results, 0, point, 0);
    const double       value =
        results_value(&rare->list.results, (size_t)(rare->variable - rare->group->variables), point, rare->component);
    if (status == STATUS_OK && !isnan(value)) {
        *number = request->below ? -value : value;
        return true;
    }
    ++rare->failed_count;
    *number = request->failed == SPREAD_WORST ? INFINITY : -INFINITY;
    return request->failed != SPREAD_REFUSE ||
           fail(err, ERROR_FAILED,
                "%s: group '%s': a point ends with status '%s' or without a number, and --failed "
                "refuse stops there",
                request->path, rare->group->label, plan_status_names[status]);
}

static bool run_part(Rare *rare, const double *points, size_t count, double *values, Error *err)
{
    Group       *group = &rare->list.points;
    const size_t d = rare->asked.dimension;
    for (size_t k = 0; k < rare->group->axis_count; ++k) {
        const Axis *axis = &rare->group->axes[k];
        for (size_t i = 0; i < count; ++i)
            group->axes[k].values[i] = axis->values ? axis->values[0] : rare_factor(rare, axis->factor, points + i * d);
    }
    group->dims[0].count = group->point_count = count;
    if (!engine_solve(&rare->list.engine, rare->request->signals, err) || !point_list_run(&rare->list, count, err))
        return false;
    for (size_t i = 0; i < count; ++i)
        if (!read_number(rare, i, &values[i], err))
            return false;
    return true;
}

static bool evaluate(const double *points, size_t count, double *values, void *user, Error *err)
{
    Rare  *rare = user;
    size_t part;
    for (size_t first = 0; first < count; first += part) {
        part = count - first < rare->list.results.point_capacity ? count - first : rare->list.results.point_capacity;
        if (!run_part(rare, points + first * rare->asked.dimension, part, values + first, err))
            return false;
    }
    return true;
}

static void see_level(const Subset *subset, void *user)
{
    const Rare *rare = user;
    (void)subset;
    if (rare->request->level)
        rare->request->level(rare, rare->request->user);
}

bool rare_make(const RareRequest *request, const Plan *plan, const Group *group, Rare *rare, Error *err)
{
    *rare = (Rare){.request = request, .plan = plan, .group = group};
    if (!check_group(request, group, err) || !find_metric(rare, err))
        return false;
    rare->asked = (SubsetRequest){.dimension = group->sampling->factor_count,
                                  .samples = (size_t)request->samples,
                                  .runs = (size_t)request->runs,
                                  .threshold = request->below ? -request->value : request->value,
                                  .seed = request->seed,
                                  .evaluate = evaluate,
                                  .level = see_level,
                                  .user = rare};
    return true;
}

bool rare_run(Rare *rare, Error *err)
{
    const uint64_t all = rare->request->samples * rare->request->runs;
    rare->list = (PointList){.plan = rare->plan,
                             .group = rare->group,
                             .device = rare->request->device,
                             .notice = rare->request->notice,
                             .signals = rare->request->signals};
    if (!point_list_build(&rare->list, all < MOST_POINTS ? (size_t)all : MOST_POINTS, false, &rare->arena, err))
        return false;
    point_list_begin(&rare->list);
    const bool ok = subset_run(&rare->asked, &rare->subset, err);
    point_list_end(&rare->list);
    return ok || (err->kind != ERROR_STOPPED && within(err, "%s: group '%s'", rare->request->path, rare->group->label));
}

void rare_free(Rare *rare)
{
    point_list_free(&rare->list);
    subset_free(&rare->subset);
    arena_free(&rare->arena);
    *rare = (Rare){0};
}
