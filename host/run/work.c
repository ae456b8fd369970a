// work -- every block that is wanted is looked at once, before anything is computed.
#include "run/work.h"

#include "plan/part.h"

// Notes which solutions the points of a batch that are to be computed compare with.
static bool note_tables(Sweep *sweep, const Batch *batch, Error *err)
{
    bool **needed = &sweep->needed[batch->group - sweep->plan.groups];
    if (!*needed && !(*needed = arena_take(&sweep->plan.arena, solution_tables(batch->group), sizeof **needed, err)))
        return false;
    for (size_t i = 0; i < batch->point_count; ++i)
        if (!batch->given || !batch->given[i])
            (*needed)[solution_table(batch->group, batch->first_point + i)] = true;
    return true;
}

// Counts the points of a block that are to be computed, and their steps; of a block that is done none are.
static bool count_block(Sweep *sweep, const Group *group, uint64_t block, ReuseBatch *found, Error *err)
{
    RunProgress *progress = &sweep->progress;
    Batch        batch = batch_make(group, block, 1);
    const bool   same_steps = group->step.axis < 0 && group->steps.axis < 0,
               done = is_shared(sweep) ? sweep->elsewhere[group->first_block + block]
                                       : sweep->store && store_done(sweep->store, group->first_block + block);
    if (done)
        batch.given_points = batch.point_count;
    else if (!reuse_find(sweep->reuse, &batch, found, err))
        return false;
    progress->points_reused += batch.given_points;
    sweep->summary->points_reused += done ? batch.point_count : 0;
    if (batch.given_points == batch.point_count)
        return true;
    sweep->wanted[group - sweep->plan.groups] = true;
    if (group->solution.rows > 0 && !note_tables(sweep, &batch, err))
        return false;
    for (size_t i = 0; !same_steps && i < batch.point_count; ++i)
        if (!batch.given || !batch.given[i])
            progress->steps_total += group_steps(group, batch.first_point + i);
    if (same_steps)
        progress->steps_total += (batch.point_count - batch.given_points) * group_steps(group, batch.first_point);
    return true;
}

bool work_count(Sweep *sweep, Error *err)
{
    sweep->wanted = arena_take(&sweep->plan.arena, sweep->plan.group_count, sizeof *sweep->wanted, err);
    sweep->needed = arena_take(&sweep->plan.arena, sweep->plan.group_count, sizeof *sweep->needed, err);
    ReuseBatch found = {0};
    bool       ok = sweep->wanted && sweep->needed;
    for (size_t g = 0; ok && g < sweep->plan.group_count; ++g) {
        const Group *group = &sweep->plan.groups[g];
        uint64_t     first, end;
        part_blocks(&sweep->plan, group, &first, &end);
        for (uint64_t b = first; ok && b < end; ++b)
            ok = count_block(sweep, group, b - group->first_block, &found, err);
    }
    reuse_free(&found);
    if (!is_shared(sweep))
        sweep->summary->blocks_reused = sweep->store ? store_reused(sweep->store) : 0;
    return ok;
}
