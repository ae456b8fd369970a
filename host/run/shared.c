// shared -- pieces that earlier processes left are found, and those of this run merged.
#include "run/shared.h"

#include "plan/part.h"

#include <string.h>

// Before the first process of several that share a run begins: what is in the way, and what earlier ones left.
static bool prepare_pieces(Sweep *sweep, Error *err)
{
    const StoreMode mode = sweep->request->mode;
    const char     *output = sweep->summary->output;
    Pieces          pieces = {0};
    bool            ok = pieces_list(output, true, &pieces, err);
    if (ok && mode == STORE_NEW && pieces.count > 0)
        ok = fail(err, ERROR_IO, "%s: exists already; --resume continues it, --force replaces it", pieces.paths[0]);
    if (ok && mode == STORE_REPLACE)
        ok = pieces_remove(&pieces, err);
    pieces_free(&pieces);
    return ok && (mode == STORE_RESUME || mode == STORE_TRUST || store_check(output, &sweep->plan, mode, err));
}

bool shared_find(Sweep *sweep, Error *err)
{
    const Ranks *ranks = &sweep->ranks;
    const Plan  *plan = &sweep->plan;
    bool         fine = ranks->index > 0 || prepare_pieces(sweep, err);
    if (!ranks_agree(ranks, fine, err))
        return false;
    sweep->elsewhere = arena_take(&sweep->plan.arena, plan->block_count, sizeof *sweep->elsewhere, err);
    sweep->mine = arena_take(&sweep->plan.arena, plan->block_count, sizeof *sweep->mine, err);
    fine = sweep->elsewhere && sweep->mine && pieces_list(sweep->summary->output, true, &sweep->pieces, err) &&
           (sweep->request->mode == STORE_REPLACE ||
            pieces_find(&sweep->pieces, (size_t)ranks->index, (size_t)ranks->count, plan, sweep->elsewhere, err));
    if (!ranks_agree(ranks, fine, err))
        return false;
    ranks_unite(ranks, sweep->elsewhere, plan->block_count);
    for (uint64_t block = 0; block < plan->block_count; ++block)
        sweep->summary->blocks_reused += sweep->elsewhere[block];
    part_share(&sweep->plan);
    return ranks_make_counters(ranks, (int)plan->group_count + COUNTERS, err);
}

// The summary of all ranks together; their time is the mean.
static void add_up(Sweep *sweep)
{
    enum { POINTS, COPIED, BLOCKS, STEPS, USED, SPENT, MICROSECONDS, BY_STATUS, SUMS = BY_STATUS + STATUS_COUNT };
    RunSummary *summary = sweep->summary;
    uint64_t    sums[SUMS] = {summary->points_computed,
                              summary->points_copied,
                              summary->blocks_computed,
                              summary->steps,
                              summary->work_used,
                              summary->work_spent,
                              (uint64_t)(summary->compute_seconds * 1e6)};
    memcpy(&sums[BY_STATUS], summary->by_status, sizeof summary->by_status);
    ranks_add_up(&sweep->ranks, sums, SUMS);
    summary->points_computed = sums[POINTS];
    summary->points_copied = sums[COPIED];
    summary->blocks_computed = sums[BLOCKS];
    summary->steps = sums[STEPS];
    summary->work_used = sums[USED];
    summary->work_spent = sums[SPENT];
    summary->compute_seconds = 1e-6 * (double)sums[MICROSECONDS] / sweep->ranks.count;
    memcpy(summary->by_status, &sums[BY_STATUS], sizeof summary->by_status);
}

bool shared_unite(Sweep *sweep, bool fine, double begin, Error *err)
{
    const RunRequest *request = sweep->request;
    if (!ranks_agree(&sweep->ranks, fine, err))
        return false;
    store_close(sweep->store);
    sweep->store = NULL;
    fine = sweep->ranks.index > 0 || pieces_merge(sweep->summary->output, request->mode != STORE_REPLACE,
                                                  sweep->plan.spec, request->say ? sweep_say : NULL, sweep, err);
    if (!ranks_agree(&sweep->ranks, fine, err))
        return false;
    add_up(sweep);
    sweep->summary->seconds = clock_seconds() - begin;
    return true;
}
