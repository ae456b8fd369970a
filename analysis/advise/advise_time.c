// advise_time -- a choice's points, as often as they keep the device busy, run three times.
#include "analysis/advise/advise.h"

#include <math.h>
#include <stdlib.h>

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

typedef struct Timing {
    const Advice *advice;
    const Group  *whole;
    Group         group;
    uint64_t     *points;  // [count] of the whole group
    size_t        count;
    Results       results;
    Arena         arena;
} Timing;

// Finds the points of the group that belong to a choice: their axes of the method and of steps are the choice's.
static void find_points(Timing *timing, const Choice *choice)
{
    const Group *group = timing->whole;
    size_t       found = 0;
    for (uint64_t p = 0; p < group->point_count && found < timing->count; ++p) {
        bool same = true;
        for (size_t i = 0; same && i < group->axis_count; ++i) {
            const size_t d = group->axes[i].dim;
            if (group->axes[i].role == AXIS_METHOD || group->axes[i].role == AXIS_STEPS)
                same = group_index(group, d, p) == group_index(group, d, choice->point);
        }
        if (same)
            timing->points[found++] = p;
    }
    for (size_t i = found; i < timing->count; ++i)
        timing->points[i] = timing->points[i % found];
}

static double median_of_three(const double *x)
{
    return fmax(fmin(x[0], x[1]), fmin(fmax(x[0], x[1]), x[2]));
}

static bool time_choice(Timing *timing, Choice *choice, Error *err)
{
    const AdviseRequest *request = timing->advice->request;
    double               seconds[TURNS] = {0};
    Engine               engine = {0};
    find_points(timing, choice);
    bool ok = group_pick(timing->whole, timing->points, timing->count, &timing->arena, &timing->group, err) &&
              advise_build(timing->advice, choice->group, &timing->group, &engine, err) &&
              engine_leave_unsolved(&engine, err) &&
              results_make(&timing->group, timing->count, 0, &timing->results, err);
    const Batch batch = {.group = &timing->group, .point_count = timing->count};
    // The first run, which is not timed, includes the work that a driver puts off until then.
    for (int turn = -1; ok && turn < TURNS; ++turn) {
        double           ignored = 0.0;
        const RunOptions options = {
            .signals = request->signals, .progress = add_seconds, .user = turn < 0 ? &ignored : &seconds[turn]};
        ok = engine_run(&engine, &batch, &options, &timing->results, err);
    }
    if (ok)
        choice->seconds = median_of_three(seconds) / (double)timing->count;
    results_free(&timing->results);
    engine_free(&engine);
    return ok;
}

static bool time_once(Advice *advice, size_t index, Error *err)
{
    Choice      *choice = &advice->choices[index];
    const Group *group = &advice->study->plan.groups[choice->group];
    Timing       timing = {.advice = advice, .whole = group};
    if (!isnan(choice->seconds))
        return true;
    timing.count = fill(advice->request->device, group, choice->steps);
    timing.points = arena_take(&timing.arena, timing.count, sizeof *timing.points, err);
    const bool ok = timing.points && time_choice(&timing, choice, err);
    arena_free(&timing.arena);
    return ok;
}

bool advise_time(Advice *advice, Error *err)
{
    bool   ok = true;
    double error;
    if (!advice->request->device)
        return true;
    for (size_t i = 0; ok && i < advice->front_count; ++i)
        ok = !advise_shows_front(advice, i, &error) || time_once(advice, advice->front[i], err);
    for (size_t t = 0; t < advice->request->target_count; ++t)
        for (size_t i = 0; ok && i < advise_shown(advice, t); ++i)
            ok = time_once(advice, advice->best[t][i], err);
    return ok;
}
