// compute -- points of a sweep are computed into memory, by programs that stay for the next run.
#include "library/library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void library_cool(Warm *warm)
{
    for (size_t g = 0; g < warm->engine_count; ++g)
        engine_free(&warm->engines[g]);
    free(warm->engines);
    device_close(warm->device);
    library_drop_planned(warm->planned);
    *warm = (Warm){0};
}

// Whether the last run has the device that is asked for.
static bool is_open(const Warm *warm, const PendulaRunOptions *options, Precision precision)
{
    return warm->planned && warm->precision == precision &&
           strcmp(warm->which, options->device ? options->device : "") == 0 && warm->memory == options->memory &&
           warm->lanes == options->lanes;
}

static bool open_device(Warm *warm, const PendulaRunOptions *options, bool reference, Precision precision, Error *err)
{
    const char  *which = options->device ? options->device : "";
    const size_t length = strlen(which);
    if (length >= sizeof warm->which)
        return fail(err, ERROR_USAGE, "the name of the device is too long");
    if (is_open(warm, options, precision))
        return true;
    library_cool(warm);
    if (!reference && !device_open(options->device, precision, &warm->device, err))
        return false;
    memcpy(warm->which, which, length + 1);
    warm->precision = precision;
    warm->memory = options->memory;
    warm->lanes = options->lanes;
    if (warm->device && options->memory > 0)
        device_limit(warm->device, options->memory);
    return true;
}

// Composes the kernel of a group, and builds it unless the last run's program of that place is of the same source.
static bool make_engine(const Course *course, size_t g, Engine *engine, Error *err)
{
    const Warm *warm = &course->warm;
    const Plan *plan = &course->planned->plan;
    if (course->stop)
        return fail(err, ERROR_STOPPED, "stopped");
    if (g < warm->engine_count && library_are_alike(warm->planned, course->planned) &&
        engine_take_alike(engine, warm->device, plan, &plan->groups[g], &warm->engines[g]))
        return true;
    return engine_compose(engine, plan, &plan->groups[g], err) &&
           ((g < warm->engine_count && engine_take(engine, &warm->engines[g])) ||
            engine_build(engine, warm->device, warm->lanes, err));
}

static bool make_engines(Course *course, Error *err)
{
    Warm        *warm = &course->warm;
    const size_t groups = course->planned->plan.group_count;
    Engine      *engines = calloc(groups, sizeof *engines);
    bool         ok = engines || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t g = 0; ok && g < groups; ++g)
        ok = make_engine(course, g, &engines[g], err);
    for (size_t g = 0; g < warm->engine_count; ++g)
        engine_free(&warm->engines[g]);
    free(warm->engines);
    library_drop_planned(warm->planned);
    warm->engines = engines;
    warm->engine_count = engines ? groups : 0;
    warm->planned = library_hold_planned(course->planned);
    return ok;
}

static void count_steps(const Progress *progress, void *user)
{
    Course *course = user;
    pthread_mutex_lock(&course->thread.mutex);
    course->progress.steps_done += progress->steps;
    pthread_mutex_unlock(&course->thread.mutex);
    library_report(course);
}

static void count_points(Course *course, const Batch *batch, uint64_t blocks, const Results *part)
{
    const int8_t *statuses = results_at(part, 0, 0);
    size_t        failed = 0;
    for (size_t i = 0; i < batch->point_count; ++i)
        failed += statuses[i] != STATUS_OK;
    pthread_mutex_lock(&course->thread.mutex);
    course->progress.points_done += batch->point_count;
    course->progress.points_failed += failed;
    course->blocks_done += blocks;
    pthread_mutex_unlock(&course->thread.mutex);
}

// The part of a group's results that a batch has.
//   data  [variable_count] written, and borrowed by the part
static Results part_of(const Results *all, const Batch *batch, void **data)
{
    for (size_t v = 0; v < all->group->variable_count; ++v)
        data[v] = results_at(
            all, v, all->group->variables[v].trajectory ? (size_t)batch->first_slot : (size_t)batch->first_point);
    return (Results){
        .group = all->group, .data = data, .point_capacity = batch->point_count, .slot_capacity = batch->slot_count};
}

// Blocks of a batch: as many as the device takes at a time; on the reference so few that progress is seen.
static bool choose_blocks(const Engine *engine, uint64_t *blocks, Error *err)
{
    enum { REFERENCE_POINTS = 256 };
    uint64_t least;
    if (engine->program)
        return program_batch_blocks(engine->program, &least, blocks, err);
    *blocks = REFERENCE_POINTS / engine->group->block_points + 1;
    return true;
}

static bool compute_group(Course *course, Engine *engine, const Results *all, Error *err)
{
    const Group     *group = engine->group;
    const RunOptions options = {.signals = &course->stop, .progress = count_steps, .user = course};
    void           **data = calloc(group->variable_count, sizeof *data);
    uint64_t         most = 1;
    bool ok = (data || fail(err, ERROR_INTERNAL, "out of memory")) && engine_solve(engine, &course->stop, err) &&
              choose_blocks(engine, &most, err);
    for (uint64_t block = 0, count; ok && block < group->block_count; block += count) {
        count = most < group->block_count - block ? most : group->block_count - block;
        const Batch batch = batch_make(group, block, count);
        Results     part = part_of(all, &batch, data);
        ok = engine_run(engine, &batch, &options, &part, err);
        if (ok)
            count_points(course, &batch, count, &part);
    }
    free(data);
    return ok;
}

bool library_is_ready(const Course *course)
{
    const Plan *plan = &course->planned->plan;
    bool        ready = course->warm.device && plan->own_count == 0 &&
                 is_open(&course->warm, &course->options, plan->precision) &&
                 library_are_alike(course->warm.planned, course->planned);
    for (size_t g = 0; ready && g < plan->group_count; ++g)
        ready = plan->groups[g].solution.rows == 0;
    return ready;
}

bool library_compute(Course *course, Error *err)
{
    const Plan *plan = &course->planned->plan;
    bool        ok = open_device(&course->warm, &course->options, course->result->reference, plan->precision, err) &&
              make_engines(course, err);
    for (size_t g = 0; ok && g < plan->group_count; ++g)
        ok = compute_group(course, &course->warm.engines[g], &course->result->results[g], err);
    return ok;
}

void library_copy_done(const Course *course, PendulaResult *copy)
{
    const Plan *plan = &course->planned->plan;
    for (size_t g = 0; g < plan->group_count && plan->groups[g].first_block < course->blocks_done; ++g) {
        const Group   *group = &plan->groups[g];
        const uint64_t done = course->blocks_done - group->first_block;
        const Batch    batch = batch_make(group, 0, done < group->block_count ? done : group->block_count);
        for (size_t v = 0; v < group->variable_count; ++v) {
            const Variable *variable = &group->variables[v];
            const size_t    rows = variable->trajectory ? batch.slot_count : batch.point_count;
            memcpy(copy->results[g].data[v], course->result->results[g].data[v],
                   rows * variable->width * group_type_bytes(variable->type));
        }
    }
}

static void blank_row(const Results *results, size_t variable, uint64_t row)
{
    for (size_t i = 0; i < results->group->variables[variable].width; ++i)
        results_put(results, variable, (size_t)row, i, (double)NAN);
}

static void blank_group(const Results *results)
{
    const Group *group = results->group;
    for (uint64_t point = 0; point < group->point_count; ++point) {
        bool           stored;
        const uint64_t slot = group_slot(group, point, &stored);
        if (results_value(results, 0, (size_t)point, 0) != STATUS_NOT_RUN)
            continue;
        for (size_t v = 1; v < group->variable_count; ++v)
            if (!group->variables[v].trajectory)
                blank_row(results, v, point);
            else if (stored)
                blank_row(results, v, slot);
    }
}

void library_blank(PendulaResult *result)
{
    for (size_t g = 0; g < result->planned->plan.group_count; ++g)
        blank_group(&result->results[g]);
}
