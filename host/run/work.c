// work -- found and counted before anything is computed, then taken block by block.
#include "run/work.h"

#include "plan/part.h"
#include "plan/solution.h"
#include "store/retry.h"

#include <string.h>
#include <unistd.h>

static bool open_reuse(Work *work, Error *err)
{
    const RunRequest *request = work->request;
    return request->reuse_count == 0 || work->reuse ||
           reuse_open(request->reuse, request->reuse_count, work->plan, work->sources, monitor_say, work->monitor,
                      &work->reuse, err);
}

// Notes which solutions the points of a batch that are to be computed compare with.
static bool note_tables(Work *work, const Batch *batch, Error *err)
{
    bool **needed = &work->needed[batch->group - work->plan->groups];
    if (!*needed && !(*needed = arena_take(&work->plan->arena, solution_tables(batch->group), sizeof **needed, err)))
        return false;
    for (size_t i = 0; i < batch->point_count; ++i)
        if (!batch->given || !batch->given[i])
            (*needed)[solution_table(batch->group, batch->first_point + i)] = true;
    return true;
}

// Counts the points of a block that are to be computed, and their steps; of a block that is done none are.
static bool count_block(Work *work, const Group *group, uint64_t block, ReuseBatch *found, Error *err)
{
    RunProgress *progress = &work->monitor->progress;
    Batch        batch = batch_make(group, block, 1);
    const bool   same_steps = group->step.axis < 0 && group->steps.axis < 0,
               done = work->elsewhere ? work->elsewhere[group->first_block + block]
                                      : work->store && store_done(work->store, group->first_block + block);
    if (done)
        batch.given_points = batch.point_count;
    else if (!reuse_find(work->reuse, &batch, found, err))
        return false;
    progress->points_reused += batch.given_points;
    work->monitor->summary->points_reused += done ? batch.point_count : 0;
    if (batch.given_points == batch.point_count)
        return true;
    work->wanted[group - work->plan->groups] = true;
    if (group->solution.rows > 0 && !note_tables(work, &batch, err))
        return false;
    for (size_t i = 0; !same_steps && i < batch.point_count; ++i)
        if (!batch.given || !batch.given[i])
            progress->steps_total += group_steps(group, batch.first_point + i);
    if (same_steps)
        progress->steps_total += (batch.point_count - batch.given_points) * group_steps(group, batch.first_point);
    return true;
}

// Every block that is wanted is looked at once.
static bool count(Work *work, Error *err)
{
    Plan        *plan = work->plan;
    const size_t groups = plan->group_count;
    ReuseBatch   found SCOPED(reuse_free) = {0};
    bool         ok = (work->wanted = arena_take(&plan->arena, groups, sizeof *work->wanted, err)) &&
              (work->needed = arena_take(&plan->arena, groups, sizeof *work->needed, err)) &&
              (work->drawn = arena_take(&plan->arena, groups, sizeof *work->drawn, err));
    for (size_t g = 0; ok && g < groups; ++g) {
        const Group *group = &plan->groups[g];
        uint64_t     first, end;
        part_blocks(plan, group, &first, &end);
        for (uint64_t b = first; ok && b < end; ++b)
            ok = count_block(work, group, b - group->first_block, &found, err);
    }
    return ok;
}

bool work_find(Work *work, bool fine, Error *err)
{
    work->found = ranks_agree(work->ranks, fine, err) && work->kind->find(work, err);
    return work->found && (work->nothing || ((work->complete || open_reuse(work, err)) && count(work, err)));
}

bool work_open(Work *work, Error *err)
{
    const StoreMode way = work->request->unlocked ? STORE_UNLOCKED : 0;
    if (work->store)
        return true;
    if (!store_prepare(work->path, work->plan, work->sources, work->mode | way, &work->store, err))
        return false;
    for (uint64_t block = 0; work->elsewhere && block < work->plan->block_count; ++block)
        if (work->elsewhere[block])
            store_leave(work->store, block);
    return true;
}

bool work_name(Work *work, bool fine, Error *err)
{
    work->named = work->named || (fine && store_publish(work->store, err));
    if (!work->named) {
        store_close(work->store);
        work->store = NULL;
    }
    return fine && work->named;
}

// Opens an existing file to resume.
static bool find_file(Work *work, Error *err)
{
    if ((work->mode != STORE_RESUME && work->mode != STORE_TRUST) || access(work->path, F_OK) != 0)
        return store_check(work->path, work->plan, work->mode, err);
    // A retry has its history already.
    if ((!work->plan->attempts && !retry_adopt(work->path, work->plan, err)) || !work_open(work, err))
        return false;
    work->named = true;
    work->complete = store_complete(work->store);
    work->monitor->summary->blocks_reused = store_reused(work->store);
    return true;
}

static bool find_failed(Work *work, Error *err)
{
    uint64_t points;
    if (!retry_prepare(work->path, work->request->retry, work->plan, &points, &work->reuse, err))
        return false;
    work->monitor->summary->retry = points > 0 ? work->plan->attempt : 0;
    work->nothing = work->complete = points == 0;
    work->path = retry_name(work->path, &work->plan->arena, err);
    return work->path && (work->nothing || find_file(work, err));
}

static bool is_wanted(const Work *work, uint64_t block)
{
    // A rank computes the blocks it drew, also after it lost a device.
    return store_wanted(work->store, block) && (!work->mine || work->mine[block]);
}

size_t work_takers(const Work *work)
{
    size_t left = 0;
    for (size_t i = 0; i < work->taker_count; ++i)
        left += !work->takers[i].lost;
    return left;
}

uint64_t work_share(const Work *work, const Taker *taker, uint64_t left)
{
    double rates = 0.0;
    size_t count = 0;
    bool   known = true;
    if (work_takers(work) == 1)
        return left;
    for (size_t i = 0; i < work->taker_count; ++i) {
        const Taker *other = &work->takers[i];
        if (other->lost || other->group > taker->group)
            continue;
        rates += other->rate;
        known = known && other->rate > 0.0;
        ++count;
    }
    if (count > 1 && known && rates - taker->rate > (double)left * taker->rate)
        return 0;
    const uint64_t share = (uint64_t)((double)left / 2 * (known ? taker->rate / rates : 1.0 / (double)count));
    return share ? share : 1;
}

// One alone takes all at once.
static bool take(Work *work, Taker *taker, size_t g, uint64_t most)
{
    const Group *group = &work->plan->groups[g];
    pthread_mutex_lock(&work->mutex);
    uint64_t next = work->drawn[g];
    while (next < group->block_count && !is_wanted(work, group->first_block + next))
        ++next;
    const uint64_t left = work->halted ? 0 : group->block_count - next,
                   share = left ? work_share(work, taker, left) : 0,
                   count = share < most || share == left ? share : most;
    taker->block = next;
    taker->end = work->drawn[g] = next + count;
    // The others count on it no more.
    taker->group += count == 0;
    pthread_mutex_unlock(&work->mutex);
    return count > 0;
}

bool work_begin(Work *work, Taker *taker, size_t g)
{
    const Group *group = &work->plan->groups[g];
    pthread_mutex_lock(&work->mutex);
    taker->group = g;
    uint64_t next = work->drawn[g];
    pthread_mutex_unlock(&work->mutex);
    taker->block = 0;
    taker->end = work->mine && work->pass > 0 ? group->block_count : 0;
    while (next < group->block_count && !store_wanted(work->store, group->first_block + next))
        ++next;
    return next < group->block_count;
}

uint64_t work_next(Work *work, Taker *taker, size_t g, uint64_t most)
{
    const uint64_t first = work->plan->groups[g].first_block;
    uint64_t       blocks = 0;
    do {
        while (taker->block < taker->end && !is_wanted(work, first + taker->block))
            ++taker->block;
    } while (taker->block >= taker->end && work->kind->take(work, taker, g, most));
    while (blocks < most && taker->block + blocks < taker->end && is_wanted(work, first + taker->block + blocks))
        ++blocks;
    return blocks;
}

void work_done(Work *work, Taker *taker, uint64_t blocks, uint64_t points, uint64_t steps, double rate)
{
    taker->block += blocks;
    if (work->kind->tell)
        work->kind->tell(work, points, steps);
    pthread_mutex_lock(&work->mutex);
    taker->rate = rate;
    pthread_mutex_unlock(&work->mutex);
}

void work_leave(Work *work, Taker *taker, bool halt)
{
    pthread_mutex_lock(&work->mutex);
    taker->group = work->plan->group_count;
    work->halted = work->halted || halt;
    pthread_mutex_unlock(&work->mutex);
}

bool work_again(Work *work, Error *err)
{
    if (!store_finish(work->store, err))
        return false;
    ++work->pass;
    memset(work->drawn, 0, work->plan->group_count * sizeof *work->drawn);
    for (size_t i = 0; i < work->taker_count; ++i)
        work->takers[i].group = 0;
    return true;
}

static bool settle_retry(Work *work, bool fine, Error *err)
{
    if (!fine || work->nothing)
        return fine;
    store_close(work->store);
    work->store = NULL;
    return retry_settle(work->path, work->monitor->summary->output, err);
}

bool work_commit(Work *work, bool fine, Error *err)
{
    return work->found && work->kind->commit ? work->kind->commit(work, fine, err) : fine;
}

void work_close(Work *work)
{
    reuse_close(work->reuse);
    pieces_free(&work->pieces);
    pthread_mutex_destroy(&work->mutex);
}

const WorkKind work_alone = {.find = find_file, .take = take};
const WorkKind work_retry = {.find = find_failed, .take = take, .commit = settle_retry};
