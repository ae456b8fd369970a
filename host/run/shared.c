// shared -- work that several processes (ranks) share: each draws blocks from common counters, into a piece of its own.
#include "run/work.h"

#include "base/clock.h"
#include "plan/part.h"

// Counters that ranks share: of each group the blocks that were drawn, then these.
enum { COUNTER_POINTS, COUNTER_STEPS, COUNTERS };

// Before the first process of several that share a run begins: files in the way, and files that earlier processes left.
static bool prepare_pieces(const Work *work, Error *err)
{
    const StoreMode mode = work->request->mode;
    Pieces          pieces SCOPED(pieces_free) = {0};
    bool            ok = pieces_list(work->path, true, &pieces, err);
    if (ok && mode == STORE_NEW && pieces.count > 0)
        ok = fail(err, ERROR_IO, "%s: exists already; --resume continues it, --force replaces it", pieces.paths[0]);
    if (ok && mode == STORE_REPLACE)
        ok = pieces_remove(&pieces, NULL, err);
    return ok && (mode == STORE_RESUME || mode == STORE_TRUST || store_check(work->path, work->plan, mode, err));
}

static bool find(Work *work, Error *err)
{
    const Ranks *ranks = work->ranks;
    Plan        *plan = work->plan;
    uint64_t    *reused = &work->monitor->summary->blocks_reused;
    if (!ranks_agree(ranks, ranks->index > 0 || prepare_pieces(work, err), err))
        return false;
    const bool fine = (work->elsewhere = arena_take(&plan->arena, plan->block_count, sizeof *work->elsewhere, err)) &&
                      (work->mine = arena_take(&plan->arena, plan->block_count, sizeof *work->mine, err)) &&
                      pieces_list(work->path, true, &work->pieces, err) &&
                      (work->mode == STORE_REPLACE || pieces_find(&work->pieces, (size_t)ranks->index,
                                                                  (size_t)ranks->count, plan, work->elsewhere, err)) &&
                      (work->path = pieces_name(work->path, ranks->index, &plan->arena, err));
    if (!ranks_agree(ranks, fine, err))
        return false;
    ranks_unite(ranks, work->elsewhere, plan->block_count);
    for (uint64_t block = 0; block < plan->block_count; ++block)
        *reused += work->elsewhere[block];
    work->complete = *reused == plan->block_count;
    work->mode = STORE_RESUME;
    part_share(plan);
    return ranks_make_counters(ranks, (int)plan->group_count + COUNTERS, err);
}

static bool take(Work *work, Taker *taker, size_t g, uint64_t most)
{
    (void)most;
    const Group   *group = &work->plan->groups[g];
    const uint64_t blocks = group->block_count, left = blocks - taker->end,
                   some = left / (4 * (uint64_t)work->ranks->count), count = some ? some : 1;
    taker->block = ranks_count_up((int)g, count);
    taker->end = taker->block < blocks - count ? taker->block + count : blocks;
    for (uint64_t b = taker->block; b < taker->end; ++b)
        work->mine[group->first_block + b] = 1;
    return taker->block < blocks;
}

// The first rank adds the counts of the others to its own progress.
static void tell(Work *work, uint64_t points, uint64_t steps)
{
    const int base = (int)work->plan->group_count;
    Monitor  *monitor = work->monitor;
    if (work->ranks->index > 0) {
        ranks_count_up(base + COUNTER_POINTS, points);
        ranks_count_up(base + COUNTER_STEPS, steps);
        return;
    }
    const uint64_t other_points = ranks_count_up(base + COUNTER_POINTS, 0),
                   other_steps = ranks_count_up(base + COUNTER_STEPS, 0);
    pthread_mutex_lock(&monitor->mutex);
    monitor->progress.points_done += other_points - work->others_points;
    monitor->progress.steps_done += other_steps - work->others_steps;
    work->others_points = other_points;
    work->others_steps = other_steps;
    monitor_show(monitor);
    pthread_mutex_unlock(&monitor->mutex);
}

// The summary of all ranks together; their time is the mean.
static void add_up(const Ranks *ranks, RunSummary *summary)
{
    uint64_t        microseconds = (uint64_t)(summary->compute_seconds * 1e6);
    uint64_t *const sums[] = {&summary->points_computed,
                              &summary->points_copied,
                              &summary->blocks_computed,
                              &summary->steps,
                              &summary->work_used,
                              &summary->work_spent,
                              &microseconds};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; ++i)
        ranks_add_up(ranks, sums[i], 1);
    ranks_add_up(ranks, summary->by_status, STATUS_COUNT);
    summary->compute_seconds = 1e-6 * (double)microseconds / ranks->count;
}

static bool commit(Work *work, bool fine, Error *err)
{
    Monitor    *monitor = work->monitor;
    RunSummary *summary = monitor->summary;
    if (!ranks_agree(work->ranks, fine, err))
        return false;
    store_close(work->store);
    work->store = NULL;
    fine =
        work->ranks->index > 0 || pieces_merge(summary->output, work->request->mode != STORE_REPLACE, work->plan->spec,
                                               work->request->say ? monitor_say : NULL, monitor, err);
    if (!ranks_agree(work->ranks, fine, err))
        return false;
    add_up(work->ranks, summary);
    summary->seconds = clock_seconds() - monitor->begin;
    return true;
}

const WorkKind shared_kind = {.find = find, .take = take, .tell = tell, .commit = commit};
