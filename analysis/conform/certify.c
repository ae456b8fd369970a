// certify -- a walk through a group, each thread with its share of the columns.
#include "analysis/conform/certify.h"

#include "analysis/conform/certify_worker.h"
#include "compose/compose.h"
#include "reference/crew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// From so many steps on a walk saves more than an optimised kernel takes to compile.
#define MANY_STEPS 1e6

// LANES where they pay: more of them wait for the slowest among their points.
enum { SHARE = 64, LANES = 4 };

// A worker at rest, or a new one.
static bool take_worker(Certifying *certifying, CertifyWorker **worker, Error *err)
{
    pthread_mutex_lock(&certifying->mutex);
    *worker = certifying->idle;
    if (*worker)
        certifying->idle = (*worker)->next;
    pthread_mutex_unlock(&certifying->mutex);
    return *worker || certify_worker_make(certifying, worker, err);
}

static void give_back(Certifying *certifying, CertifyWorker *worker)
{
    pthread_mutex_lock(&certifying->mutex);
    worker->next = certifying->idle;
    certifying->idle = worker;
    pthread_mutex_unlock(&certifying->mutex);
}

static bool certify_share(Crew *crew, void *shared, Error *err)
{
    Certifying    *certifying = shared;
    CertifyWorker *worker;
    size_t         item;
    bool           ok = take_worker(certifying, &worker, err);
    while (ok && crew_next(crew, &item))
        for (size_t column = item * SHARE; ok && column < (item + 1) * SHARE && column < certifying->walk->count;
             ++column)
            ok = certify_worker_visit(certifying, worker, column, err);
    if (ok && worker->error.kind != ERROR_NONE) {
        *err = worker->error;
        ok = false;
    }
    if (worker)
        give_back(certifying, worker);
    return ok;
}

// Adds what a worker has found, and releases it. Returns how many points it saw end.
static uint64_t end_worker(CertifyWorker *worker, Certified *all)
{
    const Certified *mine = &worker->result;
    const uint64_t   ended = worker->ended;
    if (mine->substeps > 0 && !(mine->worst.share <= all->worst.share && all->substeps > 0)) {
        all->worst = mine->worst;
        all->point = mine->point;
        all->step = mine->step;
        all->index = mine->index;
    }
    all->substeps += mine->substeps;
    all->certified += mine->certified;
    all->steps += mine->steps;
    all->certified_steps += mine->certified_steps;
    all->by_interval += mine->by_interval;
    certify_worker_free(worker);
    return ended;
}

static bool certify_walk(const Walk *walk, void *user, Error *err)
{
    Certifying *certifying = user;
    Crew        crew = {.options = certifying->options,
                        .count = (walk->count + SHARE - 1) / SHARE,
                        .work = certify_share,
                        .shared = certifying};
    certifying->walk = walk;
    return crew_run(&crew, err);
}

static void free_points(Certifier *certifier)
{
    free(certifier->pasts);
    free(certifier->past_states);
    free(certifier->spoiled);
}

// Makes room for so many points, and forgets what was of others.
static bool begin_points(Certifier *certifier, size_t points, Error *err)
{
    const size_t numbers = past_numbers(certifier->group.dofs);
    const bool   history = certifier->group.method->history;
    if (points > certifier->room) {
        free_points(certifier);
        certifier->spoiled = calloc(points, sizeof *certifier->spoiled);
        certifier->pasts = history ? calloc(points, sizeof *certifier->pasts) : NULL;
        certifier->past_states = history ? calloc(points * numbers, sizeof *certifier->past_states) : NULL;
        certifier->room = points;
        if (!certifier->spoiled || (history && (!certifier->pasts || !certifier->past_states)))
            return fail(err, ERROR_INTERNAL, "out of memory");
    }
    memset(certifier->spoiled, 0, points * sizeof *certifier->spoiled);
    for (size_t i = 0; history && i < points; ++i)
        past_begin(&certifier->pasts[i], certifier->past_states + i * numbers);
    return true;
}

static double count_steps(const Group *group)
{
    double steps = 0.0;
    for (uint64_t point = 0; point < group->point_count; ++point)
        steps += (double)group_steps(group, point);
    return steps;
}

bool certify_open_any(const Plan *plan, const Group *group, Device *device, int threads, Certifier **certifier,
                      Error *err)
{
    *certifier = NULL;
    Certifier *made = calloc(1, sizeof *made);
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->group = *group;
    made->group.walked = true;
    made->group.hasty = count_steps(group) < MANY_STEPS;
    made->threads = threads;
    certify_status_records(&made->group, made->records);
    const int most = plan->precision == PRECISION_SINGLE ? device_info(device)->lanes_single
                                                         : device_info(device)->lanes_double,
              lanes = made->group.hasty || most < LANES ? 1 : LANES;
    if (!exact_make(group->problem, group->dofs, &made->exact, err) ||
        !measures_make(plan, &made->group, &made->exact, &made->measures, err) ||
        !engine_compose(&made->engine, plan, &made->group, err) || !engine_build(&made->engine, device, lanes, err)) {
        certify_close(made);
        return false;
    }
    *certifier = made;
    return true;
}

bool certify_open(const Plan *plan, const Group *group, Device *device, int threads, Certifier **certifier, Error *err)
{
    *certifier = NULL;
    if (!certificate_knows(group->method))
        return fail(err, ERROR_DEVICE, "method '%s' has no certificate", group->method->name);
    return certify_open_any(plan, group, device, threads, certifier, err);
}

void certify_close(Certifier *certifier)
{
    if (!certifier)
        return;
    engine_free(&certifier->engine);
    measures_free(certifier->measures);
    exact_free(&certifier->exact);
    narrow_free(&certifier->narrow);
    free_points(certifier);
    free(certifier);
}

void certify_watch(Certifier *certifier, CertifySee *see, void *user)
{
    certifier->see = see;
    certifier->user = user;
}

bool certify_batch(Certifier *certifier, const Batch *batch, const Results *results, const RunOptions *options,
                   Certified *certified, Error *err)
{
    const ReferenceOptions reference = {.threads = certifier->threads, .stop = options->signals};
    Batch                  walked = *batch;
    Certifying             certifying = {.certifier = certifier,
                                         .batch = &walked,
                                         .options = &reference,
                                         .measured = results != NULL,
                                         .shares = certified->shares};
    uint64_t               ended = 0;
    walked.group = &certifier->group;
    pthread_mutex_init(&certifying.mutex, NULL);
    pthread_mutex_init(&certifying.narrow_mutex, NULL);
    const bool ok = begin_points(certifier, batch->point_count, err) &&
                    (!results || measures_begin(certifier->measures, &walked, results, err)) &&
                    device_walk(certifier->engine.program, &walked, options, certify_walk, &certifying, err);
    while (certifying.idle) {
        CertifyWorker *worker = certifying.idle;
        certifying.idle = worker->next;
        ended += end_worker(worker, certified);
    }
    pthread_mutex_destroy(&certifying.mutex);
    pthread_mutex_destroy(&certifying.narrow_mutex);
    if (ok && ended != batch->point_count) {
        certified->worst = (CertificateShare){(double)INFINITY, "points that must have ended", 0, 0.0, 0.0};
        certified->substeps += batch->point_count - ended;
    }
    return ok && (!results || measures_judge(certifier->measures, &certified->measured, err));
}
