// sweep -- workers go through the groups side by side, and once more where one was lost.
#include "run/sweep.h"

#include "run/batches.h"
#include "run/runlog.h"
#include "run/workers.h"

#include <string.h>

// Goes through all groups.
static bool run_groups(Worker *worker, Error *err)
{
    Sweep *sweep = worker->sweep;
    Error  fetching;
    bool   ok = batches_start(worker, err);
    if (!ok)
        return false;
    for (size_t g = 0; ok && g < sweep->plan.group_count; ++g) {
        pthread_mutex_lock(&sweep->mutex);
        worker->group = g;
        pthread_mutex_unlock(&sweep->mutex);
        ok = batches_run(worker, g, err);
    }
    if (!batches_finish(worker, &fetching) && (ok || err->kind == ERROR_STOPPED)) {
        *err = fetching;
        ok = false;
    }
    return ok;
}

static void *work(void *argument)
{
    Worker *worker = argument;
    Sweep  *sweep = worker->sweep;
    worker->fine = run_groups(worker, &worker->err);
    tables_leave(&sweep->tables, worker->seat);
    pthread_mutex_lock(&sweep->mutex);
    worker->group = sweep->plan.group_count;
    sweep->halted = sweep->halted || !(worker->fine || device_is_lost(&worker->err));
    pthread_mutex_unlock(&sweep->mutex);
    return NULL;
}

// Lets all workers go through the groups; one alone does in this thread, as MPI wants it.
//   err  of the worker that failed: rather of one whose device is not lost, rather not that of a signal
static bool run_pass(Sweep *sweep, Error *err)
{
    const size_t count = workers_left(sweep);
    Worker      *failed = NULL;
    for (size_t seat = 1; seat < count; ++seat) {
        Worker *worker = workers_at(sweep, seat);
        // Where a thread does not start the others do its work.
        worker->started = thread_start(&worker->thread, work, worker, "a device", &worker->err);
        if (!worker->started) {
            worker->fine = true;
            worker->group = sweep->plan.group_count;
            tables_leave(&sweep->tables, seat);
        }
    }
    work(workers_at(sweep, 0));
    for (size_t seat = 1; seat < count; ++seat)
        if (workers_at(sweep, seat)->started)
            pthread_join(workers_at(sweep, seat)->thread, NULL);
    for (size_t seat = 0; seat < count; ++seat) {
        Worker *worker = workers_at(sweep, seat);
        worker->started = false;
        if (!worker->fine && (!failed || device_is_lost(&failed->err) || failed->err.kind == ERROR_STOPPED) &&
            !(failed && device_is_lost(&worker->err)))
            failed = worker;
    }
    if (failed)
        *err = failed->err;
    return !failed;
}

// Before the groups are gone through once more: what was computed is done, and everyone begins anew.
static bool prepare_pass(Sweep *sweep, Error *err)
{
    if (!store_finish(sweep->store, err))
        return false;
    ++sweep->pass;
    memset(sweep->drawn, 0, sweep->plan.group_count * sizeof *sweep->drawn);
    for (size_t i = 0; i < sweep->worker_count; ++i)
        sweep->workers[i].group = 0;
    tables_stop(&sweep->tables);
    sweep->tables = (Tables){.plan = &sweep->plan, .say = sweep_say, .user = sweep};
    return tables_start(&sweep->tables, sweep->needed, workers_left(sweep), err);
}

// Whether workers that all fared well have computed all.
static bool check_all(const Sweep *sweep, Error *err)
{
    const RunSummary *summary = sweep->summary;
    return is_shared(sweep) || summary->blocks_reused + summary->blocks_computed == summary->blocks ||
           fail(err, ERROR_INTERNAL, "%llu of %llu blocks were computed, and no device is at work",
                (unsigned long long)(summary->blocks_reused + summary->blocks_computed),
                (unsigned long long)summary->blocks);
}

bool sweep_compute(Sweep *sweep, Error *err)
{
    bool ok = (sweep->drawn = arena_take(&sweep->plan.arena, sweep->plan.group_count, sizeof *sweep->drawn, err));
    while (ok && !run_pass(sweep, err))
        ok = device_is_lost(err) && workers_replace(sweep, err) && runlog_lost(sweep) && prepare_pass(sweep, err);
    ok = ok && check_all(sweep, err);
    for (size_t i = 0; i < sweep->worker_count; ++i)
        if (sweep->workers[i].compute_seconds > sweep->summary->compute_seconds)
            sweep->summary->compute_seconds = sweep->workers[i].compute_seconds;
    return ok;
}
