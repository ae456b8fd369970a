// passes -- a thread for each worker but the first, in one pass or more; and the log of the run.
#include "run/passes.h"

#include "base/clock.h"
#include "base/json.h"
#include "run/batches.h"
#include "store/damage.h"

#include <stdio.h>
#include <time.h>

// The log FILE.h5.log has lines of JSON: a run's start and devices, the devices lost, and the blocks of each. Nothing
// of it is in the result file, whose bytes do not depend on it. Where it cannot be written the run goes on.

static void add_device(Text *line, const Worker *worker)
{
    json_member_string(line, "device", worker->name);
    if (!worker->device)
        return;
    json_member_string(line, "driver", device_info(worker->device)->driver);
    json_member_string(line, "arithmetic", worker->arithmetic ? worker->arithmetic : "kept");
}

static void log_start(const Workers *workers)
{
    char              now[32];
    time_t            seconds = time(NULL);
    struct tm         parts;
    const Work       *work = workers->work;
    const RunRequest *request = work->request;
    const RunSummary *summary = work->monitor->summary;
    Text              line SCOPED(text_free) = {0};
    gmtime_r(&seconds, &parts);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &parts);
    text_add(&line, "{\"event\": \"start\", \"time\": \"%s\"", now);
    if (work->ranks->count > 1)
        text_add(&line, ", \"rank\": %d, \"ranks\": %d", work->ranks->index, work->ranks->count);
    if (workers->count == 1)
        add_device(&line, workers->list);
    else
        json_open(&line, "devices", "[");
    for (size_t i = 0; workers->count > 1 && i < workers->count; ++i) {
        json_open(&line, NULL, "{");
        add_device(&line, &workers->list[i]);
        text_add(&line, "}");
    }
    text_add(&line, workers->count > 1 ? "]" : "");
    if (summary->retry)
        json_member_whole(&line, "retry", summary->retry);
    if (request->reuse_count)
        json_open(&line, "reuse", "[");
    for (size_t i = 0; i < request->reuse_count; ++i)
        json_member_string(&line, NULL, request->reuse[i]);
    text_add(&line, request->reuse_count ? "]" : "");
    json_member_whole(&line, "blocks", summary->blocks);
    json_member_whole(&line, "blocks_reused", summary->blocks_reused);
    json_member_whole(&line, "blocks_damaged", store_damaged(work->store));
    text_add(&line, "}");
    Error unsaid = {0};
    if (!line.failed && !store_log(work->store, line.text, &unsaid)) {
        within(&unsaid, "the run goes on without its log");
        monitor_say(unsaid.message, work->monitor);
    }
}

// Why the log cannot be written was said at the start.
static void add_line(const Workers *workers, Text *line)
{
    Error unsaid;
    if (!line->failed)
        store_log(workers->work->store, line->text, &unsaid);
    text_free(line);
}

// After devices were left out. Always true.
static bool log_lost(Workers *workers)
{
    for (size_t i = 0; i < workers->count; ++i) {
        Worker *worker = &workers->list[i];
        Text    line = {0};
        if (!worker->taker->lost || worker->logged)
            continue;
        worker->logged = true;
        text_add(&line, "{\"event\": \"lost\"");
        add_device(&line, worker);
        json_member_string(&line, "error", worker->err.message);
        text_add(&line, "}");
        add_line(workers, &line);
    }
    return true;
}

// Which blocks each device computed: of one alone, all.
static void add_shares(Workers *workers, Text *line)
{
    for (size_t i = 0; i < workers->count; ++i) {
        Worker *worker = &workers->list[i];
        workers_end_run(worker);
        text_add(line, i ? ", {\"device\": " : ", \"devices\": [{\"device\": ");
        json_string(line, worker->name);
        text_add(line,
                 ", \"blocks_computed\": %llu, \"points\": %llu, \"steps\": %llu, \"compute_seconds\": %.3f, "
                 "\"blocks\": [%s]}",
                 (unsigned long long)worker->blocks, (unsigned long long)worker->points,
                 (unsigned long long)worker->steps, worker->compute_seconds,
                 worker->runs.text ? worker->runs.text : "");
    }
    text_add(line, "]");
}

// The findings of trials of shapes.
static void add_trials(const Workers *workers, Text *line)
{
    size_t count = 0;
    for (size_t i = 0; i < workers->count; ++i)
        if (workers->list[i].trials.length > 0)
            text_add(line, "%s%s", count++ ? ", " : ", \"trials\": [", workers->list[i].trials.text);
    text_add(line, count ? "]" : "");
}

//   event  "end", "stopped" or "failed"
static void log_end(Workers *workers, const char *event)
{
    const RunSummary *summary = workers->work->monitor->summary;
    Text              line = {0};
    text_add(&line,
             "{\"event\": \"%s\", \"seconds\": %.3f, \"compute_seconds\": %.3f, \"seconds_per_compute\": %.3f, "
             "\"lane_efficiency\": %.4f, \"blocks_computed\": %llu, \"points_copied\": %llu, \"steps\": %llu",
             event, summary->seconds, summary->compute_seconds,
             summary->compute_seconds > 0 ? summary->seconds / summary->compute_seconds : 0,
             run_lane_efficiency(summary), (unsigned long long)summary->blocks_computed,
             (unsigned long long)summary->points_copied, (unsigned long long)summary->steps);
    if (workers->count > 1)
        add_shares(workers, &line);
    add_trials(workers, &line);
    text_add(&line, "}");
    add_line(workers, &line);
}

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
        ok = device_is_lost(err) && workers_replace(workers, err) && log_lost(workers) &&
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
    log_start(workers);
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
    log_end(workers, ok ? "end" : err->kind == ERROR_STOPPED ? "stopped" : "failed");
    return ok;
}
