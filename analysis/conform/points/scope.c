// scope -- the override that lists every metric; a group of chosen points, each an entry of a list.
#include "analysis/conform/points/scope.h"

#include "plan/observe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 33, BATCH_POINTS = 4096 };

static bool is_listed(const Plan *plan, const char *name)
{
    for (size_t v = 0; v < plan->groups[0].variable_count; ++v)
        if (!plan->groups[0].variables[v].trajectory && strcmp(plan->groups[0].variables[v].name, name) == 0)
            return true;
    return false;
}

static bool applies(const Plan *plan, const Card *card, const CardResult *result)
{
    for (size_t g = 0; g < plan->group_count; ++g)
        if (!variable_may_list(&plan->groups[g], card, result))
            return false;
    return true;
}

// The sweep's own list comes first, as it stands there; then x_final, v_final and all results that it does not list,
// but for those of deviations, which not every method can carry along and nothing certifies.
static void list_metrics(const Plan *plan, bool solutions, Text *text)
{
    text_add(text, "metrics=[status");
    for (size_t v = 0; v < plan->groups[0].variable_count; ++v) {
        const Variable *variable = &plan->groups[0].variables[v];
        if (variable->source == SOURCE_METRIC) {
            text_add(text, ", ");
            plan_write_metric(plan, &plan->groups[0], variable, text);
        }
    }
    text_add(text, plan->problem->first_order ? ", x_final" : ", x_final, v_final");
    for (size_t c = 0; c < plan->catalog->card_count; ++c) {
        const Card *card = &plan->catalog->cards[c];
        if (card->kind != CARD_METRIC || card->deviations ||
            (!solutions && card_lists(card->needs, card->need_count, "solution")))
            continue;
        for (size_t r = 0; r < card->result_count; ++r)
            if (!is_listed(plan, card->results[r].name) && applies(plan, card, &card->results[r]))
                text_add(text, ", %s", card->results[r].name);
    }
    text_add(text, "]");
}

// Samples at times of the sweep's, or evenly among the steps.
static void list_samples(const Plan *plan, Text *text)
{
    const Trajectory *trajectory = &plan->groups[0].trajectory;
    const size_t      most = trajectory->sample_count < MOST_SAMPLES ? trajectory->sample_count : MOST_SAMPLES;
    for (size_t i = 0; trajectory->times && i < most; ++i)
        text_add(text, "%s%.17g", i == 0 ? "trajectory={times: [" : ", ",
                 trajectory->times[i * (trajectory->sample_count - 1) / (most > 1 ? most - 1 : 1)]);
    if (trajectory->times) {
        text_add(text, "]");
        return;
    }
    uint64_t fewest = UINT64_MAX;
    for (size_t g = 0; g < plan->group_count; ++g)
        for (uint64_t p = 0; p < plan->groups[g].point_count; ++p) {
            const uint64_t steps = group_steps(&plan->groups[g], p);
            fewest = steps < fewest ? steps : fewest;
        }
    text_add(text, "trajectory={samples: %llu",
             (unsigned long long)(fewest + 1 < MOST_SAMPLES ? fewest + 1 : MOST_SAMPLES));
}

static void list_fields(const Plan *plan, Text *text)
{
    list_samples(plan, text);
    text_add(text, ", fields: [x%s", plan->problem->first_order ? "" : ", v");
    for (size_t i = 0; i < FIELD_COUNT; ++i) {
        const Field *field = &field_table[i];
        const bool   missing =
            field->needs && !card_lists(plan->problem->provides, plan->problem->provide_count, field->needs);
        if (!field->per_dof && !missing && !is_listed(plan, field->name))
            text_add(text, ", %s", field->word);
    }
    for (size_t i = 0; plan->observing && i < plan->observing->count; ++i)
        text_add(text, ", %s", plan->observing->list[i].name);
    text_add(text, "]}");
}

static bool read_plan(const ScopeSweep *sweep, const char *const *overrides, size_t count, const Catalog *catalog,
                      Spec *spec, Plan *plan, Error *err)
{
    if (!(sweep->text ? spec_read_text(sweep->name, sweep->text, overrides, count, spec, err)
                      : spec_read(sweep->name, overrides, count, spec, err)))
        return false;
    spec->files = sweep->files;
    spec->file_count = sweep->file_count;
    spec->foreign = sweep->foreign;
    spec->tables = sweep->tables;
    spec->table_count = sweep->table_count;
    return plan_make(spec, catalog, plan, err);
}

static bool plan_more(const ScopeSweep *sweep, const char *metrics, const char *trajectory, const Catalog *catalog,
                      Spec *spec, Plan *plan, Error *err)
{
    const size_t given = sweep->override_count;
    const char **overrides = calloc(given + 2, sizeof *overrides);
    if (!overrides)
        return fail(err, ERROR_INTERNAL, "out of memory");
    if (given)
        memcpy(overrides, sweep->overrides, given * sizeof *overrides);
    overrides[given] = metrics;
    overrides[given + 1] = trajectory;
    plan_free(plan);
    spec_free(spec);
    const bool ok = read_plan(sweep, overrides, given + 2, catalog, spec, plan, err);
    free(overrides);
    return ok;
}

// Whether metrics compare with solutions that have to be computed first.
static bool needs_tables(const Plan *plan)
{
    for (size_t g = 0; g < plan->group_count; ++g)
        if (plan->groups[g].solution.rows > 0)
            return true;
    return false;
}

bool scope_plan(const ScopeSweep *sweep, const Catalog *catalog, Spec *spec, Plan *plan, Error *err)
{
    Text all = {0}, cheap = {0}, trajectory = {0};
    bool ok = read_plan(sweep, sweep->overrides, sweep->override_count, catalog, spec, plan, err);
    if (ok) {
        const bool tables = needs_tables(plan);
        Error      refused = {0};
        list_metrics(plan, true, &all);
        list_metrics(plan, false, &cheap);
        list_fields(plan, &trajectory);
        ok = text_check(&all, err) && text_check(&cheap, err) && text_check(&trajectory, err) &&
             ((plan_more(sweep, all.text, trajectory.text, catalog, spec, plan, &refused) &&
               (tables || !needs_tables(plan))) ||
              plan_more(sweep, cheap.text, trajectory.text, catalog, spec, plan, err));
    }
    text_free(&all);
    text_free(&cheap);
    text_free(&trajectory);
    return ok;
}

// The i-th of `count` equal parts of the group gives one point, at a place that moves through the part by the golden
// ratio: at equal distances a grid's axes could be met at one value only.
uint64_t scope_choose(uint64_t i, uint64_t count, uint64_t all)
{
    const double golden = 0.61803398874989485, place = golden * (double)i;
    const double part = (double)all / (double)count;
    const double point = floor(((double)i + place - floor(place)) * part);
    return point < (double)all ? (uint64_t)point : all - 1;
}

bool scope_take(const Group *whole, uint64_t most, ConformScope *scope, Error *err)
{
    scope->group = *whole;
    scope->count = whole->point_count;
    if (most > 0 && most < whole->point_count) {
        scope->count = most;
        scope->points = arena_take(&scope->arena, (size_t)most, sizeof *scope->points, err);
        for (uint64_t i = 0; scope->points && i < most; ++i)
            scope->points[i] = scope_choose(i, most, whole->point_count);
        if (!scope->points || !group_pick(whole, scope->points, (size_t)most, &scope->arena, &scope->group, err))
            return false;
        scope->group.block_points = most < BATCH_POINTS ? most : BATCH_POINTS;
        scope->group.block_count = (most + scope->group.block_points - 1) / scope->group.block_points;
    }
    scope->most = scope->group.block_points > BATCH_POINTS
                      ? scope->group.block_points
                      : BATCH_POINTS / scope->group.block_points * scope->group.block_points;
    return true;
}

void scope_free(ConformScope *scope)
{
    arena_free(&scope->arena);
    *scope = (ConformScope){0};
}

uint64_t scope_point(const ConformScope *scope, uint64_t point)
{
    return scope->points ? scope->points[point] : point;
}
