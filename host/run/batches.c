// batches -- a group's blocks, a batch at a time, while other threads fetch and write earlier batches.
#include "run/batches.h"

#include "base/clock.h"
#include "base/json.h"
#include "device/shapes.h"

// Seconds.
static const double short_batch = 0.5, long_batch = 2.0;
// A trial of shapes takes as long as some kernels take to compile, and one of the cores meanwhile.
static const double long_run = 120.0;

// Points of a batch that is only copied, unless one block has more.
static const uint64_t copied_points = 1 << 16;

// Counts of a running batch, for its reports.
typedef struct BatchWatch {
    Worker  *worker;
    size_t   running;  // points that have not ended
    uint64_t steps;    // taken
} BatchWatch;

static void watch_slice(const Progress *slice, void *user)
{
    BatchWatch *watch = user;
    Worker     *worker = watch->worker;
    Monitor    *monitor = worker->work->monitor;
    notice_end(&worker->workers->notice, worker->builder.seat);
    pthread_mutex_lock(&monitor->mutex);
    monitor->progress.steps_done += slice->steps;
    // More are at work than before where the batch had to begin anew.
    monitor->progress.points_done += (uint64_t)watch->running - slice->running;
    monitor->summary->work_used += slice->used;
    monitor->summary->work_spent += slice->spent;
    worker->compute_seconds += slice->seconds;
    worker->steps += slice->steps;
    watch->running = slice->running;
    watch->steps += slice->steps;
    monitor_show(monitor);
    pthread_mutex_unlock(&monitor->mutex);
    ranks_poll();
}

// Adds a batch's blocks to the worker's computed ones: consecutive blocks are one run.
static void note_blocks(Worker *worker, uint64_t first, uint64_t end)
{
    if (worker->run_end != first) {
        workers_end_run(worker);
        worker->run_first = first;
    }
    worker->run_end = end;
    worker->blocks += end - first;
}

// Counts a batch whose results are there.
static void count_results(const Batch *batch, const Results *results, void *user)
{
    Worker        *worker = user;
    Monitor       *monitor = worker->work->monitor;
    const Group   *group = batch->group;
    const uint64_t first = group->first_block + batch->first_point / group->block_points,
                   blocks = (batch->point_count + group->block_points - 1) / group->block_points;
    pthread_mutex_lock(&monitor->mutex);
    for (size_t i = 0; i < batch->point_count; ++i) {
        if (batch->given && batch->given[i])
            continue;
        const int status = (int)results_value(results, 0, i, 0);  // the first variable of every group
        monitor->summary->by_status[status] += 1;
        monitor->progress.points_failed += status != STATUS_OK;
    }
    monitor->summary->points_computed += batch->point_count - batch->given_points;
    monitor->summary->points_copied += batch->given_points;
    monitor->summary->blocks_computed += blocks;
    worker->points += batch->point_count - batch->given_points;
    note_blocks(worker, first, first + blocks);
    monitor_show(monitor);
    pthread_mutex_unlock(&monitor->mutex);
}

// Subtracts the counts of batches that were computed, or begun, and are lost.
static void forget(Monitor *monitor, uint64_t points, uint64_t steps)
{
    pthread_mutex_lock(&monitor->mutex);
    monitor->progress.points_done -= points;
    monitor->progress.steps_done -= steps;
    pthread_mutex_unlock(&monitor->mutex);
}

// Finds which points of a batch older files have.
static bool find_given(Worker *worker, int set, Fetch *fetch, Error *err)
{
    fetch->found = &worker->found[set];
    return reuse_find(worker->work->reuse, &fetch->batch, fetch->found, err);
}

// Computes a batch on the device and leaves it to the fetching thread.
static bool compute(Worker *worker, size_t g, Fetch *fetch, Error *err)
{
    BatchWatch       watch = {.worker = worker};
    const RunOptions options = {.signals = worker->work->request->signals, .progress = watch_slice, .user = &watch};
    int              set;
    fetch->program = worker->engines[g].program;
    if (!fetcher_claim(&worker->fetcher, &set, err) || !find_given(worker, set, fetch, err))
        return false;
    const size_t points = watch.running = fetch->batch.point_count - fetch->batch.given_points;
    if (points > 0 && !program_compute(fetch->program, set, &fetch->batch, &options, err)) {
        forget(worker->work->monitor, points - watch.running, watch.steps);
        return false;
    }
    fetch->points = points;
    fetch->steps = watch.steps;
    fetcher_give(&worker->fetcher, fetch);
    return true;
}

static bool compute_on_reference(Worker *worker, size_t g, Fetch *fetch, Error *err)
{
    Work            *work = worker->work;
    RunProgress     *progress = &work->monitor->progress;
    const Batch     *batch = &fetch->batch;
    const RunOptions options = {.signals = work->request->signals};
    const double     begin = clock_seconds();
    Results         *results = store_take(work->store, batch->group, fetch->point_capacity, fetch->slot_capacity, err);
    if (!results)
        return false;
    if (!find_given(worker, 0, fetch, err) || (batch->given && !reuse_copy(batch, fetch->found, results, err)) ||
        !engine_run(&worker->engines[g], batch, &options, results, err)) {
        store_give_back(work->store, results);
        return false;
    }
    worker->compute_seconds += clock_seconds() - begin;
    fetch->points = batch->point_count - batch->given_points;
    for (size_t i = 0; i < batch->point_count; ++i)
        if (!batch->given || !batch->given[i])
            fetch->steps += group_steps(batch->group, batch->first_point + i);
    progress->points_done += fetch->points;
    progress->steps_done += fetch->steps;
    worker->steps += fetch->steps;
    count_results(batch, results, worker);
    return store_write(work->store, batch, results, err);
}

// How many blocks the next batch spans: twice as many while batches are short, so that the time between them does not
// count, and half as many where a signal would lose long work.
static uint64_t next_count(uint64_t wanted, uint64_t most, double seconds)
{
    if (seconds < short_batch)
        return wanted < most / 2 ? 2 * wanted : most;
    return seconds > long_batch && wanted > 1 ? wanted / 2 : wanted;
}

// The batches of a group on a worker.
typedef struct Batches {
    Worker         *worker;
    size_t          group;
    const Solution *solution;
    size_t          point_capacity, slot_capacity;  // of the largest
    uint64_t        wanted, most;                   // blocks of the next, and at most
    size_t          done;
} Batches;

// Finds the size of batches, and the solution that they compare with. Buffers are made once, for the largest.
static bool prepare(Batches *batches, Error *err)
{
    Worker        *worker = batches->worker;
    const Work    *work = worker->work;
    const size_t   g = batches->group;
    const Group   *group = &work->plan->groups[g];
    Engine        *engine = &worker->engines[g];
    const uint64_t blocks = group->block_count;
    batches->wanted = batches->most = 1;
    // After a device was lost, groups that were left are computed once more.
    if (worker->device && work->wanted[g] && !engine->program && !builder_build(&worker->builder, g, err))
        return false;
    if (engine->program && !program_batch_blocks(engine->program, &batches->wanted, &batches->most, err))
        return false;
    if (engine->program && program_is_alone(engine->program) && !fetcher_finish(&worker->fetcher, err))
        return false;
    if (!work->wanted[g] && group->block_points < copied_points)
        batches->most = copied_points / group->block_points;
    for (uint64_t b = 0; b < blocks; ++b) {
        const size_t slots = batch_make(group, b, batches->most < blocks - b ? batches->most : blocks - b).slot_count;
        batches->slot_capacity = slots > batches->slot_capacity ? slots : batches->slot_capacity;
    }
    batches->point_capacity = (size_t)(batches->most * group->block_points);
    return !work->wanted[g] || tables_take(&worker->workers->tables, worker->builder.seat, g, work->request->signals,
                                           &batches->solution, err);
}

// Runs one batch of the worker's next blocks. Where the device's memory does not suffice, batches become smaller.
static bool run_batch(Batches *batches, uint64_t count, Error *err)
{
    Worker      *worker = batches->worker;
    Work        *work = worker->work;
    const Group *group = &work->plan->groups[batches->group];
    const double begin = clock_seconds(), computed = worker->compute_seconds;
    Fetch        fetch = {.batch = batch_make(group, worker->taker->block, count),
                          .point_capacity = batches->point_capacity,
                          .slot_capacity = batches->slot_capacity};
    fetch.batch.solution = batches->solution;
    if (!store_reserve(work->store, &fetch.batch, err))
        return false;
    if (!(worker->device ? compute : compute_on_reference)(worker, batches->group, &fetch, err)) {
        if (!device_lacks_memory(err) || count == 1)
            return false;
        batches->most = batches->wanted = count / 2;
        return true;
    }
    ++batches->done;
    // A group's first batch waits for compilers.
    const double computing = worker->compute_seconds - computed;
    const bool   first = batches->done == 1 && computing > 0.0;
    batches->wanted = next_count(batches->wanted, batches->most, computing);
    work_done(work, worker->taker, count, fetch.points, fetch.steps,
              (double)fetch.batch.point_count / (first ? computing : clock_seconds() - begin));
    return true;
}

// Seconds that a group has still to take at the rate of the last batch.
static double seconds_left(const Batches *batches)
{
    const Worker *worker = batches->worker;
    const Work   *work = worker->work;
    const Group  *group = &work->plan->groups[batches->group];
    const double  points = (double)(group->block_count - worker->taker->block) * (double)group->block_points;
    return points / worker->taker->rate / (double)work_takers(work) / (double)work->ranks->count;
}

// Says and notes the result of a trial.
static void tell_trial(Batches *batches, const ShapeTrial *trial)
{
    Worker     *worker = batches->worker;
    const char *group = worker->work->plan->groups[batches->group].label;
    Text        words SCOPED(text_free) = {0}, line SCOPED(text_free) = {0};
    shapes_describe(trial, &words);
    text_add(&line, "group '%s': a trial on '%s': %s", group, worker->name, words.text ? words.text : "");
    if (!line.failed)
        monitor_say(line.text, worker->work->monitor);
    text_add(&worker->trials, "%s", worker->trials.length ? ", " : "");
    json_string(&worker->trials, line.text ? line.text : "");
}

// In a long run, looks for the shape in which the device computes the group fastest: first its builder compiles the
// others, while batches go on; then a trial compares them before the next batch.
static bool try_shapes(Batches *batches, Error *err)
{
    Worker          *worker = batches->worker;
    Program         *program = worker->engines[batches->group].program;
    const RunOptions options = {.signals = worker->work->request->signals};
    const Group     *group = &worker->work->plan->groups[batches->group];
    const uint64_t   left = group->block_count - worker->taker->block;
    ShapeTrial       trial;
    uint64_t         least, most;
    int              set;
    if (!program || !shapes_pending(program))
        return true;
    // The first batch says little: it waits for compilers.
    if (batches->done == 2 && seconds_left(batches) > long_run)
        builder_start_shapes(&worker->builder, batches->group);
    if (!builder_has_shapes(&worker->builder, batches->group))
        return true;
    Batch batch = batch_make(group, worker->taker->block, batches->most < left ? batches->most : left);
    batch.solution = batches->solution;
    if (!fetcher_claim(&worker->fetcher, &set, err) || !shapes_trial(program, set, &batch, &options, &trial, err) ||
        !program_batch_blocks(program, &least, &most, err))
        return false;
    batches->most = most < batches->most ? most : batches->most;
    batches->wanted = batches->wanted < batches->most ? batches->wanted : batches->most;
    tell_trial(batches, &trial);
    return true;
}

// Computes the blocks of a group that this worker takes.
static bool run_group(Worker *worker, size_t g, Error *err)
{
    Work                        *work = worker->work;
    const volatile sig_atomic_t *signals = work->request->signals;
    Batches                      batches = {.worker = worker, .group = g};
    uint64_t                     count;
    if (work_begin(work, worker->taker, g)) {
        if (!prepare(&batches, err))
            return false;
        if (worker->device && work->wanted[g] && device_compiles_late(worker->device)) {
            const ProgressCompile compile = builder_compile(&worker->builder, g, true);
            notice_begin(&worker->workers->notice, worker->builder.seat, &compile);
        }
        while ((count = work_next(work, worker->taker, g, batches.wanted)) > 0) {
            if (signals && *signals)
                return fail(err, ERROR_STOPPED, "stopped by a signal");
            if (!try_shapes(&batches, err) || !run_batch(&batches, count < batches.most ? count : batches.most, err))
                return false;
        }
        notice_end(&worker->workers->notice, worker->builder.seat);
    }
    if (!builder_end_shapes(&worker->builder, err))
        return false;
    const bool alone = worker->engines[g].program && program_is_alone(worker->engines[g].program);
    fetcher_retire(&worker->fetcher, worker->engines[g].program);
    worker->engines[g].program = NULL;
    return !alone || fetcher_finish(&worker->fetcher, err);
}

bool batches_run(Worker *worker, Error *err)
{
    Fetcher *fetcher = &worker->fetcher;
    Error    fetching;
    *fetcher = (Fetcher){.store = worker->work->store, .count = count_results, .user = worker};
    bool ok = fetcher_start(fetcher, err);
    if (!ok)
        return false;
    for (size_t g = 0; ok && g < worker->work->plan->group_count; ++g)
        ok = run_group(worker, g, err);
    if (!fetcher_finish(fetcher, &fetching) && (ok || err->kind == ERROR_STOPPED)) {
        *err = fetching;
        ok = false;
    }
    thread_end(&fetcher->thread);
    forget(worker->work->monitor, fetcher->lost_points, fetcher->lost_steps);
    return ok;
}
