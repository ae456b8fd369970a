// certify -- a walk through a group, each thread with its part of the columns.
#include "analysis/conform/walk/certify.h"

#include "analysis/conform/walk/certify_worker.h"
#include "analysis/conform/walk/reference_walk.h"
#include "compose/compose.h"
#include "reference/crew.h"
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// From so many steps on a walk saves more than an optimised kernel takes to compile.
#define MANY_STEPS 1e6

// LANES where they pay: more of them wait for the slowest among their points.
enum { SHARE = 64, LANES = 4 };

// A thread's part: items of the crew. Its worker is one at rest, or a new one.
static bool share_items(Crew *crew, void *shared, Error *err)
{
    Certifier *certifier = shared;
    size_t     item;
    pthread_mutex_lock(&certifier->mutex);
    CertifyWorker *worker = certifier->idle;
    if (worker)
        certifier->idle = worker->next;
    pthread_mutex_unlock(&certifier->mutex);
    bool ok = worker || certify_worker_make(certifier, &worker, err);
    while (ok && crew_next(crew, &item))
        ok = certifier->visit(worker, item, err);
    if (ok && worker->error.kind != ERROR_NONE) {
        *err = worker->error;
        ok = false;
    }
    if (!worker)
        return ok;
    pthread_mutex_lock(&certifier->mutex);
    worker->next = certifier->idle;
    certifier->idle = worker;
    pthread_mutex_unlock(&certifier->mutex);
    return ok;
}

static bool visit_columns(CertifyWorker *worker, size_t item, Error *err)
{
    bool ok = true;
    worker->walk = worker->certifier->walk;
    for (size_t column = item * SHARE; ok && column < (item + 1) * SHARE && column < worker->walk->count; ++column)
        ok = certify_worker_visit(worker, column, err);
    return ok;
}

static bool visit_try(const Walk *walk, void *user, Error *err)
{
    CertifyWorker *worker = user;
    worker->walk = walk;
    return certify_worker_visit(worker, 0, err);
}

// Runs a point on the reference.
static bool visit_point(CertifyWorker *worker, size_t item, Error *err)
{
    const Certifier *certifier = worker->certifier;
    PointRun         run = {0};
    ReferenceWalk    walk = {0};
    Arena            arena = {0};
    bool             ok = reference_walk_make(&certifier->group, certifier->records, &arena, &walk, err) &&
              point_make(certifier->plan, &certifier->batch, certifier->stop, certifier->written, &run, err);
    walk.visit = visit_try;
    walk.user = worker;
    ok = ok && reference_walk_point(&walk, &run, (uint32_t)item, err);
    worker->ended += ok && !walk.began;
    point_free(&run);
    arena_free(&arena);
    return ok;
}

// Adds a worker's findings, and releases it. Returns how many points it saw end.
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
    all->counts += mine->counts;
    all->decided_counts += mine->decided_counts;
    certify_worker_free(worker);
    return ended;
}

static bool certify_walk(const Walk *walk, void *user, Error *err)
{
    Certifier *certifier = user;
    Crew       crew = {.threads = certifier->threads,
                       .count = (walk->count + SHARE - 1) / SHARE,
                       .work = share_items,
                       .shared = certifier};
    certifier->walk = walk;
    return crew_run(&crew, err);
}

static void free_points(Certifier *certifier)
{
    free(certifier->pasts);
    free(certifier->past_states);
    free(certifier->spoiled);
}

// Makes room for so many points, and forgets the history of earlier ones.
static bool begin_points(Certifier *certifier, size_t points, Error *err)
{
    const size_t numbers = past_numbers(&certifier->group);
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

// Makes the part that certifiers of kernels and of the reference have in common.
//   reference  it is for the reference
static Certifier *make_certifier(const Plan *plan, const Group *group, bool reference, Error *err)
{
    Certifier *made = calloc(1, sizeof *made);
    if (!made) {
        fail(err, ERROR_INTERNAL, "out of memory");
        return NULL;
    }
    made->plan = plan;
    made->reference = reference;
    made->visit = reference ? visit_point : visit_columns;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_mutex_init(&made->narrow_mutex, NULL);
    made->group = *group;
    made->group.walked = true;
    certify_status_records(&made->group, made->records);
    if ((!equations_given(group->method) || equations_read(group->method, &made->arena, &made->equations, err)) &&
        exact_make(group->problem, group->dofs, &made->exact, err) &&
        measures_make(plan, &made->group, &made->exact, reference, &made->measures, err))
        return made;
    certify_close(made);
    return NULL;
}

bool certify_open(const Plan *plan, const Group *group, Device *device, int threads, Certifier **certifier, Error *err)
{
    const DeviceInfo *info = device_info(device);
    const int         most = plan->precision == PRECISION_SINGLE ? info->lanes_single : info->lanes_double;
    Certifier        *made = *certifier = make_certifier(plan, group, false, err);
    if (!made)
        return false;
    made->threads = threads;
    made->group.hasty = count_steps(group) < MANY_STEPS;
    if (engine_compose(&made->engine, plan, &made->group, err) &&
        engine_build(&made->engine, device, made->group.hasty || most < LANES ? 1 : LANES, err))
        return true;
    certify_close(made);
    *certifier = NULL;
    return false;
}

void certify_close(Certifier *certifier)
{
    if (!certifier)
        return;
    engine_free(&certifier->engine);
    measures_free(certifier->measures);
    exact_free(&certifier->exact);
    exact_narrow_free(&certifier->narrow);
    free_points(certifier);
    arena_free(&certifier->arena);
    pthread_mutex_destroy(&certifier->mutex);
    pthread_mutex_destroy(&certifier->narrow_mutex);
    free(certifier);
}

void certify_watch(Certifier *certifier, CertifiedSee *see, void *user)
{
    certifier->see = see;
    certifier->user = user;
}

// Begins a batch.
static bool begin(Certifier *certifier, const Batch *batch, const Results *results, const RunOptions *options,
                  const Certified *certified, Error *err)
{
    certifier->batch = *batch;
    certifier->batch.group = &certifier->group;
    certifier->stop = options->signals;
    certifier->measured = results != NULL;
    certifier->shares = certified->shares;
    return begin_points(certifier, batch->point_count, err) &&
           (!results || measures_begin(certifier->measures, &certifier->batch, results, err));
}

// Adds up the threads' findings, and judges the results.
static bool end(Certifier *certifier, bool ok, Certified *certified, Error *err)
{
    const uint64_t points = certifier->batch.point_count;
    uint64_t       ended = 0;
    while (certifier->idle) {
        CertifyWorker *worker = certifier->idle;
        certifier->idle = worker->next;
        ended += end_worker(worker, certified);
    }
    if (ok && ended != points) {
        certified->worst = (CertificateShare){(double)INFINITY, "points that must have ended", 0, 0.0, 0.0, NULL};
        certified->substeps += points - ended;
    }
    return ok && (!certifier->measured || measures_judge(certifier->measures, &certified->measured, err));
}

bool certify_batch(Certifier *certifier, const Batch *batch, const Results *results, const RunOptions *options,
                   Certified *certified, Error *err)
{
    const bool ok = begin(certifier, batch, results, options, certified, err) &&
                    device_walk(certifier->engine.program, &certifier->batch, options, certify_walk, certifier, err);
    return end(certifier, ok, certified, err);
}

bool certify_reference_run(const Plan *plan, const Batch *batch, const RunOptions *options, Certified *certified,
                           Error *err)
{
    const Group *group = batch->group;
    Results      results = {0};
    Certifier   *certifier = make_certifier(plan, group, true, err);
    Crew         crew = {.count = batch->point_count, .work = share_items, .shared = certifier};
    bool         ok = certifier && results_make(group, batch->point_count, batch->slot_count, &results, err);
    if (ok) {
        certifier->written = &results;
        ok = begin(certifier, batch, &results, options, certified, err) && crew_run(&crew, err);
        ok = end(certifier, ok, certified, err);
    }
    results_free(&results);
    certify_close(certifier);
    return ok;
}
