// race -- builds the kernels, chooses the amount of work, checks that all sides do the same, and times them.
#include "analysis/bench/race.h"

#include "base/clock.h"
#include "base/sort.h"
#include "compose/compose.h"
#include "device/bare.h"
#include "engine/engine.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double same_updates = 1e-3;  // how far the sums of updates may differ, relatively
enum { FEW_POINTS = 256 };                // a loop's speed is guessed from so many

// Where points end by another way, and by how many updates: point i is point i * stride of the group.
typedef struct Ends {
    const double   *x, *v;    // [][dofs]
    const uint64_t *updates;  // []
    size_t          stride;
} Ends;

// The points of a plain loop.
typedef struct PlainSide {
    PlainRun run;     // its arrays are the race's
    size_t   stride;  // point i of the run is point i * stride of the group
    size_t   rounds;  // runs in a repetition
} PlainSide;

// All points of the group in the bare kernel.
typedef struct BareSide {
    Bare    *kernel;
    Ends     ends;    // its arrays are the race's
    uint64_t rounds;  // runs in a repetition
} BareSide;

typedef struct Race {
    const RaceRequest *request;
    Engine             engine;
    Rows               rows;
    uint64_t           batch_blocks, batch_count;
    uint64_t           chosen, rounds;  // batches of a repetition, and how often each is run
    PlainSide          plain, by_differences;
    BareSide           bare;
    ShapeTrial         trial;
    Arena              arena;
} Race;

// The results of the kernel and of another side at the points that both have.
typedef struct Agreement {
    uint64_t updates_here, updates_there;
    double   apart;  // largest distance of two final states
} Agreement;

// One run of the chosen batches.
typedef struct Pass {
    double    seconds, whole_seconds;  // of kernels; of runs
    uint64_t  points, steps, updates, bytes;
    uint64_t  slices;  // of the batch under way
    Agreement plain, bare;
} Pass;

static double quantile(const double *sorted, size_t count, double part)
{
    const double at = part * (double)(count - 1);
    const size_t i = (size_t)at;
    return i + 1 < count ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

Spread race_spread(double *values, size_t count)
{
    sort_numbers(values, count);
    return (Spread){quantile(values, count, 0.5), values[0], values[count - 1], quantile(values, count, 0.25),
                    quantile(values, count, 0.75)};
}

// The group's variable for the metric result of that name; its count of variables where there is none.
static size_t find_result(const Group *group, const char *name)
{
    size_t found = 0;
    for (; found < group->variable_count; ++found) {
        const Variable *variable = &group->variables[found];
        if (variable->source == SOURCE_METRIC &&
            strcmp(group->instances[variable->instance].card->results[variable->result].name, name) == 0)
            break;
    }
    return found;
}

static void watch_slice(const Progress *progress, void *user)
{
    Pass *pass = user;
    pass->seconds += progress->seconds;
    pass->steps += progress->steps;
    ++pass->slices;
}

// The bytes of the device's memory that a batch reads and writes: each slice reads the parameters and writes the
// results, and all but the first read the state that the one before wrote.
static uint64_t batch_bytes(const Race *race, const Batch *batch, uint64_t slices)
{
    const RaceRequest *request = race->request;
    const uint64_t     number = request->plan->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    const uint64_t rows = slices * (race->rows.parameters + race->rows.results) + (2 * slices - 1) * race->rows.state;
    return number *
           (rows * batch->point_count + batch->slot_count * request->group->trajectory.sample_count * race->rows.frame);
}

static void compare(const Race *race, const Batch *batch, const Results *results, const Ends *ends,
                    Agreement *agreement)
{
    const Group   *group = race->request->group;
    const size_t   dofs = group->dofs, updates = find_result(group, "updates");
    const size_t   x = (size_t)(group_variable(group, SOURCE_X_FINAL) - group->variables);
    const size_t   v = (size_t)(group_variable(group, SOURCE_V_FINAL) - group->variables);
    const uint64_t skip = batch->first_point % ends->stride ? ends->stride - batch->first_point % ends->stride : 0;
    for (size_t i = (size_t)skip; i < batch->point_count; i += ends->stride) {
        const size_t j = (size_t)(batch->first_point + i) / ends->stride;
        agreement->updates_there += ends->updates[j];
        agreement->updates_here +=
            updates < group->variable_count ? (uint64_t)results_value(results, updates, i, 0) : 0;
        for (size_t k = 0; k < dofs; ++k) {
            const double x_apart = fabs(results_value(results, x, i, k) - ends->x[j * dofs + k]);
            const double v_apart = fabs(results_value(results, v, i, k) - ends->v[j * dofs + k]);
            const double apart = x_apart > v_apart ? x_apart : v_apart;
            // A point that failed is NaN, and as far away as can be.
            if (!(apart <= agreement->apart))
                agreement->apart = isnan(x_apart + v_apart) ? INFINITY : apart;
        }
    }
}

static bool run_batch(Race *race, uint64_t number, Pass *pass, Error *err)
{
    const Group     *group = race->request->group;
    const uint64_t   block = number * race->batch_blocks, left = group->block_count - block;
    const Batch      batch = batch_make(group, block, race->batch_blocks < left ? race->batch_blocks : left);
    const RunOptions options = {.progress = watch_slice, .user = pass};
    const size_t     updates = find_result(group, "updates");
    Results          results = {0};
    pass->slices = 0;
    bool         ok = results_make(group, batch.point_count, batch.slot_count, &results, err);
    const double begin = clock_seconds();
    ok = ok && engine_run(&race->engine, &batch, &options, &results, err);
    pass->whole_seconds += clock_seconds() - begin;
    if (ok) {
        pass->points += batch.point_count;
        pass->bytes += batch_bytes(race, &batch, pass->slices);
        for (size_t i = 0; updates < group->variable_count && i < batch.point_count; ++i)
            pass->updates += (uint64_t)results_value(&results, updates, i, 0);
        if (race->plain.run.plain)
            compare(race, &batch, &results,
                    &(Ends){race->plain.run.x, race->plain.run.v, race->plain.run.updates, race->plain.stride},
                    &pass->plain);
        if (race->bare.kernel)
            compare(race, &batch, &results, &race->bare.ends, &pass->bare);
    }
    results_free(&results);
    return ok;
}

// Whether the kernel and another side, where there is one, did the same work.
static bool check_agreement(const Race *race, const Agreement *agreement, const char *side, Error *err)
{
    const RaceRequest *request = race->request;
    const double       here = (double)agreement->updates_here, there = (double)agreement->updates_there;
    return (fabs(here - there) <= same_updates * there && agreement->apart <= request->bound) ||
           fail(
               err, ERROR_CONFORMANCE,
               "the kernel of '%s' and the %s do not do the same work on '%s': %.0f updates against %.0f, final states "
               "up to %.3g apart; there is no ratio",
               request->group->label, side, device_info(request->device)->name, here, there, agreement->apart);
}

static bool run_kernel(Race *race, Pass *pass, Error *err)
{
    *pass = (Pass){0};
    for (uint64_t round = 0; round < race->rounds; ++round)
        for (uint64_t i = 0; i < race->chosen; ++i)
            if (!run_batch(race, (2 * i + 1) * race->batch_count / (2 * race->chosen), pass, err))
                return false;
    return check_agreement(race, &pass->plain, "plain loop", err) &&
           check_agreement(race, &pass->bare, "bare kernel", err);
}

static double run_side(const PlainSide *side)
{
    const double begin = clock_seconds();
    for (size_t round = 0; round < side->rounds; ++round)
        plain_run(&side->run);
    return clock_seconds() - begin;
}

static double side_steps(const PlainSide *side)
{
    return (double)side->rounds * (double)side->run.count * (double)side->run.steps;
}

static bool make_side(Race *race, const Plain *plain, size_t stride, PlainSide *side, Error *err)
{
    const Group *group = race->request->group;
    const size_t count = ((size_t)group->point_count + stride - 1) / stride, numbers = count * group->dofs;
    double      *values = arena_take(&race->arena, count, sizeof *values, err);
    *side = (PlainSide){.run = {.plain = plain,
                                .values = values,
                                .x = arena_take(&race->arena, numbers, sizeof(double), err),
                                .v = arena_take(&race->arena, numbers, sizeof(double), err),
                                .updates = arena_take(&race->arena, count, sizeof(uint64_t), err),
                                .count = count,
                                .steps = (size_t)group_steps(group, 0),
                                .threads = race->request->threads},
                        .stride = stride,
                        .rounds = 1};
    for (size_t i = 0; values && i < count; ++i)
        values[i] = group->axes[0].values[i * stride];
    return values && side->run.x && side->run.v && side->run.updates;
}

// As many of the group's points as take the time asked for.
static bool fit_side(Race *race, const Plain *plain, PlainSide *side, Error *err)
{
    const RaceRequest *request = race->request;
    size_t             stride = (size_t)request->group->point_count / FEW_POINTS;
    if (!make_side(race, plain, stride ? stride : 1, side, err))
        return false;
    run_side(side);  // the first run meets cold caches
    const double per_point = run_side(side) / (double)side->run.count;
    for (stride = 1; (double)(request->group->point_count / stride) * per_point > 1.5 * request->seconds &&
                     request->group->point_count / stride > FEW_POINTS;)
        stride *= 2;
    if (!make_side(race, plain, stride, side, err))
        return false;
    const double once = (double)side->run.count * per_point;
    side->rounds = once < 0.5 * request->seconds ? (size_t)(request->seconds / once) : 1;
    run_side(side);
    return true;
}

// The step, the tolerance, the method's parameters and the problem's.
static size_t bare_parameters(const Group *group, double *parameters)
{
    size_t count = 0;
    parameters[count++] = group_step(group, 0);
    parameters[count++] = group->newton.tolerance.value;
    for (size_t i = 0; i < group->method->parameter_count; ++i)
        if (quantity_given(group->method_parameters[i]))
            parameters[count++] = group->method_parameters[i].value;
    for (size_t i = 0; i < group->problem->parameter_count; ++i)
        parameters[count++] = group->problem_parameters[i].value;
    return count;
}

// Where the points end; every step has an update that the kernel does not count, where the method has any.
static bool read_ends(Race *race, Error *err)
{
    const Group *group = race->request->group;
    const size_t count = (size_t)group->point_count, dofs = group->dofs;
    const bool   solves = find_result(group, "updates") < group->variable_count;
    double      *states = arena_take(&race->arena, 2 * dofs * count, sizeof *states, err);
    double      *ends = arena_take(&race->arena, 2 * dofs * count, sizeof *ends, err);
    int64_t     *more = arena_take(&race->arena, count, sizeof *more, err);
    uint64_t    *updates = arena_take(&race->arena, count, sizeof *updates, err);
    if (!states || !ends || !more || !updates || !bare_read(race->bare.kernel, states, more, err))
        return false;
    for (size_t i = 0; i < count; ++i) {
        updates[i] = (uint64_t)more[i] + (solves ? group_steps(group, i) : 0);
        for (size_t k = 0; k < dofs; ++k) {
            ends[i * dofs + k] = states[k * count + i];
            ends[(count + i) * dofs + k] = states[(dofs + k) * count + i];
        }
    }
    race->bare.ends = (Ends){ends, ends + count * dofs, updates, 1};
    return true;
}

static bool run_bare(const Race *race, double *steps_per_s, Error *err)
{
    const Group   *group = race->request->group;
    const uint64_t steps = group_steps(group, 0);
    double         seconds = 0.0, all = 0.0;
    for (uint64_t round = 0; round < race->bare.rounds; ++round, all += seconds)
        if (!bare_run(race->bare.kernel, steps, &seconds, err))
            return false;
    *steps_per_s = (double)(race->bare.rounds * group->point_count * steps) / all;
    return true;
}

// Builds the bare kernel with as many lanes as the composed one, runs it, and chooses how much a repetition is.
static bool fit_bare(Race *race, Error *err)
{
    const RaceRequest *request = race->request;
    const Group       *group = request->group;
    BareSide          *side = &race->bare;
    const size_t       most = 2 + group->method->parameter_count + group->problem->parameter_count;
    double            *parameters = arena_take(&race->arena, most, sizeof *parameters, err), rate = 0.0;
    const int          lanes = program_lanes(race->engine.program);
    if (!parameters ||
        !bare_build(request->device, request->bare, lanes, (size_t)group->point_count, group->dofs, &side->kernel, err))
        return false;
    side->rounds = 1;
    // The first run may still compile.
    if (!bare_set(side->kernel, group->axes[0].values, parameters, bare_parameters(group, parameters), err) ||
        !run_bare(race, &rate, err) || !read_ends(race, err) || !run_bare(race, &rate, err))
        return false;
    const double most_rounds = request->seconds * rate / (double)(group->point_count * group_steps(group, 0));
    side->rounds = most_rounds > 1.5 ? (uint64_t)(most_rounds + 0.5) : 1;
    return true;
}

// Warms up, checks, and chooses how much a repetition is.
static bool fit_kernel(Race *race, Pass *pass, Error *err)
{
    const double wanted = race->request->seconds;
    race->batch_count = (race->request->group->block_count + race->batch_blocks - 1) / race->batch_blocks;
    race->chosen = race->request->plain ? race->batch_count : 1;
    race->rounds = 1;
    // The first run finishes the compilation, and learns how long slices are.
    if (!run_kernel(race, pass, err) || !run_kernel(race, pass, err))
        return false;
    const double most = wanted / (pass->seconds > 1e-6 ? pass->seconds : 1e-6);
    if (!race->request->plain)
        race->chosen = most < 1.0 ? 1 : most < (double)race->batch_count ? (uint64_t)most : race->batch_count;
    if (race->chosen == race->batch_count) {
        const double rounds = race->request->plain ? most : most / (double)race->batch_count;
        race->rounds = rounds > 1.5 ? (uint64_t)(rounds + 0.5) : 1;
    }
    return race->request->plain || run_kernel(race, pass, err);
}

// The rates of one repetition.
typedef struct Turn {
    double kernel, plain, by_differences, bare;
} Turn;

static bool time_others(const Race *race, Turn *turn, Error *err)
{
    if (race->plain.run.plain)
        turn->plain = side_steps(&race->plain) / run_side(&race->plain);
    return !race->bare.kernel || run_bare(race, &turn->bare, err);
}

// The kernel and the others in turns, the other way round every second time.
static bool time_turn(Race *race, size_t number, Turn *turn, Pass *pass, Error *err)
{
    if ((number % 2 == 0 && !time_others(race, turn, err)) || !run_kernel(race, pass, err) ||
        (number % 2 == 1 && !time_others(race, turn, err)))
        return false;
    turn->kernel = (double)pass->steps / pass->seconds;
    if (race->by_differences.run.plain)
        turn->by_differences = side_steps(&race->by_differences) / run_side(&race->by_differences);
    return true;
}

// The spread of one of a turn's rates over all, or of the kernel's over it.
static Spread spread_turns(const Turn *turns, size_t count, size_t which, bool ratio, double *room)
{
    for (size_t r = 0; r < count; ++r) {
        const double rate = *(const double *)((const char *)&turns[r] + which);
        room[r] = ratio ? turns[r].kernel / rate : rate;
    }
    return race_spread(room, count);
}

static bool time_all(Race *race, RaceResult *result, Error *err)
{
    const size_t count = (size_t)race->request->repetitions;
    double      *room = arena_take(&race->arena, count, sizeof *room, err);
    Turn        *turns = arena_take(&race->arena, count, sizeof *turns, err);
    double       whole = 0.0, seconds = 0.0;
    Pass         pass = {0};
    if (!room || !turns)
        return false;
    for (size_t r = 0; r < count; ++r) {
        if (!time_turn(race, r, &turns[r], &pass, err))
            return false;
        whole += pass.whole_seconds;
        seconds += pass.seconds;
    }
    *result = (RaceResult){.trial = race->trial,
                           .lanes = program_lanes(race->engine.program),
                           .points = pass.points / race->rounds,
                           .steps = pass.steps / race->rounds,
                           .updates = pass.updates / race->rounds,
                           .bytes = pass.bytes / race->rounds,
                           .overhead = whole / seconds,
                           .steps_per_s = spread_turns(turns, count, offsetof(Turn, kernel), false, room)};
    if (race->plain.run.plain) {
        result->plain_steps_per_s = spread_turns(turns, count, offsetof(Turn, plain), false, room);
        result->ratio = spread_turns(turns, count, offsetof(Turn, plain), true, room);
    }
    if (race->by_differences.run.plain)
        result->ratio_by_differences = spread_turns(turns, count, offsetof(Turn, by_differences), true, room);
    if (race->bare.kernel) {
        result->bare_steps_per_s = spread_turns(turns, count, offsetof(Turn, bare), false, room);
        result->bare_ratio = spread_turns(turns, count, offsetof(Turn, bare), true, room);
    }
    return true;
}

// Finds the fastest shape by a trial. Does nothing where only one shape is possible, or an earlier trial is remembered.
static bool try_shapes(Race *race, Error *err)
{
    const Group *group = race->request->group;
    Program     *program = race->engine.program;
    Batch        batch = batch_make(group, 0, race->batch_blocks);
    uint64_t     least;
    if (!shapes_pending(program))
        return true;
    while (shapes_build_next(program))
        ;
    batch.solution = &race->engine.solution;
    return shapes_trial(program, 0, &batch, NULL, &race->trial, err) &&
           program_batch_blocks(program, &least, &race->batch_blocks, err);
}

bool race_run(const RaceRequest *request, RaceResult *result, Error *err)
{
    Race     race = {.request = request, .rows = compose_rows(request->group)};
    Pass     pass;
    uint64_t least;
    bool     ok = engine_compose(&race.engine, request->plan, request->group, err) &&
              engine_leave_unsolved(&race.engine, err) &&
              engine_build(&race.engine, request->device, request->lanes, err) &&
              program_batch_blocks(race.engine.program, &least, &race.batch_blocks, err) &&
              (!request->try_shapes || try_shapes(&race, err)) &&
              (!request->plain || fit_side(&race, request->plain, &race.plain, err)) &&
              (!request->by_differences || fit_side(&race, request->by_differences, &race.by_differences, err)) &&
              (!request->bare || fit_bare(&race, err)) && fit_kernel(&race, &pass, err) && time_all(&race, result, err);
    bare_free(race.bare.kernel);
    arena_free(&race.arena);
    engine_free(&race.engine);
    return ok;
}
