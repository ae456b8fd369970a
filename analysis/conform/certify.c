// certify -- a walk through a group, each thread with its share of the columns.
#include "analysis/conform/certify.h"

#include "analysis/conform/certify_reference.h"
#include "analysis/conform/certify_status.h"
#include "analysis/conform/past.h"
#include "compose/compose.h"
#include "reference/crew.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SHARE = 64, FOLLOWED = 32 };

struct Certifier {
    Group     group;  // the plan's, but walked
    Engine    engine;
    Exact     exact;
    Measures *measures;
    int       threads;
    Narrow    narrow;  // made where the first substep needs it
    bool      has_narrow;
    size_t    room;         // of points
    Past     *pasts;        // [room] of a two-step method, else NULL
    double   *past_states;  // theirs
    bool     *spoiled;      // [room] points of whose step under way a substep is not certified

    CertifySee *see;  // NULL: nobody looks on
    void       *user;
};

// What threads share.
typedef struct Certifying {
    Certifier              *certifier;
    const Batch            *batch;
    const Walk             *walk;
    const ReferenceOptions *options;
    bool                    measured;  // results are judged
    Certified              *result;
    uint64_t                ended;         // points of the batch
    pthread_mutex_t         mutex;         // guards the results
    pthread_mutex_t         narrow_mutex;  // guards the certifier's `narrow`
} Certifying;

// What a thread works with.
typedef struct Worker {
    Arena            arena;
    CertifyReference reference;
    double          *numbers[2], *parameters;  // those of the problem, then of the method
    long double     *values, *moved_values;
    void            *params, *moved_params, *narrow_params;
    MeasuresRoom    *room;
    Certified        result;
    uint64_t         ended;
    Error            error;
} Worker;

// A substep that was not taken changes nothing of the state.
static const char *check_unchanged(const Group *group, const WalkState *before, const WalkState *after)
{
    const size_t kept = (2 + group->method->state_count) * group->dofs;
    return memcmp(before->x, after->x, kept * sizeof(double)) == 0 ? NULL : "a state that must not change";
}

static void add_share(const Certifying *certifying, Worker *worker, size_t column, const WalkState *before,
                      CertificateShare share)
{
    Certified       *result = &worker->result;
    const Certifier *certifier = certifying->certifier;
    const size_t     place = certifying->walk->point[column];
    const uint64_t   point = certifying->batch->first_point + place;
    double          *shares = certifying->result->shares;
    if (certifier->see)
        certifier->see(point, certifying->walk->before ? before : NULL, &share, certifier->user);
    ++result->substeps;
    certifier->spoiled[place] = certifier->spoiled[place] || !(share.share < 1.0);
    if (shares)
        shares[point] = fmax(shares[point], share.share);
    result->certified += share.share < 1.0;
    if (result->substeps > 1 && share.share <= result->worst.share)
        return;
    result->worst = share;
    result->point = point;
    result->step = before->step;
    result->index = before->index;
}

static void name_state(const Group *group, const WalkState *state, CertificateState *named)
{
    const size_t own = group->method->state_count + group->method->scratch_count;
    *named = (CertificateState){.x = state->x, .v = state->v};
    for (size_t k = 0; k < own && k < CERTIFICATE_VECTORS; ++k)
        named->own[k] = state->own + k * group->dofs;
}

// What is the same for all substeps of a point, as the kernel is given it; h is that of a step.
static CertificateSubstep prepare(const Certifying *certifying, Worker *worker, uint64_t point)
{
    const Plan  *plan = certifying->certifier->engine.plan;
    const Group *group = certifying->batch->group;
    const size_t parameters = group->problem->parameter_count;
    point_parameters(plan, group, point, worker->parameters);
    for (size_t i = 0; i < parameters; ++i)
        worker->values[i] = worker->parameters[i];
    for (size_t i = 0; i < group->method->parameter_count; ++i)
        worker->parameters[parameters + i] =
            point_input_number(plan, group_value(group, group->method_parameters[i], point));
    certifying->certifier->exact.load(worker->params, worker->values);
    return (CertificateSubstep){
        .exact = &certifying->certifier->exact,
        .params = worker->params,
        .values = worker->values,
        .moved_values = worker->moved_values,
        .moved_params = worker->moved_params,
        .problem = group->problem,
        .method = group->method,
        .parameters = worker->parameters + parameters,
        .newton = &group->newton,
        .start = group->substeps.start,
        .dofs = group->dofs,
        .unit = plan->precision == PRECISION_SINGLE ? 0x1p-24L : 0x1p-53L,
        .h = point_input_number(plan, group_step(group, point)),
        .tolerance = point_input_number(plan, group_value(group, group->newton.tolerance, point)),
        .max_updates = (uint64_t)group_value(group, group->newton.max_updates, point),
    };
}

// Gives a substep the problem in its own precision. False where that cannot be had; the worker's error says why.
static bool add_narrow(Certifying *certifying, Worker *worker, CertificateSubstep *substep)
{
    Certifier *certifier = certifying->certifier;
    pthread_mutex_lock(&certifying->narrow_mutex);
    const bool ok = certifier->has_narrow ||
                    (worker->error.kind == ERROR_NONE &&
                     narrow_make(substep->problem, substep->dofs, certifier->engine.plan->precision == PRECISION_SINGLE,
                                 &certifier->narrow, &worker->error));
    certifier->has_narrow = ok;
    pthread_mutex_unlock(&certifying->narrow_mutex);
    if (ok && !worker->narrow_params)
        worker->narrow_params = arena_take(&worker->arena, certifier->narrow.bytes, 1, &worker->error);
    if (!ok || !worker->narrow_params)
        return false;
    certifier->narrow.load(worker->narrow_params, worker->values);
    substep->narrow = &certifier->narrow;
    substep->narrow_params = worker->narrow_params;
    return true;
}

static CertificateShare wrong_share(const char *what)
{
    return (CertificateShare){.share = (double)INFINITY, .equation = what};
}

// Judges the state in which a column's point begins.
static CertificateShare certify_begun(Certifying *certifying, Worker *worker, uint64_t point, const WalkState *begun)
{
    CertificateState   earlier;
    CertificateSubstep substep = prepare(certifying, worker, point);
    const CertifyRules rules =
        certify_status_rules(certifying->certifier->engine.plan, certifying->batch->group, point, substep.h);
    const char *wrong = certify_status_begin(&rules, begun);
    substep.accepted = true;
    substep.lost = begun->status == STATUS_NOT_FINITE;
    name_state(certifying->walk->group, begun, &substep.after);
    substep.control.next_reached = begun->reached;
    substep.control.next_proposed = begun->proposed;
    earlier = (CertificateState){.x = begun->previous, .v = begun->previous + substep.dofs};
    substep.previous = substep.method->history ? &earlier : NULL;
    worker->ended += certify_status_ended(&rules, begun);
    if (wrong || (substep.lost && !add_narrow(certifying, worker, &substep)))
        return wrong_share(wrong ? wrong : "a state that is not finite");
    return certificate_start(&substep);
}

static void certify_start(Certifying *certifying, Worker *worker, size_t column)
{
    const Walk    *walk = certifying->walk;
    const uint64_t point = certifying->batch->first_point + walk->point[column];
    WalkState      begun;
    walk_state(walk, walk->after, column, worker->numbers[1], &begun);
    add_share(certifying, worker, column, &begun, certify_begun(certifying, worker, point, &begun));
}

// Fills in what a substep between two states of a point was.
//   past     of a two-step method, else NULL
//   earlier  room for its earlier point
static void describe(const Group *group, const Past *past, const WalkState *before, const WalkState *after,
                     CertificateState *earlier, CertificateSubstep *substep)
{
    const double h = substep->h;
    substep->t = ((double)before->step + ldexp((double)before->index, -MOST_DEPTH)) * h;
    substep->h = group->method->adaptive ? h : ldexp(h, (int)-before->level);
    substep->control = (CertificateControl){.reached = before->reached,
                                            .proposed = before->proposed,
                                            .ended = after->step > before->step,
                                            .next_reached = after->reached,
                                            .next_proposed = after->proposed};
    name_state(group, before, &substep->before);
    name_state(group, after, &substep->after);
    const double *from = past ? past_find(group, past, before, h, &substep->spacing) : NULL;
    if (from) {
        *earlier = (CertificateState){.x = from, .v = from + group->dofs};
        substep->previous = earlier;
    }
}

// Condition numbers are found again in the first steps of a point and in each of its FOLLOWED steps, other points'
// others; where a step is halved they all are. Elsewhere what follows from the last of them is demanded.
static bool is_followed(uint64_t point, const WalkState *before)
{
    return before->step < 2 || before->level > 0 || ((uint64_t)before->step + point) % FOLLOWED == 0;
}

// Judges a substep between two states of a point.
static CertificateShare certify_substep(Certifying *certifying, Worker *worker, uint64_t point,
                                        const CertifyRules *rules, CertificateSubstep *substep, const WalkState *before,
                                        const WalkState *after)
{
    const Group *group = certifying->batch->group;
    const char  *wrong = substep->accepted ? NULL : check_unchanged(group, before, after);
    if (!wrong && !group->method->adaptive)
        wrong = past_place(group, before, after, substep->accepted, substep->lost);
    if (!wrong)
        wrong = certify_status_check(rules, substep, before, after);
    if (wrong)
        return wrong_share(wrong);
    if (!certificate_knows(group->method))
        return (CertificateShare){.equation = "place"};
    if (group->method->unknown != UNKNOWN_NONE) {
        certify_reference_begin(&worker->reference, point);
        substep->counted = certify_reference_agrees(&worker->reference, substep);
        worker->result.by_interval += !substep->counted;
        substep->followed = !substep->counted || (substep->conditions && is_followed(point, before));
    }
    if ((!substep->accepted || substep->lost) && !add_narrow(certifying, worker, substep))
        return wrong_share("a solve that failed");
    return certificate_substep(substep);
}

// Judges what became of a column's point.
static void certify_column(Certifying *certifying, Worker *worker, size_t column)
{
    const Walk           *walk = certifying->walk;
    const Group          *group = walk->group;
    const size_t          place = walk->point[column];
    const uint64_t        point = certifying->batch->first_point + place;
    WalkState             before, after;
    CertificateConditions conditions;
    CertificateState      earlier;
    bool                  tried;
    walk_state(walk, walk->before, column, worker->numbers[0], &before);
    walk_state(walk, walk->after, column, worker->numbers[1], &after);
    const CertifyRules rules = certify_status_rules(certifying->certifier->engine.plan, group, point, 0.0);
    const bool         ended = certify_status_ended(&rules, &before);
    const char        *wrong = certify_status_rest(&rules, &before, &after, worker->numbers, walk->rows, &tried);
    worker->ended += !ended && certify_status_ended(&rules, &after);
    if (wrong || !tried) {
        if (wrong)
            add_share(certifying, worker, column, &before, wrong_share(wrong));
        return;
    }
    CertificateSubstep substep = prepare(certifying, worker, point);
    const CertifyRules own = certify_status_rules(certifying->certifier->engine.plan, group, point, substep.h);
    Past              *past = certifying->certifier->pasts ? &certifying->certifier->pasts[place] : NULL;
    certify_status_read(&own, &before, &after, &substep, &conditions);
    describe(group, past, &before, &after, &earlier, &substep);
    add_share(certifying, worker, column, &before,
              certify_substep(certifying, worker, point, &own, &substep, &before, &after));
    if (past && substep.accepted)
        past_note(group, past, &before, &after);
    if (after.step > before.step) {
        bool *spoiled = &certifying->certifier->spoiled[place];
        ++worker->result.steps;
        worker->result.certified_steps += !*spoiled;
        *spoiled = false;
    }
}

// Shows what became of a column's point to its metrics.
static bool measure(const Certifying *certifying, Worker *worker, size_t column, Error *err)
{
    const Walk *walk = certifying->walk;
    WalkState   before, after;
    if (walk->before) {
        walk_state(walk, walk->before, column, worker->numbers[0], &before);
        if (before.status != STATUS_NOT_RUN ||
            (uint64_t)before.step >= group_steps(walk->group, certifying->batch->first_point + walk->point[column]))
            return true;
    }
    walk_state(walk, walk->after, column, worker->numbers[1], &after);
    return measures_see(certifying->certifier->measures, worker->room, walk->point[column],
                        walk->before ? &before : NULL, &after, err);
}

static bool make_worker(const Certifying *certifying, Worker *worker, Error *err)
{
    const Group *group = certifying->batch->group;
    *worker = (Worker){0};
    const size_t parameters = group->problem->parameter_count + group->method->parameter_count;
    bool         ok = certify_reference_make(certifying->certifier->engine.plan, certifying->batch, certifying->options,
                                             &worker->reference, err) &&
              (worker->parameters = arena_take(&worker->arena, parameters + 1, sizeof(double), err)) != NULL &&
              measures_make_room(certifying->certifier->measures, &worker->arena, &worker->room, err);
    for (int i = 0; ok && i < 2; ++i)
        ok = (worker->numbers[i] = arena_take(&worker->arena, certifying->walk->rows, sizeof(double), err)) != NULL;
    long double **lists[] = {&worker->values, &worker->moved_values};
    for (size_t i = 0; ok && i < 2; ++i)
        ok = (*lists[i] = arena_take(&worker->arena, group->problem->parameter_count + 1, sizeof(long double), err)) !=
             NULL;
    void **rooms[] = {&worker->params, &worker->moved_params};
    for (size_t i = 0; ok && i < 2; ++i)
        ok = (*rooms[i] = arena_take(&worker->arena, certifying->certifier->exact.bytes, 1, err)) != NULL;
    return ok;
}

static bool certify_share(Crew *crew, void *shared, Error *err)
{
    Certifying *certifying = shared;
    Worker      worker;
    size_t      item;
    bool        ok = make_worker(certifying, &worker, err);
    while (ok && crew_next(crew, &item))
        for (size_t column = item * SHARE; ok && column < (item + 1) * SHARE && column < certifying->walk->count;
             ++column) {
            (certifying->walk->before ? certify_column : certify_start)(certifying, &worker, column);
            ok = !certifying->measured || measure(certifying, &worker, column, err);
        }
    if (ok && worker.error.kind != ERROR_NONE) {
        *err = worker.error;
        ok = false;
    }
    const Certified *mine = &worker.result;
    Certified       *all = certifying->result;
    pthread_mutex_lock(&certifying->mutex);
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
    certifying->ended += worker.ended;
    pthread_mutex_unlock(&certifying->mutex);
    certify_reference_free(&worker.reference);
    arena_free(&worker.arena);
    return ok;
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

bool certify_open_any(const Plan *plan, const Group *group, Device *device, int threads, Certifier **certifier,
                      Error *err)
{
    *certifier = NULL;
    Certifier *made = calloc(1, sizeof *made);
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->group = *group;
    made->group.walked = true;
    made->threads = threads;
    if (!exact_make(group->problem, group->dofs, &made->exact, err) ||
        !measures_make(plan, &made->group, &made->exact, &made->measures, err) ||
        !engine_compose(&made->engine, plan, &made->group, err) || !engine_build(&made->engine, device, 1, err)) {
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
                                         .result = certified};
    walked.group = &certifier->group;
    pthread_mutex_init(&certifying.mutex, NULL);
    pthread_mutex_init(&certifying.narrow_mutex, NULL);
    const bool ok = begin_points(certifier, batch->point_count, err) &&
                    (!results || measures_begin(certifier->measures, &walked, results, err)) &&
                    device_walk(certifier->engine.program, &walked, options, certify_walk, &certifying, err);
    pthread_mutex_destroy(&certifying.mutex);
    pthread_mutex_destroy(&certifying.narrow_mutex);
    if (ok && certifying.ended != batch->point_count) {
        certified->worst = wrong_share("points that must have ended");
        certified->substeps += batch->point_count - certifying.ended;
    }
    return ok && (!results || measures_judge(certifier->measures, &certified->measured, err));
}
