// draw -- one worker takes a group whole; several draw by their rates, ranks from counters that they share.
#include "run/draw.h"

#include "run/workers.h"

// A rank computes what it drew, also after it lost a device.
static bool is_wanted(const Sweep *sweep, uint64_t block)
{
    return store_wanted(sweep->store, block) && (!sweep->mine || sweep->mine[block]);
}

Cursor draw_begin(const Worker *worker, size_t group)
{
    const Sweep *sweep = worker->sweep;
    const bool   whole = is_shared(sweep) ? sweep->pass > 0 : workers_left(sweep) == 1;
    return (Cursor){.group = group, .end = whole ? sweep->plan.groups[group].block_count : 0};
}

// Draws the next blocks from those that all ranks share: the fewer are left, the fewer at a time.
static bool draw_of_ranks(Sweep *sweep, Cursor *cursor)
{
    const Group   *group = &sweep->plan.groups[cursor->group];
    const uint64_t blocks = group->block_count, left = blocks - cursor->end,
                   some = left / (4 * (uint64_t)sweep->ranks.count), count = some ? some : 1;
    cursor->block = ranks_count_up((int)cursor->group, count);
    cursor->end = cursor->block < blocks - count ? cursor->block + count : blocks;
    for (uint64_t b = cursor->block; b < cursor->end; ++b)
        sweep->mine[group->first_block + b] = 1;
    return cursor->block < blocks;
}

uint64_t draw_share(const Worker *worker, uint64_t left)
{
    const Sweep *sweep = worker->sweep;
    double       rates = 0.0;
    size_t       count = 0;
    bool         known = true;
    for (size_t i = 0; i < sweep->worker_count; ++i) {
        const Worker *other = &sweep->workers[i];
        if (other->lost || other->group > worker->group)
            continue;
        rates += other->rate;
        known = known && other->rate > 0.0;
        ++count;
    }
    if (count > 1 && known && rates - worker->rate > (double)left * worker->rate)
        return 0;
    const uint64_t share = (uint64_t)((double)left / 2 * (known ? worker->rate / rates : 1.0 / (double)count));
    return share ? share : 1;
}

static bool draw_of_workers(Worker *worker, Cursor *cursor, uint64_t most)
{
    Sweep       *sweep = worker->sweep;
    const Group *group = &sweep->plan.groups[cursor->group];
    pthread_mutex_lock(&sweep->mutex);
    uint64_t next = sweep->drawn[cursor->group];
    while (next < group->block_count && !is_wanted(sweep, group->first_block + next))
        ++next;
    const uint64_t left = sweep->halted ? 0 : group->block_count - next, share = left ? draw_share(worker, left) : 0,
                   count = share < most ? share : most;
    cursor->block = next;
    cursor->end = sweep->drawn[cursor->group] = next + count;
    // The others count on it no more.
    worker->group += count == 0;
    pthread_mutex_unlock(&sweep->mutex);
    return count > 0;
}

bool draw_left(const Worker *worker, const Cursor *cursor)
{
    Sweep       *sweep = worker->sweep;
    const Group *group = &sweep->plan.groups[cursor->group];
    pthread_mutex_lock(&sweep->mutex);
    uint64_t next = sweep->drawn[cursor->group];
    pthread_mutex_unlock(&sweep->mutex);
    while (next < group->block_count && !store_wanted(sweep->store, group->first_block + next))
        ++next;
    return next < group->block_count;
}

bool draw_find(Worker *worker, Cursor *cursor, uint64_t most, uint64_t *count)
{
    Sweep       *sweep = worker->sweep;
    const Group *group = &sweep->plan.groups[cursor->group];
    for (;;) {
        while (cursor->block < cursor->end && !is_wanted(sweep, group->first_block + cursor->block))
            ++cursor->block;
        if (cursor->block < cursor->end)
            break;
        if (is_shared(sweep) ? !draw_of_ranks(sweep, cursor)
                             : workers_left(sweep) == 1 || !draw_of_workers(worker, cursor, most))
            break;
    }
    *count = 0;
    while (*count < most && cursor->block + *count < cursor->end &&
           is_wanted(sweep, group->first_block + cursor->block + *count))
        ++*count;
    return *count > 0;
}
