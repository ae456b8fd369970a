// refine_run -- rounds: the points that all charts of a group want, run together, and their classes given back.
#include "analysis/refine/refine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_POINTS = 1 << 15 };  // of a launch

// The group's points at the places that are wanted: a group of their own, whose axes are filled for each launch.
typedef struct Round {
    Refinement    *refinement;
    Engine         engine;
    Group          group;
    Results        results;
    Arena          arena;
    uint8_t       *classes;  // [wanted], of all charts one after the other
    double        *values;   // [axis_count] of a point
    size_t         filled;   // points of the next launch
    RefineProgress progress;
} Round;

// Begins the notice about the group's kernel.
static void begin_notice(const Refinement *refinement, const Plan *plan, bool launch)
{
    const RefineRequest *request = refinement->request;
    ProgressCompile      compile = {.count = plan->group_count, .launch = launch};
    for (size_t g = 0; g < plan->group_count && &plan->groups[g] <= refinement->group; ++g)
        ++compile.number;
    snprintf(compile.name, sizeof compile.name, "%s", refinement->group->label);
    if (request->device && (!launch || device_compiles_late(request->device)))
        notice_begin(request->notice, 0, &compile);
}

static bool make_round(Refinement *refinement, const Plan *plan, Round *round, Error *err)
{
    const uint64_t most = refinement->request->most;
    const size_t   room = most < MOST_POINTS ? (size_t)most : MOST_POINTS;
    uint64_t      *points = arena_take(&round->arena, room, sizeof *points, err);
    round->refinement = refinement;
    round->values = arena_take(&round->arena, refinement->group->axis_count, sizeof *round->values, err);
    begin_notice(refinement, plan, false);
    const bool ok = points && round->values &&
                    group_pick(refinement->group, points, room, &round->arena, &round->group, err) &&
                    results_make(&round->group, room, 0, &round->results, err) &&
                    engine_compose(&round->engine, plan, &round->group, err) &&
                    engine_build(&round->engine, refinement->request->device, 0, err);
    notice_end(refinement->request->notice, 0);
    return ok;
}

static void free_round(Round *round)
{
    engine_free(&round->engine);
    results_free(&round->results);
    arena_free(&round->arena);
    free(round->classes);
}

static uint8_t class_of(const Refinement *refinement, const Results *results, size_t point)
{
    const Status status = (Status)results_value(results, 0, point, 0);
    if (refinement->request->what == REFINE_STATUS)
        return (uint8_t)status;
    if (refinement->request->what == REFINE_OK)
        return status != STATUS_OK;
    const RefineRequest *request = refinement->request;
    size_t class = 0;
    if (status != STATUS_OK)
        return (uint8_t)(request->level_count + 1);
    const double number = results_value(results, (size_t)(refinement->variable - refinement->group->variables), point,
                                        refinement->component);
    if (isnan(number))
        return (uint8_t)(request->level_count + 2);
    while (class < request->level_count && number >= request->level[class])
        ++class;
    return (uint8_t) class;
}

static void see_slice(const Progress *slice, void *user)
{
    Round               *round = user;
    const RefineRequest *request = round->refinement->request;
    RefineProgress       now = round->progress;
    notice_end(request->notice, 0);
    round->progress.steps += slice->steps;
    now.steps = round->progress.steps;
    now.points += round->filled - slice->running;
    if (request->progress)
        request->progress(&now, request->user);
}

// Shows the points of a launch.
static bool see_points(Round *round, Error *err)
{
    const Refinement    *refinement = round->refinement;
    const RefineRequest *request = refinement->request;
    const Group         *group = &round->group;
    bool                 ok = true;
    for (size_t i = 0; ok && request->see && i < round->filled; ++i) {
        for (size_t k = 0; k < group->axis_count; ++k)
            round->values[k] = group->axes[k].values[i];
        const RefineSeen seen = {.refinement = refinement,
                                 .results = &round->results,
                                 .point = i,
                                 .values = round->values,
                                 .class = round->classes[round->progress.points + i]};
        ok = request->see(&seen, request->user, err);
    }
    return ok;
}

static bool launch(Round *round, Error *err)
{
    Refinement      *refinement = round->refinement;
    const RunOptions options = {.signals = refinement->request->signals, .progress = see_slice, .user = round};
    const Batch      batch = {.group = &round->group, .point_count = round->filled};
    if (round->filled == 0)
        return true;
    round->group.dims[0].count = round->group.point_count = round->filled;
    if (!engine_solve(&round->engine, refinement->request->signals, err) ||
        !engine_run(&round->engine, &batch, &options, &round->results, err))
        return false;
    for (size_t i = 0; i < round->filled; ++i)
        round->classes[round->progress.points + i] = class_of(refinement, &round->results, i);
    if (!see_points(round, err))
        return false;
    round->progress.points += round->filled;
    refinement->point_count += round->filled;
    round->filled = 0;
    return true;
}

// Puts a point into the next launch, and launches where that is full.
static bool add_point(Round *round, const RefineChart *chart, CellsPoint point, Error *err)
{
    const Refinement *refinement = round->refinement;
    Group            *group = &round->group;
    for (size_t k = 0; k < group->axis_count; ++k)
        group->axes[k].values[round->filled] = chart->fixed[k];
    for (size_t a = 0; a < refinement->axis_count; ++a)
        group->axes[refinement->axes[a].number].values[round->filled] = refine_value(refinement, a, point.at[a]);
    round->progress.wanted_steps += group_steps(group, round->filled);
    return ++round->filled < round->results.point_capacity || launch(round, err);
}

static bool want_all(Round *round, Error *err)
{
    Refinement *refinement = round->refinement;
    round->progress = (RefineProgress){.round = refinement->rounds + 1};
    for (size_t c = 0; c < refinement->chart_count; ++c) {
        Cells *cells = &refinement->charts[c].cells;
        if (!cells_want(cells, err))
            return within(err, "%s: group '%s'", refinement->request->path, refinement->group->label);
        round->progress.wanted += cells->point_count - cells->known_count;
    }
    refinement->limited = refinement->point_count + round->progress.wanted > refinement->request->most;
    return !refinement->limited || refinement->rounds > 0 ||
           fail(err, ERROR_USAGE, "%s: group '%s': its grid has %llu points already, more than --most allows",
                refinement->request->path, refinement->group->label, (unsigned long long)round->progress.wanted);
}

static bool run_wanted(Round *round, Error *err)
{
    Refinement *refinement = round->refinement;
    bool        ok = true;
    free(round->classes);
    round->classes = malloc(round->progress.wanted);
    if (!round->classes)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t c = 0; ok && c < refinement->chart_count; ++c) {
        const RefineChart *chart = &refinement->charts[c];
        for (size_t i = chart->cells.known_count; ok && i < chart->cells.point_count; ++i)
            ok = add_point(round, chart, chart->cells.points[i], err);
    }
    return ok && launch(round, err);
}

static bool give_all(Round *round, Error *err)
{
    Refinement    *refinement = round->refinement;
    const uint8_t *next = round->classes;
    for (size_t c = 0; c < refinement->chart_count; ++c) {
        Cells       *cells = &refinement->charts[c].cells;
        const size_t count = cells->point_count - cells->known_count;
        if (count > 0 && !cells_give(cells, next, err))
            return within(err, "%s: group '%s'", refinement->request->path, refinement->group->label);
        next += count;
    }
    ++refinement->rounds;
    return true;
}

bool refine_run(Refinement *refinement, const Plan *plan, Error *err)
{
    Round round = {0};
    bool  ok = make_round(refinement, plan, &round, err);
    begin_notice(refinement, plan, true);
    while (ok && (ok = want_all(&round, err)) && round.progress.wanted > 0 && !refinement->limited)
        ok = run_wanted(&round, err) && give_all(&round, err);
    notice_end(refinement->request->notice, 0);
    // The boundary known so far is an answer too.
    refinement->stopped = !ok && err->kind == ERROR_STOPPED;
    free_round(&round);
    return ok || refinement->stopped;
}
