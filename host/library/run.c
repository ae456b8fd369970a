// run -- runs of the library's callers: into memory, with programs that stay for the next run, or into a file.
#include "library/library.h"

#include "base/clock.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PendulaRunOptions pendula_run_options(void)
{
    return (PendulaRunOptions){.size = sizeof(PendulaRunOptions)};
}

bool library_take_options(const PendulaRunOptions *given, PendulaRunOptions *options)
{
    *options = pendula_run_options();
    if (!given)
        return true;
    const size_t known = given->size < sizeof *options ? given->size : sizeof *options;
    if (given->size < offsetof(PendulaRunOptions, lanes))
        return false;
    memcpy(options, given, known);
    options->size = sizeof *options;
    return true;
}

void library_cool(Warm *warm)
{
    for (size_t g = 0; g < warm->engine_count; ++g)
        engine_free(&warm->engines[g]);
    free(warm->engines);
    device_close(warm->device);
    library_drop_planned(warm->planned);
    *warm = (Warm){0};
}

// A run under way.
typedef struct Course {
    PendulaSweep            *sweep;
    const PendulaRunOptions *options;
    PendulaProgress          progress;
    double                   begin;
} Course;

// Tells the caller how far the run is, and whether it is to end.
static void tell(Course *course)
{
    const PendulaRunOptions *options = course->options;
    if (options->seconds > 0 && clock_seconds() - course->begin > options->seconds)
        course->sweep->stop = 1;
    if (options->progress && !options->progress(&course->progress, options->user))
        course->sweep->stop = 1;
}

static void see_slice(const Progress *progress, void *user)
{
    Course *course = user;
    course->progress.steps_done += progress->steps;
    tell(course);
}

// Opens the device that is asked for, unless the last run has it.
static bool open_device(Warm *warm, const PendulaRunOptions *options, Precision precision, Error *err)
{
    const char *named = getenv("PENDULA_DEVICE"), *which = options->device   ? options->device
                                                           : named && *named ? named
                                                                             : "";
    char        wanted[sizeof warm->which];
    const int   length = snprintf(wanted, sizeof wanted, "%d %s", (int)precision, which);
    if (length < 0 || (size_t)length >= sizeof wanted)
        return fail(err, ERROR_USAGE, "the name of the device is too long");
    if (warm->planned && strcmp(warm->which, wanted) == 0 && warm->memory == options->memory &&
        warm->lanes == options->lanes)
        return true;
    library_cool(warm);
    if (strcmp(which, "reference") != 0 && !device_open(*which ? which : NULL, precision, &warm->device, err))
        return false;
    memcpy(warm->which, wanted, sizeof wanted);
    warm->memory = options->memory;
    warm->lanes = options->lanes;
    if (warm->device && options->memory > 0)
        device_limit(warm->device, options->memory);
    return true;
}

// Composes the groups of a plan, and builds each unless a program of the last run is that of the same source.
static bool make_engines(Warm *warm, Planned *planned, Error *err)
{
    const Plan *plan = &planned->plan;
    Engine     *engines = calloc(plan->group_count, sizeof *engines);
    bool        ok = engines || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t g = 0; ok && g < plan->group_count; ++g) {
        ok = engine_compose(&engines[g], plan, &plan->groups[g], err);
        if (ok && !(g < warm->engine_count && engine_take(&engines[g], &warm->engines[g])))
            ok = engine_build(&engines[g], warm->device, warm->lanes, err);
    }
    for (size_t g = 0; g < warm->engine_count; ++g)
        engine_free(&warm->engines[g]);
    free(warm->engines);
    library_drop_planned(warm->planned);
    warm->engines = engines;
    warm->engine_count = engines ? plan->group_count : 0;
    warm->planned = planned;
    __atomic_add_fetch(&planned->users, 1, __ATOMIC_RELAXED);
    return ok;
}

// The part of a group's results that a batch has.
static bool batch_results(const Results *all, const Batch *batch, Results *part, void **data)
{
    for (size_t v = 0; v < all->group->variable_count; ++v)
        data[v] = results_at(
            all, v, all->group->variables[v].trajectory ? (size_t)batch->first_slot : (size_t)batch->first_point);
    *part = (Results){
        .group = all->group, .data = data, .point_capacity = batch->point_count, .slot_capacity = batch->slot_count};
    return true;
}

static void count_failures(Course *course, const Batch *batch, const Results *part)
{
    course->progress.points_done += batch->point_count;
    for (size_t i = 0; i < batch->point_count; ++i)
        course->progress.points_failed += results_value(part, 0, i, 0) != STATUS_OK;
    tell(course);
}

// Blocks of a batch: as many as the device takes at a time; on the reference so few that a run can be cancelled.
static bool choose_blocks(const Engine *engine, uint64_t *blocks, Error *err)
{
    enum { REFERENCE_POINTS = 256 };
    uint64_t least;
    if (engine->program)
        return program_batch_blocks(engine->program, &least, blocks, err);
    *blocks = REFERENCE_POINTS / engine->group->block_points + 1;
    return true;
}

static bool run_group(Course *course, Engine *engine, Results *all, Error *err)
{
    const Group     *group = engine->group;
    const RunOptions options = {.signals = &course->sweep->stop, .progress = see_slice, .user = course};
    void           **data = calloc(group->variable_count, sizeof *data);
    uint64_t         blocks = 1;
    bool ok = (data || fail(err, ERROR_INTERNAL, "out of memory")) && engine_solve(engine, &course->sweep->stop, err) &&
              choose_blocks(engine, &blocks, err);
    for (uint64_t block = 0; ok && block < group->block_count; block += blocks) {
        const Batch batch = batch_make(group, block, blocks);
        Results     part;
        ok = batch_results(all, &batch, &part, data) && engine_run(engine, &batch, &options, &part, err);
        if (ok)
            count_failures(course, &batch, &part);
    }
    free(data);
    return ok;
}

static bool make_results(PendulaResult *result, Error *err)
{
    const Plan *plan = &result->planned->plan;
    result->results = calloc(plan->group_count, sizeof *result->results);
    bool ok = result->results || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t g = 0; ok && g < plan->group_count; ++g)
        ok = results_make(&plan->groups[g], plan->groups[g].point_count, plan->groups[g].trajectory.slot_count,
                          &result->results[g], err);
    return ok;
}

// Points that were not computed have no numbers.
static void blank(Results *results, uint64_t slots)
{
    const Group *group = results->group;
    for (uint64_t point = 0; point < group->point_count; ++point) {
        if (results_value(results, 0, point, 0) != STATUS_NOT_RUN)
            continue;
        for (size_t v = 1; v < group->variable_count; ++v) {
            bool           stored = true;
            const uint64_t row = group->variables[v].trajectory ? group_slot(group, point, &stored) : point;
            for (size_t i = 0;
                 stored && row < (group->variables[v].trajectory ? slots : point + 1) && i < group->variables[v].width;
                 ++i)
                results_put(results, v, row, i, (double)NAN);
        }
    }
}

static PendulaResult *run_in_memory(Course *course, PendulaError **error)
{
    PendulaSweep  *sweep = course->sweep;
    const Plan    *plan = &sweep->planned->plan;
    Error          err = {0};
    PendulaResult *result = library_new(sizeof *result, error);
    if (!result)
        return NULL;
    result->planned = sweep->planned;
    __atomic_add_fetch(&sweep->planned->users, 1, __ATOMIC_RELAXED);
    bool ok = library_list_values(result, &err) && open_device(&sweep->warm, course->options, plan->precision, &err) &&
              make_results(result, &err) && make_engines(&sweep->warm, sweep->planned, &err);
    const bool began = ok;
    for (size_t g = 0; ok && g < plan->group_count; ++g)
        ok = run_group(course, &sweep->warm.engines[g], &result->results[g], &err);
    result->complete = ok;
    if (!ok)
        library_fail(error, &err);
    for (size_t g = 0; !ok && began && g < plan->group_count; ++g)
        blank(&result->results[g], plan->groups[g].trajectory.slot_count);
    if (ok || (began && err.kind == ERROR_STOPPED))
        return result;
    pendula_result_free(result);
    library_cool(&sweep->warm);  // after an error of the device the next run begins anew
    return NULL;
}

static void see_run(const RunProgress *progress, void *user)
{
    Course *course = user;
    course->progress.points_total = progress->points_total;
    course->progress.points_done = progress->points_reused + progress->points_done;
    course->progress.points_failed = progress->points_failed;
    course->progress.steps_done = progress->steps_done;
    tell(course);
}

static void see_wait(const ProgressCompile *compile, void *user)
{
    (void)compile;
    tell(user);
}

static void say(const char *line, void *user)
{
    const Course *course = user;
    if (course->options->say)
        course->options->say(line, course->options->user);
}

static PendulaResult *run_into_file(Course *course, PendulaError **error)
{
    static const StoreMode modes[] = {
        [PENDULA_NEW] = STORE_NEW, [PENDULA_RESUME] = STORE_RESUME, [PENDULA_REPLACE] = STORE_REPLACE};
    PendulaSweep            *sweep = course->sweep;
    const PendulaRunOptions *options = course->options;
    const char              *named = getenv("PENDULA_DEVICE");
    Error                    err = {0};
    if (options->mode < 0 || (size_t)options->mode >= sizeof modes / sizeof *modes)
        return library_refuse(error, ERROR_USAGE, "mode %d is none of PendulaMode", options->mode), NULL;
    if (sweep->points)
        return library_refuse(error, ERROR_USAGE,
                              "a file is replayed from the sweep's text, which does not have the points that were "
                              "given: write them to a CSV or HDF5 file, and name it under `points`"),
               NULL;
    RunSummary *summary = library_new(sizeof *summary, error);
    if (!summary)
        return NULL;
    const RunRequest request = {.sweep = sweep->path,
                                .text = sweep->text,
                                .files = sweep->planned->spec.files,
                                .file_count = sweep->planned->spec.file_count,
                                .overrides = (const char *const *)sweep->overrides,
                                .override_count = sweep->override_count,
                                .output = options->file,
                                .device = options->device   ? options->device
                                          : named && *named ? named
                                                            : NULL,
                                .device_memory = options->memory,
                                .lanes = options->lanes,
                                .mode = modes[options->mode],
                                .signals = &sweep->stop,
                                .say = say,
                                .progress = see_run,
                                .wait = see_wait,
                                .user = course};
    const bool       ok = run_sweep(&request, summary, &err) || library_fail(error, &err);
    PendulaResult   *result = ok ? pendula_result_open(summary->output, error) : NULL;
    free(summary);
    return result;
}

PendulaResult *pendula_sweep_run(PendulaSweep *sweep, const PendulaRunOptions *given, PendulaError **error)
{
    PendulaRunOptions options;
    if (!sweep)
        return library_refuse(error, ERROR_USAGE, "the sweep is NULL"), NULL;
    if (!library_take_options(given, &options))
        return library_refuse(error, ERROR_USAGE, "the options have no size: begin with pendula_run_options()"), NULL;
    if (options.lanes < 0 || options.lanes > LANES_MOST || (options.lanes & (options.lanes - 1)))
        return library_refuse(error, ERROR_USAGE, "%d lanes: a power of two up to %d", options.lanes, LANES_MOST), NULL;
    if (!library_plan(sweep, error))
        return NULL;
    Course course = {.sweep = sweep,
                     .options = &options,
                     .progress = {.size = sizeof course.progress, .points_total = sweep->planned->plan.point_count},
                     .begin = clock_seconds()};
    sweep->stop = 0;
    sweep->running = 1;
    PendulaResult *result = options.file ? run_into_file(&course, error) : run_in_memory(&course, error);
    sweep->running = 0;
    return result;
}
