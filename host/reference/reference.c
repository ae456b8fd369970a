// reference -- a batch's points, taken one by one from a common counter by one thread per core.
#include "reference/reference.h"

#include "reference/point.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

// What the threads of one reference_run() share.
typedef struct Work {
    const Batch  *batch;
    Results      *results;      // [REFERENCE_NUDGES] where close_calls, else [1]
    bool         *close_calls;  // [batch->point_count], or NULL: every point runs once
    atomic_size_t next;         // the first point of the batch that nobody has taken
    atomic_bool   failed;       // some worker gave up: the others need not go on
} Work;

typedef struct Worker {
    pthread_t thread;
    Work     *work;
    PointRun  run;
    Decisions decisions;
    bool      started, ok;
    Error     err;
} Worker;

static bool run_nudged(Worker *worker, size_t i)
{
    static const int nudges[REFERENCE_NUDGES] = {0, -1, 1, -2, 2, -3, 3, -4, 4};
    worker->run.decisions = &worker->decisions;
    decisions_first(&worker->decisions);
    for (int n = 0; n < REFERENCE_NUDGES; ++n) {
        worker->run.nudge = nudges[n];
        worker->run.results = &worker->work->results[n];
        if (!point_run(&worker->run, worker->work->batch->first_point + i, &worker->err))
            return false;
        decisions_again(&worker->decisions);
    }
    worker->work->close_calls[i] = worker->decisions.close;
    return true;
}

static void *worker_main(void *argument)
{
    Worker *worker = argument;
    Work   *work = worker->work;
    worker->ok = true;
    while (worker->ok && !atomic_load(&work->failed)) {
        size_t i = atomic_fetch_add(&work->next, 1);
        if (i >= work->batch->point_count)
            break;
        worker->ok = work->close_calls ? run_nudged(worker, i)
                                       : point_run(&worker->run, work->batch->first_point + i, &worker->err);
    }
    if (!worker->ok)
        atomic_store(&work->failed, true);
    return NULL;
}

static size_t worker_count(const ReferenceOptions *options, const Batch *batch)
{
    long   cores = options->threads > 0 ? options->threads : sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = cores > 0 ? (size_t)cores : 1;
    return count < batch->point_count ? count : batch->point_count;
}

bool reference_check(const Group *group, Error *err)
{
    if (!point_problem(group->problem, group->dofs))
        return fail(err, ERROR_DEVICE, "the reference has no problem '%s': it has the built-in ones only",
                    catalog_embeds(group->problem) ? group->problem->name : group->problem->path);
    return method_find(group->method->name) ||
           fail(err, ERROR_DEVICE, "the reference has no method '%s'", group->method->name);
}

bool reference_computes(const Group *group, size_t variable)
{
    const Variable *v = &group->variables[variable];
    if (v->source != SOURCE_METRIC)
        return true;
    const Card *metric = group->instances[v->instance].card;
    return metrics_known(metric, metric->results[v->result].name);
}

static bool run_batch(const Plan *plan, const ReferenceOptions *options, Work *work, Error *err)
{
    const Batch *batch = work->batch;
    size_t       count = worker_count(options, batch), made = 0;
    if (count == 0)
        return true;
    Worker *workers = calloc(count, sizeof *workers);
    if (!workers)
        return fail(err, ERROR_INTERNAL, "out of memory for %zu threads", count);

    bool ok = true;
    while (ok && made < count) {
        workers[made].work = work;
        ok = point_make(plan, batch, options, work->results, &workers[made].run, err);
        made += ok;
    }
    // The calling thread is the first worker; where a thread cannot be had the others do its points.
    for (size_t i = 1; ok && i < count; ++i)
        workers[i].started = pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]) == 0;
    if (ok)
        worker_main(&workers[0]);
    for (size_t i = 1; i < made; ++i)
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);

    const Worker *failed = NULL;
    for (size_t i = 0; ok && i < count; ++i)
        if ((i == 0 || workers[i].started) && !workers[i].ok && !failed)
            failed = &workers[i];
    if (failed) {
        *err = failed->err;
        ok = false;
    }
    for (size_t i = 0; i < made; ++i) {
        point_free(&workers[i].run);
        decisions_free(&workers[i].decisions);
    }
    free(workers);
    return ok;
}

bool reference_run(const Plan *plan, const Batch *batch, const ReferenceOptions *options, Results *results, Error *err)
{
    Work work = {.batch = batch, .results = results};
    return run_batch(plan, options, &work, err);
}

bool reference_run_nudged(const Plan *plan, const Batch *batch, const ReferenceOptions *options,
                          Results results[REFERENCE_NUDGES], bool *close_calls, Error *err)
{
    Work work = {.batch = batch, .results = results, .close_calls = close_calls};
    return run_batch(plan, options, &work, err);
}
