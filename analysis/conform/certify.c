// certify -- a walk through a group, each thread with its share of the columns.
#include "analysis/conform/certify.h"

#include "analysis/conform/certify_reference.h"
#include "compose/compose.h"
#include "reference/crew.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FULL = 1 << MOST_DEPTH, SHARE = 64 };

// Starts of substeps that a two-step method may need: those of the step under way by the level that their place belongs
// to, of each level the last, and the start of the step before.
typedef struct Past {
    int64_t place[MOST_DEPTH + 1];  // -1: none
    bool    has_step;               // there is a step before
    double *states;                 // [MOST_DEPTH + 2][2][dofs], the last for the step before
} Past;

struct Certifier {
    Group     group;  // the plan's, but walked
    Engine    engine;
    Exact     exact;
    Measures *measures;
    int       threads;
    size_t    room;         // of points
    Past     *pasts;        // [room] of a two-step method, else NULL
    double   *past_states;  // theirs
    bool     *spoiled;      // [room] points of whose step under way a substep is not certified

    CertifySee *see;  // NULL: nobody looks on
    void       *user;
};

// What threads share.
typedef struct Certifying {
    const Certifier        *certifier;
    const Batch            *batch;
    const Walk             *walk;
    const ReferenceOptions *options;
    bool                    measured;  // results are judged
    Certified              *result;
    pthread_mutex_t         mutex;  // guards the result
} Certifying;

// What a thread works with.
typedef struct Worker {
    Arena            arena;
    CertifyReference reference;
    double          *numbers[2], *parameters;  // those of the problem, then of the method
    long double     *values, *moved_values;
    void            *params, *moved_params;
    MeasuresRoom    *room;
    Certified        result;
} Worker;

static int level_of(int64_t place)
{
    return place == 0 ? 0 : MOST_DEPTH - __builtin_ctzll((uint64_t)place);
}

static double *past_state(const Past *past, size_t slot, size_t dofs)
{
    return past->states + slot * 2 * dofs;
}

static void keep(double *to, const WalkState *state, size_t dofs)
{
    memcpy(to, state->x, dofs * sizeof *to);
    memcpy(to + dofs, state->v, dofs * sizeof *to);
}

// The earlier point of the substep that begins at `before`: within a step the start of the left half beside it, else
// the start of the step before. NULL: there is none, or none at the substep's own spacing where that is asked for.
static const double *find_past(const Group *group, const Past *past, const WalkState *before, double h, double *spacing)
{
    const int64_t own = FULL >> before->level, back = before->index ? before->index & -before->index : FULL,
                  place = before->index - back;
    *spacing = h * (double)back / FULL;
    if (own != back && group->substeps.start != START_VARIABLE)
        return NULL;
    if (place < 0)
        return past->has_step ? past_state(past, MOST_DEPTH + 1, group->dofs) : NULL;
    return past->place[level_of(place)] == place ? past_state(past, (size_t)level_of(place), group->dofs) : NULL;
}

// Notes that a substep was accepted.
static void note_past(const Group *group, Past *past, const WalkState *before, const WalkState *after)
{
    const int level = level_of(before->index);
    past->place[level] = before->index;
    keep(past_state(past, (size_t)level, group->dofs), before, group->dofs);
    if (after->step == before->step)
        return;
    memcpy(past_state(past, MOST_DEPTH + 1, group->dofs), past_state(past, 0, group->dofs),
           2 * group->dofs * sizeof(double));
    past->has_step = true;
    for (int i = 0; i <= MOST_DEPTH; ++i)
        past->place[i] = -1;
}

// Where a point stands after a substep, by what became of that.
static const char *check_place(const Group *group, const WalkState *before, const WalkState *after, bool accepted)
{
    int64_t step = before->step, index = before->index, level = before->level;
    if (accepted) {
        index += FULL >> level;
        step += index == FULL;
        index = index == FULL ? 0 : index;
        level = level_of(index);
    } else if (level < group->substeps.max_depth) {
        ++level;
    }
    return after->step == step && after->index == index && after->level == level ? NULL : "the place in time";
}

// A substep that was not taken changes nothing of the state.
static const char *check_unchanged(const Group *group, const WalkState *before, const WalkState *after)
{
    const size_t kept = (2 + group->method->state_count) * group->dofs;
    return memcmp(before->x, after->x, kept * sizeof(double)) == 0 ? NULL : "a state that must not change";
}

// How far counters must have moved.
static const char *check_counters(const Group *group, const WalkState *before, const WalkState *after, bool accepted)
{
    const bool implicit = group->method->unknown != UNKNOWN_NONE, whole = accepted && after->step > before->step,
               part = accepted && (group->method->adaptive ? !(whole && before->reached == 0.0) : before->level > 0);
    if (after->n.failed_solves - before->n.failed_solves != !accepted)
        return "failed_solves";
    // An adaptive substep may be proposed shorter than its step and end it at once.
    if (after->n.substeps - before->n.substeps != part && !group->method->adaptive)
        return "substeps";
    if (implicit && after->n.halved_steps - before->n.halved_steps != (whole && before->level > 0))
        return "halved_steps";
    if (implicit && after->n.depth_max != (before->level > before->n.depth_max ? before->level : before->n.depth_max) &&
        (before->level > 0 || !accepted))
        return "depth_max";
    return NULL;
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

// Judges the state in which a column's point begins.
static void certify_start(const Certifying *certifying, Worker *worker, size_t column)
{
    const Walk        *walk = certifying->walk;
    WalkState          begun;
    CertificateState   earlier;
    CertificateSubstep substep = prepare(certifying, worker, certifying->batch->first_point + walk->point[column]);
    walk_state(walk, walk->after, column, worker->numbers[1], &begun);
    if (begun.status == STATUS_NOT_FINITE)
        return;
    substep.accepted = true;
    name_state(walk->group, &begun, &substep.after);
    substep.control.next_reached = begun.reached;
    substep.control.next_proposed = begun.proposed;
    earlier = (CertificateState){.x = begun.previous, .v = begun.previous + walk->group->dofs};
    substep.previous = walk->group->method->history ? &earlier : NULL;
    add_share(certifying, worker, column, &begun, certificate_start(&substep));
}

// Judges a substep between two states of a point.
//   past  of a two-step method, else NULL
static CertificateShare certify_substep(const Certifying *certifying, Worker *worker, uint64_t point, Past *past,
                                        const WalkState *before, const WalkState *after)
{
    const Group       *group = certifying->batch->group;
    const bool         adaptive = group->method->adaptive;
    CertificateState   earlier;
    CertificateSubstep substep = prepare(certifying, worker, point);
    const double       h = substep.h;
    substep.accepted = after->n.failed_solves == before->n.failed_solves;
    substep.updates = (uint64_t)(after->n.updates - before->n.updates);
    substep.t = ((double)before->step + (double)before->index / FULL) * h;
    substep.h = adaptive ? h : ldexp(h, (int)-before->level);
    substep.control = (CertificateControl){.reached = before->reached,
                                           .proposed = before->proposed,
                                           .ended = after->step > before->step,
                                           .next_reached = after->reached,
                                           .next_proposed = after->proposed};
    name_state(group, before, &substep.before);
    name_state(group, after, &substep.after);
    const double *from = past ? find_past(group, past, before, h, &substep.spacing) : NULL;
    if (from) {
        earlier = (CertificateState){.x = from, .v = from + group->dofs};
        substep.previous = &earlier;
    }
    certify_reference_begin(&worker->reference, point);
    substep.counted = group->method->unknown == UNKNOWN_NONE || certify_reference_agrees(&worker->reference, &substep);
    worker->result.by_interval += !substep.counted;
    const char *wrong = substep.accepted ? NULL : check_unchanged(group, before, after);
    if (!wrong && !adaptive)
        wrong = check_place(group, before, after, substep.accepted);
    if (!wrong)
        wrong = check_counters(group, before, after, substep.accepted);
    const CertificateShare share =
        wrong ? (CertificateShare){.share = (double)INFINITY, .equation = wrong} : certificate_substep(&substep);
    if (past && substep.accepted)
        note_past(group, past, before, after);
    return share;
}

// Judges what became of a column's point, where it was at work.
static void certify_column(const Certifying *certifying, Worker *worker, size_t column)
{
    const Walk    *walk = certifying->walk;
    const Group   *group = walk->group;
    const uint64_t point = certifying->batch->first_point + walk->point[column];
    WalkState      before, after;
    walk_state(walk, walk->before, column, worker->numbers[0], &before);
    if (before.status != STATUS_NOT_RUN || (uint64_t)before.step >= group_steps(group, point))
        return;
    walk_state(walk, walk->after, column, worker->numbers[1], &after);
    if (after.status == STATUS_BUDGET_EXCEEDED || after.status == STATUS_NOT_FINITE)
        return;
    Past *past = certifying->certifier->pasts ? &certifying->certifier->pasts[walk->point[column]] : NULL;
    add_share(certifying, worker, column, &before, certify_substep(certifying, worker, point, past, &before, &after));
    if (after.step > before.step) {
        bool *spoiled = &certifying->certifier->spoiled[walk->point[column]];
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
    const size_t numbers = (MOST_DEPTH + 2) * 2 * certifier->group.dofs;
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
    for (size_t i = 0; history && i < points; ++i) {
        certifier->pasts[i].states = certifier->past_states + i * numbers;
        certifier->pasts[i].has_step = false;
        for (int k = 0; k <= MOST_DEPTH; ++k)
            certifier->pasts[i].place[k] = -1;
    }
    return true;
}

bool certify_open(const Plan *plan, const Group *group, Device *device, int threads, Certifier **certifier, Error *err)
{
    *certifier = NULL;
    if (!certificate_knows(group->method))
        return fail(err, ERROR_DEVICE, "method '%s' has no certificate", group->method->name);
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

void certify_close(Certifier *certifier)
{
    if (!certifier)
        return;
    engine_free(&certifier->engine);
    measures_free(certifier->measures);
    exact_free(&certifier->exact);
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
    const bool ok = begin_points(certifier, batch->point_count, err) &&
                    (!results || measures_begin(certifier->measures, &walked, results, err)) &&
                    device_walk(certifier->engine.program, &walked, options, certify_walk, &certifying, err);
    pthread_mutex_destroy(&certifying.mutex);
    return ok && (!results || measures_judge(certifier->measures, &certified->measured, err));
}
