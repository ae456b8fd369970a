// pilot -- measured run of some points to their end, and of batches until the time is up.
#include "cli/pilot.h"

#include "base/clock.h"
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>

enum { PLACES = 3, LARGE_SAMPLE = 256, SMALL_SAMPLE = 16 };

// Sums over the slices of one run.
typedef struct Watch {
    double                limit, seconds;
    uint64_t              steps, work;
    volatile sig_atomic_t stop;
} Watch;

uint64_t pilot_steps(const Group *group)
{
    // The steps follow one axis at most, so that the points of a grid need not be visited one by one.
    const int      along = group->steps_given ? group->steps.axis : group->step.axis;
    const uint64_t values = along < 0 ? 1 : group->axes[along].count, share = group->point_count / values;
    uint64_t       total = 0, stride = 1, steps;
    for (size_t i = along < 0 ? group->dim_count : group->axes[along].dim + 1; i < group->dim_count; ++i)
        stride *= group->dims[i].count;
    for (uint64_t i = 0; i < values; ++i)
        if (__builtin_mul_overflow(group_steps(group, i * stride), share, &steps) ||
            __builtin_add_overflow(total, steps, &total))
            return UINT64_MAX;
    return total;
}

static void watch_slice(const Progress *progress, void *user)
{
    Watch *watch = user;
    watch->seconds += progress->seconds;
    watch->steps += progress->steps;
    watch->work += progress->used;
    if (watch->seconds >= watch->limit)
        watch->stop = 2;
}

// Runs a batch until it ends or the watch stops it.
static bool run_batch(const Engine *engine, uint64_t block, uint64_t blocks, Watch *watch, Error *err)
{
    const Batch      batch = batch_make(engine->group, block, blocks);
    const RunOptions options = {.signals = &watch->stop, .progress = watch_slice, .user = watch};
    Results          results SCOPED(results_free) = {0};
    bool             ok = results_make(engine->group, batch.point_count, batch.slot_count, &results, err);
    if (ok && !engine_run(engine, &batch, &options, &results, err))
        ok = err->kind == ERROR_STOPPED && watch->stop != 0;
    return ok;
}

// At most so many points of a group, spread over it, as a group of one block; no trajectory is stored. The arena holds
// its axes.
static bool sample_make(const Group *group, size_t most, Arena *arena, Group *sample, Error *err)
{
    const size_t count = group->point_count < most ? (size_t)group->point_count : most;
    uint64_t    *points = arena_take(arena, count, sizeof *points, err);
    for (size_t i = 0; points && i < count; ++i) {
        // One from each of as many equal parts, at places in them that follow no axis.
        const double place = count < most ? 0.0 : fmod((double)i * 0.6180339887498949, 1.0);
        points[i] = (uint64_t)(((double)i + place) / (double)count * (double)group->point_count);
    }
    if (!points || !group_pick(group, points, count, arena, sample, err))
        return false;
    sample->trajectory.slot_count = 0;
    if (group->trajectory.stored)
        sample->trajectory.selected_count[0] = 0;
    return true;
}

static bool make_engine(Engine *engine, Device *device, const Plan *plan, const Group *group, Error *err)
{
    return engine_compose(engine, plan, group, err) && engine_leave_unsolved(engine, err) &&
           engine_build(engine, device, 0, err);
}

// Estimates how much there is to do from so many points.
static bool run_sample(const Engine *whole, size_t most, double seconds, Pilot *pilot, Error *err)
{
    const Group *group = whole->group;
    Arena        arena SCOPED(arena_free) = {0};
    Group        sample = {0};
    Engine       engine SCOPED(engine_free) = {0};
    Watch        watch = {.limit = seconds};
    bool         ok = sample_make(group, most, &arena, &sample, err) &&
              make_engine(&engine, whole->device, whole->plan, &sample, err) && run_batch(&engine, 0, 1, &watch, err);
    pilot->ended = ok && watch.stop == 0;
    if (pilot->ended)
        pilot->total_work = (double)watch.work / (double)sample.point_count * (double)group->point_count;
    else if (watch.steps > 0)
        pilot->total_work = (double)watch.work / (double)watch.steps * (double)pilot_steps(group);
    return ok;
}

// Fewer points come to their end where many do not.
static bool measure_work(const Engine *engine, double seconds, Pilot *pilot, Error *err)
{
    bool ok = true;
    pilot->total_work = (double)pilot_steps(engine->group);
    for (size_t most = LARGE_SAMPLE; ok && !pilot->ended && most >= SMALL_SAMPLE; most /= 4)
        ok = run_sample(engine, most, seconds, pilot, err);
    return ok;
}

// Measures how fast that is done.
static bool measure_speed(const Engine *engine, double seconds, Pilot *pilot, Error *err)
{
    uint64_t blocks = 0, most = 0, last = UINT64_MAX;
    bool     ok = program_batch_blocks(engine->program, &blocks, &most, err);
    for (uint64_t place = 0; ok && place < PLACES; ++place) {
        Watch          watch = {.limit = seconds};
        const uint64_t block = (engine->group->block_count - blocks) * place / (PLACES - 1);
        if (block == last)
            continue;
        last = block;
        ok = run_batch(engine, block, blocks, &watch, err);
        pilot->seconds += watch.seconds;
        pilot->work += watch.work;
    }
    return ok;
}

bool pilot_run(Device *device, const Plan *plan, const Group *group, double seconds, Pilot *pilot, Error *err)
{
    Engine       engine SCOPED(engine_free) = {0};
    Watch        first = {0};  // stops after one slice
    const double begin = clock_seconds();
    *pilot = (Pilot){0};
    bool ok = make_engine(&engine, device, plan, group, err) && run_batch(&engine, 0, 1, &first, err);
    pilot->compile_seconds = clock_seconds() - begin;
    return ok && measure_work(&engine, 2 * seconds, pilot, err) && measure_speed(&engine, seconds, pilot, err);
}

void pilot_estimate(const char *which, const Plan *plan, double seconds, PilotEstimate *estimate)
{
    Device *device = NULL;
    *estimate = (PilotEstimate){.ended = true};
    bool ok = device_open(which, plan->precision, &device, &estimate->why);
    for (size_t g = 0; ok && g < plan->group_count; ++g) {
        Pilot pilot;
        ok = pilot_run(device, plan, &plan->groups[g], seconds, &pilot, &estimate->why);
        if (!ok)
            continue;
        estimate->compile_seconds += pilot.compile_seconds;
        estimate->measured += pilot.seconds;
        estimate->work += pilot.total_work;
        estimate->ended = estimate->ended && pilot.ended;
        estimate->seconds += pilot.work > 0 ? pilot.total_work * pilot.seconds / (double)pilot.work : 0.0;
    }
    estimate->known = ok;
    if (ok)
        snprintf(estimate->device, sizeof estimate->device, "%s", device_info(device)->name);
    device_close(device);
}
