// passes -- a thread for each worker but the first, in one pass or more.
#include "run/passes.h"

#include "base/clock.h"
#include "run/batches.h"
#include "run/runlog.h"
#include "store/damage.h"

static void leave(Worker *worker)
{
    tables_leave(&worker->workers->tables, worker->builder.seat);
    work_leave(worker->work, worker->taker, !(worker->fine || device_is_lost(&worker->err)));
}

static void *work(void *argument)
{
    Worker *worker = argument;
    worker->fine = batches_run(worker, &worker->err);
    leave(worker);
    return NULL;
}

// Lets all workers go through the groups; one of them, or one alone, does in this thread, as MPI wants it.
//   err  of the worker that failed: rather of one whose device is not lost, rather not that of a signal
static bool run_pass(Workers *workers, Error *err)
{
    Worker *own = NULL, *failed = NULL;
    for (Worker *worker = workers->list; worker < workers->list + workers->count; ++worker) {
        if (worker->taker->lost)
            continue;
        worker->started = own && thread_start(&worker->thread, work, worker, "a device", &worker->err);
        if (!own) {
            own = worker;
        } else if (!worker->started) {
            // The others do its work.
            worker->fine = true;
            leave(worker);
        }
    }
    work(own);
    for (Worker *worker = workers->list; worker < workers->list + workers->count; ++worker) {
        if (worker->started)
            pthread_join(worker->thread, NULL);
        worker->started = false;
        if (!worker->taker->lost && !worker->fine &&
            (!failed || device_is_lost(&failed->err) || failed->err.kind == ERROR_STOPPED) &&
            !(failed && device_is_lost(&worker->err)))
            failed = worker;
    }
    if (failed)
        *err = failed->err;
    return !failed;
}

// Whether workers that all fared well have computed all; of ranks each computes a part.
static bool check_all(const Work *all, Error *err)
{
    const RunSummary *summary = all->monitor->summary;
    return all->ranks->count > 1 || summary->blocks_reused + summary->blocks_computed == summary->blocks ||
           fail(err, ERROR_INTERNAL, "%llu of %llu blocks were computed, and no device is at work",
                (unsigned long long)(summary->blocks_reused + summary->blocks_computed),
                (unsigned long long)summary->blocks);
}

static bool run_passes(Workers *workers, Error *err)
{
    double *seconds = &workers->work->monitor->summary->compute_seconds;
    bool    ok = true;
    while (ok && !run_pass(workers, err))
        ok = device_is_lost(err) && workers_replace(workers, err) && runlog_lost(workers) &&
             work_again(workers->work, err) && workers_solve(workers, err);
    ok = ok && check_all(workers->work, err);
    for (size_t i = 0; i < workers->count; ++i)
        if (workers->list[i].compute_seconds > *seconds)
            *seconds = workers->list[i].compute_seconds;
    return ok;
}

// Adds to a device's error how many blocks the file keeps and how to go on.
static void advise_device(const RunSummary *summary, Error *err)
{
    const Error why = *err;
    fail(err, ERROR_DEVICE, "%.4000s; '%s' keeps %llu of %llu blocks, and --resume goes on", why.message,
         summary->output, (unsigned long long)(summary->blocks_reused + summary->blocks_computed),
         (unsigned long long)summary->blocks);
}

bool passes_run(Workers *workers, Error *err)
{
    Monitor    *monitor = workers->work->monitor;
    RunSummary *summary = monitor->summary;
    Store      *store = workers->work->store;
    Error       finishing;
    damage_say(summary->output, store_damaged(store), "computed anew", monitor_say, monitor);
    runlog_start(workers);
    pthread_mutex_lock(&monitor->mutex);
    monitor_show(monitor);
    pthread_mutex_unlock(&monitor->mutex);
    bool ok = run_passes(workers, err);
    if (!store_finish(store, &finishing) && (ok || err->kind == ERROR_STOPPED)) {
        *err = finishing;
        ok = false;
    }
    if (!ok && err->kind == ERROR_DEVICE)
        advise_device(summary, err);
    summary->seconds = clock_seconds() - monitor->begin;
    summary->steps = monitor->progress.steps_done;
    runlog_end(workers, ok ? "end" : err->kind == ERROR_STOPPED ? "stopped" : "failed");
    return ok;
}
