// sweep -- computes group after group, a batch at a time, while other threads fetch, write and solve.
#include "run/sweep.h"

// Seconds.
static const double short_batch = 0.5, long_batch = 2.0;

// Points of a batch that is only copied, unless one block has more.
static const uint64_t copied_points = 1 << 16;

// What a running batch reports to its caller.
typedef struct BatchWatch {
    Sweep   *sweep;
    uint64_t points_before;
    size_t   points;
} BatchWatch;

static void watch_slice(const Progress *slice, void *user)
{
    BatchWatch *watch = user;
    Sweep      *sweep = watch->sweep;
    notice_end(&sweep->notice);
    pthread_mutex_lock(&sweep->mutex);
    sweep->progress.steps_done += slice->steps;
    sweep->progress.points_done = watch->points_before + watch->points - slice->running;
    sweep->summary->compute_seconds += slice->seconds;
    sweep->summary->work_used += slice->used;
    sweep->summary->work_spent += slice->spent;
    sweep_show(sweep);
    pthread_mutex_unlock(&sweep->mutex);
    ranks_poll();
}

// Counts a batch whose results are there.
static void count_results(const Batch *batch, const Results *results, void *user)
{
    Sweep *sweep = user;
    pthread_mutex_lock(&sweep->mutex);
    for (size_t i = 0; i < batch->point_count; ++i) {
        if (batch->given && batch->given[i])
            continue;
        const int status = (int)results_value(results, 0, i, 0);  // the first variable of every group
        sweep->summary->by_status[status] += 1;
        sweep->progress.points_failed += status != STATUS_OK;
    }
    sweep->summary->points_computed += batch->point_count - batch->given_points;
    sweep->summary->points_copied += batch->given_points;
    sweep->summary->blocks_computed +=
        (batch->point_count + batch->group->block_points - 1) / batch->group->block_points;
    sweep_show(sweep);
    pthread_mutex_unlock(&sweep->mutex);
}

// Finds which points of a batch older files have.
static bool find_given(Sweep *sweep, int set, Fetch *fetch, Error *err)
{
    fetch->found = &sweep->found[set];
    return reuse_find(sweep->reuse, &fetch->batch, fetch->found, err);
}

// Computes a batch on the device and leaves it to the fetching thread, which also frees the program after the last.
static bool compute(Sweep *sweep, size_t g, Fetch *fetch, Error *err)
{
    BatchWatch       watch = {.sweep = sweep, .points_before = sweep->progress.points_done};
    const RunOptions options = {.signals = sweep->request->signals, .progress = watch_slice, .user = &watch};
    int              set;
    fetch->program = sweep->engines[g].program;
    if (!fetcher_claim(&sweep->fetcher, &set, err) || !find_given(sweep, set, fetch, err))
        return false;
    watch.points = fetch->batch.point_count - fetch->batch.given_points;
    if (watch.points > 0 && !program_compute(fetch->program, set, &fetch->batch, &options, err))
        return false;
    fetcher_give(&sweep->fetcher, fetch);
    if (fetch->last)
        sweep->engines[g].program = NULL;
    return true;
}

static bool compute_on_reference(Sweep *sweep, size_t g, Fetch *fetch, Error *err)
{
    const Batch     *batch = &fetch->batch;
    const RunOptions options = {.signals = sweep->request->signals};
    const double     begin = clock_seconds();
    Results         *results = store_take(sweep->store, batch->group, fetch->point_capacity, fetch->slot_capacity, err);
    if (!results)
        return false;
    if (!find_given(sweep, 0, fetch, err) || (batch->given && !reuse_copy(batch, fetch->found, results, err)) ||
        !engine_run(&sweep->engines[g], batch, &options, results, err)) {
        store_give_back(sweep->store, results);
        return false;
    }
    sweep->summary->compute_seconds += clock_seconds() - begin;
    sweep->progress.points_done += batch->point_count - batch->given_points;
    for (size_t i = 0; i < batch->point_count; ++i)
        if (!batch->given || !batch->given[i])
            sweep->progress.steps_done += group_steps(batch->group, batch->first_point + i);
    count_results(batch, results, sweep);
    return store_write(sweep->store, batch, results, err);
}

// Blocks of a group that are this process's: all, or those that it drew.
typedef struct Cursor {
    size_t   group;
    uint64_t block, end;  // of the group; those before `block` are done with
} Cursor;

// Draws the next blocks from those that all ranks share: the fewer are left, the fewer at a time.
static bool draw_blocks(const Sweep *sweep, Cursor *cursor)
{
    const uint64_t blocks = sweep->plan.groups[cursor->group].block_count;
    const uint64_t left = blocks - cursor->end, some = left / (4 * (uint64_t)sweep->ranks.count);
    const uint64_t count = some ? some : 1;
    cursor->block = ranks_count_up((int)cursor->group, count);
    cursor->end = cursor->block < blocks - count ? cursor->block + count : blocks;
    return cursor->block < blocks;
}

// The next blocks of a group that are to be computed, at most as many as one batch takes, from the cursor on; false
// where all are.
static bool find_blocks(const Sweep *sweep, Cursor *cursor, uint64_t most, uint64_t *count)
{
    const Group *group = &sweep->plan.groups[cursor->group];
    for (;;) {
        while (cursor->block < cursor->end && !store_wanted(sweep->store, group->first_block + cursor->block))
            ++cursor->block;
        if (cursor->block < cursor->end || !is_shared(sweep) || !draw_blocks(sweep, cursor))
            break;
    }
    *count = 0;
    while (*count < most && cursor->block + *count < cursor->end &&
           store_wanted(sweep->store, group->first_block + cursor->block + *count))
        ++*count;
    return *count > 0;
}

// How many blocks the next batch spans: twice as many while batches are short, so that what is lost between them does
// not count, and half as many where a signal would lose long work.
static uint64_t next_count(uint64_t wanted, uint64_t most, double seconds)
{
    if (seconds < short_batch)
        return wanted < most / 2 ? 2 * wanted : most;
    return seconds > long_batch && wanted > 1 ? wanted / 2 : wanted;
}

// Tells the other ranks how far this one is; the first takes what they say into its own progress.
static void share_progress(Sweep *sweep, uint64_t points, uint64_t steps)
{
    const int base = (int)sweep->plan.group_count;
    if (sweep->ranks.index > 0) {
        ranks_count_up(base + COUNTER_POINTS, points);
        ranks_count_up(base + COUNTER_STEPS, steps);
        return;
    }
    const uint64_t other_points = ranks_count_up(base + COUNTER_POINTS, 0),
                   other_steps = ranks_count_up(base + COUNTER_STEPS, 0);
    pthread_mutex_lock(&sweep->mutex);
    sweep->progress.points_done += other_points - sweep->others_points;
    sweep->progress.steps_done += other_steps - sweep->others_steps;
    sweep->others_points = other_points;
    sweep->others_steps = other_steps;
    sweep_show(sweep);
    pthread_mutex_unlock(&sweep->mutex);
}

// Frees the program of a group whose last batch was not known to be the last.
static bool free_program(Sweep *sweep, size_t g, Error *err)
{
    if (!fetcher_finish(&sweep->fetcher, err))
        return false;
    program_free(sweep->engines[g].program);
    sweep->engines[g].program = NULL;
    return true;
}

// Runs the blocks of a group that are not done, as many at a time as one batch takes.
static bool run_group(Sweep *sweep, size_t g, Error *err)
{
    const Group    *group = &sweep->plan.groups[g];
    const Solution *solution = NULL;
    uint64_t        most = 1, first = 1, count = 0;
    size_t          slots = 0;
    Cursor          cursor = {.group = g, .end = is_shared(sweep) ? 0 : group->block_count};
    if (!find_blocks(sweep, &cursor, most, &count))
        return true;
    if (sweep->engines[g].program && !program_batch_blocks(sweep->engines[g].program, &first, &most, err))
        return false;
    if (!sweep->wanted[g] && group->block_points < copied_points)
        most = copied_points / group->block_points;
    // Buffers are made once, for the largest batch.
    for (uint64_t b = 0; b < group->block_count; ++b) {
        const size_t wanted =
            batch_make(group, b, most < group->block_count - b ? most : group->block_count - b).slot_count;
        slots = wanted > slots ? wanted : slots;
    }
    if (sweep->wanted[g] && !tables_take(&sweep->tables, g, sweep->request->signals, &solution, err))
        return false;
    const size_t capacity = (size_t)(most * group->block_points);
    uint64_t     wanted = first;
    if (sweep->device && sweep->wanted[g])
        notice_begin(&sweep->notice, "compiling %zu of %zu: %s, at its first launch", g + 1, sweep->plan.group_count,
                     group->label);
    for (bool more = find_blocks(sweep, &cursor, wanted, &count); more;) {
        const double begin = sweep->summary->compute_seconds;
        if (stop_signals(sweep))
            return fail(err, ERROR_STOPPED, "stopped by a signal");
        Fetch fetch = {
            .batch = batch_make(group, cursor.block, count), .point_capacity = capacity, .slot_capacity = slots};
        const uint64_t start = cursor.block, span = count, points = sweep->progress.points_done,
                       steps = sweep->progress.steps_done;
        cursor.block += count;
        // Of shared blocks the last is known when there are no more.
        fetch.last = !is_shared(sweep) && !find_blocks(sweep, &cursor, 1, &count);
        fetch.batch.solution = solution;
        if (!store_reserve(sweep->store, &fetch.batch, err))
            return false;
        if (!(sweep->device ? compute(sweep, g, &fetch, err) : compute_on_reference(sweep, g, &fetch, err))) {
            // A device that has less memory than it says may take fewer blocks at a time.
            if (!device_lacks_memory(err) || span == 1)
                return false;
            pthread_mutex_lock(&sweep->mutex);
            sweep->progress.points_done = points;
            sweep->progress.steps_done = steps;
            pthread_mutex_unlock(&sweep->mutex);
            most = wanted = span / 2;
            cursor.block = start;
            more = find_blocks(sweep, &cursor, wanted, &count);
            continue;
        }
        if (is_shared(sweep))
            share_progress(sweep, sweep->progress.points_done - points, sweep->progress.steps_done - steps);
        wanted = next_count(wanted, most, sweep->summary->compute_seconds - begin);
        more = find_blocks(sweep, &cursor, wanted, &count);
    }
    return !is_shared(sweep) || free_program(sweep, g, err);
}

bool sweep_compute(Sweep *sweep, Error *err)
{
    Error fetching;
    sweep->fetcher = (Fetcher){.store = sweep->store, .count = count_results, .user = sweep};
    if (!fetcher_start(&sweep->fetcher, err))
        return false;
    bool ok = true;
    for (size_t g = 0; ok && g < sweep->plan.group_count; ++g)
        ok = run_group(sweep, g, err);
    if (!fetcher_finish(&sweep->fetcher, &fetching) && (ok || err->kind == ERROR_STOPPED)) {
        *err = fetching;
        ok = false;
    }
    fetcher_stop(&sweep->fetcher);
    return ok;
}
