// advise -- the study is run group by group, its points are gathered into choices, and these are compared.
#include "analysis/advise/advise.h"

#include "analysis/pareto/fronts.h"
#include "base/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Methods that text shows for a target.
enum { SHOWN = 8 };

// The dimensions along which choices differ; along the others lie the problem's points.
typedef struct ChoicePlaces {
    const Group *group;
    bool        *chosen;  // [dim_count]
    size_t       choices, problems;
} ChoicePlaces;

static bool make_places(const Group *group, Arena *arena, ChoicePlaces *places, Error *err)
{
    *places = (ChoicePlaces){.group = group, .choices = 1, .problems = 1};
    places->chosen = arena_take(arena, group->dim_count, sizeof *places->chosen, err);
    for (size_t i = 0; places->chosen && i < group->axis_count; ++i)
        if (group->axes[i].role == AXIS_STEPS || group->axes[i].role == AXIS_METHOD)
            places->chosen[group->axes[i].dim] = true;
    for (size_t d = 0; places->chosen && d < group->dim_count; ++d)
        *(places->chosen[d] ? &places->choices : &places->problems) *= group->dims[d].count;
    return places->chosen != NULL;
}

// The choice that a point belongs to, and its number among the problem's points.
static void find_place(const ChoicePlaces *places, uint64_t point, size_t *choice, size_t *problem)
{
    *choice = *problem = 0;
    for (size_t d = 0; d < places->group->dim_count; ++d) {
        size_t *at = places->chosen[d] ? choice : problem;
        *at = *at * places->group->dims[d].count + group_index(places->group, d, point);
    }
}

static size_t find_variable(const Group *group, const char *name)
{
    size_t v = 0;
    while (v < group->variable_count && strcmp(group->variables[v].name, name) != 0)
        ++v;
    return v;
}

static double value_of(const Results *results, size_t variable, uint64_t point)
{
    return variable < results->group->variable_count ? results_value(results, variable, (size_t)point, 0) : (double)NAN;
}

// The errors of a choice become one: points without a solution do not count.
static double judge(const Advice *advice, double *errors, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; ++i)
        if (!isnan(errors[i]))
            errors[known++] = errors[i];
    if (known == 0)
        return (double)NAN;
    sort_numbers(errors, known);
    return advice->request->median ? errors[known / 2] : errors[known - 1];
}

// Gathers the points of a group into choices.
static bool gather(Advice *advice, size_t g, const Results *results, Error *err)
{
    const Group *group = &advice->study->plan.groups[g];
    const size_t error = find_variable(group, advice->request->study.error),
                 evaluations = find_variable(group, "evaluations"), updates = find_variable(group, "updates");
    Choice      *choices = &advice->choices[advice->choice_count];
    ChoicePlaces places;
    Arena        room = {0};
    if (!make_places(group, &advice->arena, &places, err))
        return false;
    double    *errors = arena_take(&room, places.choices * places.problems, sizeof *errors, err);
    bool      *begun = arena_take(&room, places.choices, sizeof *begun, err);
    const bool made = errors && begun;
    for (uint64_t p = 0; made && p < group->point_count; ++p) {
        size_t c, at;
        find_place(&places, p, &c, &at);
        Choice *choice = &choices[c];
        if (!begun[c])
            *choice = (Choice){.group = g,
                               .point = p,
                               .seconds = (double)NAN,
                               .steps = group_steps(group, p),
                               .step = group_step(group, p)};
        begun[c] = true;
        choice->evaluations += value_of(results, evaluations, p);
        choice->updates += value_of(results, updates, p);
        const bool ok = (Status)value_of(results, 0, p) == STATUS_OK;
        errors[c * places.problems + at] = ok ? value_of(results, error, p) : (double)INFINITY;
    }
    for (size_t c = 0; made && c < places.choices; ++c) {
        choices[c].error = judge(advice, &errors[c * places.problems], places.problems);
        choices[c].evaluations /= (double)places.problems;
        choices[c].updates /= (double)places.problems;
    }
    advice->choice_count += places.choices;
    advice->problem_points = places.problems;
    arena_free(&room);
    return made;
}

typedef struct AdviseRun {
    const AdviseRequest *request;
    AdviseProgress       progress;
    uint64_t             points;  // of the group that runs
} AdviseRun;

static void see_slice(const Progress *slice, void *user)
{
    AdviseRun     *run = user;
    AdviseProgress now = run->progress;
    notice_end(run->request->notice, 0);
    run->progress.steps += slice->steps;
    now.steps = run->progress.steps;
    now.points += run->points - slice->running;
    if (run->request->progress)
        run->request->progress(&now, run->request->user);
}

static ProgressCompile compile_of(const Advice *advice, size_t group, bool launch)
{
    const Plan     *plan = &advice->study->plan;
    ProgressCompile compile = {.number = group + 1, .count = plan->group_count, .launch = launch};
    snprintf(compile.name, sizeof compile.name, "%s", plan->groups[group].label);
    return compile;
}

// Builds the kernel of some points of a group, with a notice about it.
static bool build(const Advice *advice, size_t g, const Group *group, Engine *engine, Error *err)
{
    const AdviseRequest  *request = advice->request;
    const ProgressCompile compile = compile_of(advice, g, false);
    notice_begin(request->notice, 0, &compile);
    const bool ok =
        engine_compose(engine, &advice->study->plan, group, err) && engine_build(engine, request->device, 0, err);
    notice_end(request->notice, 0);
    return ok;
}

static bool run_engine(const Advice *advice, size_t g, const Engine *engine, const Batch *batch,
                       const RunOptions *options, Results *results, Error *err)
{
    const AdviseRequest  *request = advice->request;
    const ProgressCompile launch = compile_of(advice, g, true);
    if (request->device && device_compiles_late(request->device))
        notice_begin(request->notice, 0, &launch);
    const bool ok = engine_run(engine, batch, options, results, err);
    notice_end(request->notice, 0);
    return ok;
}

// Groups that differ in their method alone share a solution: the first that needs one keeps it.
static bool run_group(Advice *advice, AdviseRun *run, size_t g, Engine *engines, Engine **solved, Error *err)
{
    const AdviseRequest *request = advice->request;
    const Plan          *plan = &advice->study->plan;
    const Group         *group = &plan->groups[g];
    Engine              *engine = &engines[g];
    const RunOptions     options = {.signals = request->signals, .progress = see_slice, .user = run};
    Results              results = {0};
    Batch                batch = {.group = group, .point_count = (size_t)group->point_count};
    run->points = group->point_count;
    if (request->progress)
        request->progress(&run->progress, request->user);
    bool ok = build(advice, g, group, engine, err);
    if (ok && group->solution.rows > 0) {
        if (!*solved || !solution_serves((*solved)->group, group)) {
            ok = engine_solve(engine, request->signals, err);
            *solved = engine;
        }
        batch.solution = &(*solved)->solution;
    }
    ok = ok && results_make(group, (size_t)group->point_count, 0, &results, err) &&
         run_engine(advice, g, engine, &batch, &options, &results, err) && gather(advice, g, &results, err);
    if (ok && group->solution.rows > 0)
        advice->unsolved = (*solved)->solution.unsolved;
    run->progress.points += group->point_count;
    results_free(&results);
    if (engine != *solved)
        engine_free(engine);
    return ok;
}

bool advise_run(const AdviseRequest *request, const AdviseStudy *study, Advice *advice, Error *err)
{
    const Plan *plan = &study->plan;
    AdviseRun   run = {.request = request, .progress = {.point_count = plan->point_count}};
    Engine     *solved = NULL;
    *advice = (Advice){.request = request, .study = study};
    advice->choices = arena_take(&advice->arena, (size_t)plan->point_count, sizeof *advice->choices, err);
    Engine *engines = arena_take(&advice->arena, plan->group_count, sizeof *engines, err);
    for (size_t g = 0; g < plan->group_count; ++g)
        for (uint64_t p = 0; p < plan->groups[g].point_count; ++p)
            run.progress.step_count += group_steps(&plan->groups[g], p);
    bool ok = engines && advice->choices;
    for (size_t g = 0; ok && g < plan->group_count; ++g)
        ok = run_group(advice, &run, g, engines, &solved, err);
    for (size_t g = 0; engines && g < plan->group_count; ++g)
        engine_free(&engines[g]);
    bool known = false;
    for (size_t i = 0; ok && i < advice->choice_count; ++i)
        known = known || isfinite(advice->choices[i].error);
    return ok && (known || fail(err, ERROR_INPUT,
                                "%s: no method could be judged: every point failed, or has no solution to compare with",
                                request->study.path));
}

// By evaluations, then by error, then by the order of the study.
typedef struct Ranked {
    double evaluations, error;
    size_t choice;
} Ranked;

static int compare(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->evaluations != y->evaluations)
        return x->evaluations < y->evaluations ? -1 : 1;
    if (x->error != y->error)
        return x->error < y->error ? -1 : 1;
    return x->choice < y->choice ? -1 : x->choice > y->choice;
}

static bool find_front(Advice *advice, Error *err)
{
    FrontList list = {0};
    bool      ok = true;
    for (size_t i = 0; ok && i < advice->choice_count; ++i) {
        const Choice    *choice = &advice->choices[i];
        const FrontPoint point = {
            .values = {choice->evaluations, choice->error}, .point = i, .group = (uint32_t)choice->group};
        if (isfinite(choice->error))
            ok = fronts_offer(&list, &point, 2, err);
    }
    if (ok)
        fronts_reduce(&list, 2);
    advice->front = ok ? arena_take(&advice->arena, list.count, sizeof *advice->front, err) : NULL;
    for (size_t i = 0; advice->front && i < list.count; ++i) {
        // Of choices that are equal in both the first stands for all.
        const FrontPoint *point = &list.items[i], *before = i > 0 ? point - 1 : NULL;
        if (before && before->values[0] == point->values[0] && before->values[1] == point->values[1])
            continue;
        advice->front[advice->front_count++] = (size_t)point->point;
    }
    fronts_free(&list);
    return advice->front != NULL;
}

static bool find_best(Advice *advice, size_t target, Error *err)
{
    const size_t groups = advice->study->plan.group_count;
    const double within = advice->request->targets[target];
    Ranked      *ranked = arena_take(&advice->arena, groups, sizeof *ranked, err);
    size_t       count = 0;
    size_t      *best = advice->best[target] = arena_take(&advice->arena, groups, sizeof *best, err);
    if (!ranked || !best)
        return false;
    for (size_t i = 0; i < advice->choice_count; ++i) {
        const Choice *choice = &advice->choices[i];
        const Ranked  here = {choice->evaluations, choice->error, i};
        const bool    first = count == 0 || advice->choices[ranked[count - 1].choice].group != choice->group;
        if (!(choice->error <= within))
            continue;
        if (first)
            ranked[count++] = here;
        else if (compare(&here, &ranked[count - 1]) < 0)
            ranked[count - 1] = here;
    }
    qsort(ranked, count, sizeof *ranked, compare);
    for (size_t i = 0; i < count; ++i)
        best[i] = ranked[i].choice;
    advice->best_count[target] = count;
    return true;
}

bool advise_choose(Advice *advice, Error *err)
{
    bool ok = find_front(advice, err);
    for (size_t t = 0; ok && t < advice->request->target_count; ++t)
        ok = find_best(advice, t, err);
    return ok;
}

bool advise_shows_front(const Advice *advice, size_t i, double *error)
{
    const Choice *choice = &advice->choices[advice->front[i]];
    const bool    shown = i == 0 || choice->error <= 0.5 * *error;
    if (shown)
        *error = choice->error;
    return shown;
}

size_t advise_shown(const Advice *advice, size_t target)
{
    return advice->best_count[target] < SHOWN ? advice->best_count[target] : SHOWN;
}

void advise_free(Advice *advice)
{
    arena_free(&advice->arena);
    *advice = (Advice){0};
}

// Points side by side: on a CPU two lane groups for each unit, and more of a short motion, so that the cost of a launch
// does not count. The solutions that they compare with take at most so many bytes.
enum { CPU_POINTS_PER_UNIT = 32, GPU_POINTS = 1 << 16, MOST_POINTS = 1 << 17, TURNS = 3 };
static const double least_steps = 4e5, most_bytes = 64e6;

static void add_seconds(const Progress *slice, void *user)
{
    *(double *)user += slice->seconds;
}

static size_t fill(const Device *device, const Group *group, uint64_t steps)
{
    const DeviceInfo *info = device_info(device);
    size_t            count = info->gpu ? GPU_POINTS : (size_t)info->compute_units * CPU_POINTS_PER_UNIT;
    while (count < MOST_POINTS && (double)count * (double)steps < least_steps)
        count *= 2;
    const double bytes = (double)(solution_samples(steps) * group->solution.rows * sizeof(double));
    return bytes * (double)count > most_bytes ? (size_t)(most_bytes / bytes) : count;
}

// Finds points[count] of a choice, as often as there is room for.
static bool find_points(const Group *group, const Choice *choice, uint64_t *points, size_t count, Arena *arena,
                        Error *err)
{
    ChoicePlaces places;
    size_t       wanted, here, problem, found = 0;
    if (!make_places(group, arena, &places, err))
        return false;
    find_place(&places, choice->point, &wanted, &problem);
    for (uint64_t p = 0; p < group->point_count && found < count; ++p) {
        find_place(&places, p, &here, &problem);
        if (here == wanted)
            points[found++] = p;
    }
    for (size_t i = found; i < count; ++i)
        points[i] = points[i % found];
    return true;
}

static double median_of_three(const double *x)
{
    return fmax(fmin(x[0], x[1]), fmin(fmax(x[0], x[1]), x[2]));
}

static bool time_choice(const Advice *advice, Choice *choice, Error *err)
{
    const AdviseRequest *request = advice->request;
    const Group         *whole = &advice->study->plan.groups[choice->group];
    const size_t         count = fill(request->device, whole, choice->steps);
    double               seconds[1 + TURNS] = {0};
    Group                group;
    Engine               engine = {0};
    Results              results = {0};
    Arena                arena = {0};
    if (!isnan(choice->seconds))
        return true;
    uint64_t *points = arena_take(&arena, count, sizeof *points, err);
    bool      ok = points && find_points(whole, choice, points, count, &arena, err) &&
              group_pick(whole, points, count, &arena, &group, err) &&
              build(advice, choice->group, &group, &engine, err) && engine_leave_unsolved(&engine, err) &&
              results_make(&group, count, 0, &results, err);
    const Batch batch = {.group = &group, .point_count = count};
    // The first run, which does not count, includes the work that a driver puts off until then.
    for (int turn = 0; ok && turn <= TURNS; ++turn) {
        const RunOptions options = {.signals = request->signals, .progress = add_seconds, .user = &seconds[turn]};
        ok = engine_run(&engine, &batch, &options, &results, err);
    }
    if (ok)
        choice->seconds = median_of_three(&seconds[1]) / (double)count;
    results_free(&results);
    engine_free(&engine);
    arena_free(&arena);
    return ok;
}

bool advise_time(Advice *advice, Error *err)
{
    bool   ok = true;
    double error;
    if (!advice->request->device)
        return true;
    for (size_t i = 0; ok && i < advice->front_count; ++i)
        ok = !advise_shows_front(advice, i, &error) || time_choice(advice, &advice->choices[advice->front[i]], err);
    for (size_t t = 0; t < advice->request->target_count; ++t)
        for (size_t i = 0; ok && i < advise_shown(advice, t); ++i)
            ok = time_choice(advice, &advice->choices[advice->best[t][i]], err);
    return ok;
}
