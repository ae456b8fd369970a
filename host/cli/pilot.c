// pilot -- runs batches until the time is up and counts what was done.
#include "cli/pilot.h"

#include "compose/compose.h"
#include "plan/solution.h"

enum { PLACES = 3 };

// What the slices of one batch tell.
typedef struct Watch {
    Pilot                *pilot;
    double                limit, seconds;
    bool                  warm;  // a slice was seen
    volatile sig_atomic_t stop;
} Watch;

uint64_t pilot_steps(const Group *group)
{
    // The steps follow one axis at most, so that a grid need not be walked point by point.
    const int      along = group->steps_given ? group->steps.axis : group->step.axis;
    const uint64_t values = along < 0 ? 1 : group->axes[along].count, share = group->point_count / values;
    uint64_t       total = 0, stride = 1, steps;
    for (size_t i = (size_t)along + 1; along >= 0 && group->design == DESIGN_GRID && i < group->axis_count; ++i)
        stride *= group->axes[i].count;
    for (uint64_t i = 0; i < values; ++i)
        if (__builtin_mul_overflow(group_steps(group, i * stride), share, &steps) ||
            __builtin_add_overflow(total, steps, &total))
            return UINT64_MAX;
    return total;
}

static void watch_slice(const Progress *progress, void *user)
{
    Watch *watch = user;
    // The first launch of a kernel also finishes its compilation; where it is the only one, it is better than nothing.
    if (watch->warm || progress->running == 0) {
        watch->pilot->seconds += progress->seconds;
        watch->pilot->steps += progress->steps;
    }
    watch->warm = true;
    watch->seconds += progress->seconds;
    if (watch->seconds >= watch->limit)
        watch->stop = 2;
}

static bool run_place(Program *program, const Group *group, const Solution *solution, uint64_t block, uint64_t blocks,
                      Watch *watch, Error *err)
{
    Batch            batch = batch_make(group, block, blocks);
    const RunOptions options = {.signals = &watch->stop, .progress = watch_slice, .user = watch};
    Results          results = {0};
    batch.solution = solution;
    bool ok = results_make(group, batch.point_count, batch.slot_count, &results, err);
    if (ok && !program_run(program, &batch, &options, &results, err))
        ok = err->kind == ERROR_STOPPED && watch->stop != 0;
    results_free(&results);
    ++watch->pilot->batches;
    return ok;
}

bool pilot_run(Device *device, const Plan *plan, const Group *group, double seconds, Pilot *pilot, Error *err)
{
    Text     source = {0};
    Solution blank = {0};  // numbers take the same time, solved or not
    Program *program = NULL;
    uint64_t blocks = 0, most = 0, last = UINT64_MAX;
    Watch    watch = {.pilot = pilot, .limit = seconds};
    *pilot = (Pilot){0};
    bool ok = compose(plan, group, &source, err) && device_build(device, plan, group, source.text, 0, &program, err) &&
              program_batch_blocks(program, &blocks, &most, err) &&
              (group->solution.rows == 0 || solution_make(group, &blank, err));
    for (uint64_t place = 0; ok && place < PLACES; ++place) {
        const uint64_t block = (group->block_count - blocks) * place / (PLACES - 1);
        if (block == last)
            continue;
        last = block;
        watch.seconds = 0.0;
        watch.stop = 0;
        ok = run_place(program, group, &blank, block, blocks, &watch, err);
    }
    program_free(program);
    solution_free(&blank);
    text_free(&source);
    return ok;
}
