// certify_worker -- a column's point before and after a launch.
#include "analysis/conform/walk/certify_worker.h"

#include "analysis/conform/certificate/certificate.h"
#include "analysis/conform/walk/meeting.h"
#include "analysis/conform/walk/passing.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_SHOWN 0.999

enum { FOLLOWED = 128 };

// A substep that was not taken changes nothing of the state.
static const char *check_unchanged(const Group *group, const WalkState *before, const WalkState *after)
{
    const size_t kept = (2 + group->method->state_count) * group->dofs;
    bool         same = memcmp(before->x, after->x, kept * sizeof(double)) == 0 &&
                (!before->scale || memcmp(before->scale, after->scale, group->dofs * sizeof(double)) == 0);
    for (size_t j = 0; j < group->derivative_count; ++j) {
        const size_t first = j * walk_vectors(group) * group->dofs;
        same = same && memcmp(before->tangents + first, after->tangents + first, kept * sizeof(double)) == 0;
    }
    return same ? NULL : "a state that must not change";
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

// The vectors that a guess is extrapolated from belong to one size of substep: where the next substep has another size,
// or is the first, they are NaN, and so they are behind a piece of a step that is shorter than the step. Else a substep
// that was not taken leaves them as they are.
//   substep  NULL: the point begins, or begins anew
static const char *check_guess_state(const Group *group, const CertificateSubstep *substep, const WalkState *after)
{
    const size_t first = group->method->state_count * group->dofs,
                 count = group_kept_vectors(group) * group->dofs - first;
    const bool forgotten = !substep || substep->before.level != after->level || (substep->forgets && !substep->lost);
    bool       right = true;
    for (size_t i = first; i < first + count; ++i)
        if (forgotten)
            right = right && isnan(after->own[i]);
        else if (!substep->accepted)
            right = right && same_number(after->own[i], substep->before.own[i]);
    return right ? NULL : "what a guess is extrapolated from";
}

// The vectors of before belong to whole steps where a shorter piece begins: no guess is extrapolated from them.
static void forget_guess(CertifyWorker *worker, const Group *group, const StepPiece *piece, WalkState *before)
{
    const size_t n = group->dofs, first = group->method->state_count * n, kept = group_kept_vectors(group) * n;
    if (!(piece->cut && before->index == 0) && !(piece->sought > 0.0))
        return;
    if (kept == first)
        return;
    memcpy(worker->own, before->own, (kept + group->method->scratch_count * n) * sizeof *worker->own);
    for (size_t i = first; i < kept; ++i)
        worker->own[i] = (double)NAN;
    before->own = worker->own;
}

// A point begins with the sizes of its own velocities, or with the sizes that the sweep file sets, where these are
// larger; past a break they are no smaller than before.
static const char *check_scale(const Group *group, const CertificateSubstep *substep, const WalkState *begun)
{
    const double *v = group->problem->first_order ? begun->x : begun->v;
    bool          right = true;
    for (size_t i = 0; begun->scale && i < group->dofs; ++i) {
        const long double kept = substep->anew ? substep->before.scale[i] : 0.0, least = substep->least[i],
                          size = fmaxl(fmaxl(fabsl((long double)v[i]), least), kept),
                          off = 2.0L * substep->point->unit * least + ball_least(substep->point->unit);
        right = right && (fabsl(begun->scale[i] - size) <= off || isnan(v[i]));
    }
    return right ? NULL : "the size of a velocity";
}

// The least size of a velocity that a coordinate's own size makes: that of moving by it in a step of the sweep.
static void find_least(const Plan *plan, const Group *group, CertificateSubstep *substep)
{
    for (size_t i = 0; group->newton.scale && i < group->dofs; ++i) {
        const long double size = point_input_number(plan, group->newton.scale[i]);
        substep->least[i] = group->problem->first_order ? size : size / substep->h;
    }
}

static void add_share(CertifyWorker *worker, size_t column, const WalkState *before, CertificateShare share)
{
    Certified       *result = &worker->result;
    const Certifier *certifier = worker->certifier;
    const size_t     place = worker->walk->point[column];
    const uint64_t   point = certifier->batch.first_point + place;
    double          *shares = certifier->shares;
    if (certifier->see)
        certifier->see(point, worker->walk->before ? before : NULL, &share, certifier->user);
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

// The members that are the same for all substeps of a point, as the kernel is given them; h is that of a step.
static CertificateSubstep prepare(CertifyWorker *worker, uint64_t point)
{
    const Plan  *plan = worker->certifier->plan;
    const Group *group = &worker->certifier->group;
    for (size_t i = 0; i < group->method->parameter_count; ++i)
        worker->parameters[i] = point_input_number(plan, group_value(group, group->method_parameters[i], point));
    exact_point_load(&worker->point, plan, group, point);
    CertificateSubstep substep = {
        .point = &worker->point,
        .method = group->method,
        .equations = worker->certifier->equations.card ? &worker->certifier->equations : NULL,
        .parameters = worker->parameters,
        .newton = &group->newton,
        .breaks = group->breaks,
        .numbers = worker->numbers,
        .start = group->substeps.start,
        .reference = worker->certifier->reference,
        .matrices = worker->matrices,
        .tangents = worker->tangents,
        .begin = point_input_number(plan, group_begin(group, point)),
        .h = point_input_number(plan, group_step(group, point)),
        .tolerance = point_input_number(plan, group_tolerance(group, point)),
        .max_updates = (uint64_t)group_value(group, group->newton.max_updates, point),
    };
    find_least(plan, group, &substep);
    substep.t = substep.begin;
    return substep;
}

// Gives a substep the problem in its own precision. False where that cannot be had; the worker's error says why.
static bool add_narrow(CertifyWorker *worker, CertificateSubstep *substep)
{
    Certifier *certifier = worker->certifier;
    pthread_mutex_lock(&certifier->narrow_mutex);
    const bool ok = certifier->narrow.library || (worker->error.kind == ERROR_NONE &&
                                                  exact_narrow_make(worker->point.problem, worker->point.dofs,
                                                                    certifier->plan->precision == PRECISION_SINGLE,
                                                                    &certifier->narrow, &worker->error));
    pthread_mutex_unlock(&certifier->narrow_mutex);
    if (ok && !worker->narrow_params)
        worker->narrow_params = arena_take(&worker->arena, certifier->narrow.bytes, 1, &worker->error);
    if (!ok || !worker->narrow_params)
        return false;
    if (certifier->narrow.curves)
        certifier->narrow.curves(worker->narrow_params, worker->point.problem->curves->numbers);
    certifier->narrow.fill(worker->narrow_params, worker->point.values);
    substep->narrow = &certifier->narrow;
    substep->narrow_params = worker->narrow_params;
    return true;
}

static CertificateShare wrong_share(const char *what)
{
    return (CertificateShare){.share = (double)INFINITY, .equation = what};
}

static CertifyRules rules_of(const CertifyWorker *worker, uint64_t point)
{
    const Certifier *certifier = worker->certifier;
    const Breaks    *breaks = certifier->group.breaks;
    if (breaks)
        breaks_numbers(&certifier->group, point, worker->numbers);
    for (size_t i = 0; breaks && i < breaks->number_count; ++i)
        worker->numbers[i] = point_input_number(certifier->plan, worker->numbers[i]);
    return certify_status_rules(certifier->plan, &certifier->group, certifier->records, worker->numbers, point);
}

// Gives a substep its earlier point.
//   previous  [2][dofs] x and v; NULL: it has none
static void set_previous(CertificateSubstep *substep, const double *previous)
{
    substep->previous_x = previous;
    substep->previous_v = previous ? previous + substep->point->dofs : NULL;
}

// Finds the times that forces see.
static void find_window(const CertifyRules *rules, const WalkState *state, CertificateSubstep *substep)
{
    const StepPiece piece = piece_of(rules->group, rules->single, rules->h, state);
    substep->from = piece.from;
    substep->below = piece.below;
}

// Judges a state from which a method begins.
//   wrong  what was found wrong before, or NULL
static CertificateShare judge_beginning(CertifyWorker *worker, const CertifyRules *rules, CertificateSubstep *substep,
                                        const WalkState *state, const char *wrong)
{
    worker->ended += certify_status_ended(rules, state);
    if (!wrong)
        wrong = check_guess_state(&worker->certifier->group, NULL, state);
    if (!wrong)
        wrong = check_scale(&worker->certifier->group, substep, state);
    if (wrong || (substep->lost && !add_narrow(worker, substep)))
        return wrong_share(wrong ? wrong : "a state that is not finite");
    return certificate_start(substep);
}

// Judges the state in which a column's point begins.
static CertificateShare certify_begun(CertifyWorker *worker, uint64_t point, const WalkState *begun)
{
    CertificateSubstep substep = prepare(worker, point);
    const CertifyRules rules = rules_of(worker, point);
    const char        *wrong = certify_status_begin(&rules, begun);
    if (!wrong)
        wrong = passing_begin(&rules, begun);
    if (!wrong)
        wrong = meeting_begin(&rules, &worker->point, begun);
    substep.passed = -DBL_MIN;
    substep.time = 0.0;
    find_window(&rules, begun, &substep);
    substep.accepted = true;
    substep.lost = begun->status == STATUS_NOT_FINITE;
    substep.after = *begun;
    set_previous(&substep, begun->previous);
    if (substep.tangents) {
        const size_t n = worker->certifier->group.dofs, vectors = walk_vectors(&worker->certifier->group);
        substep.tangents->previous = begun->previous ? begun->tangents + (vectors - 2) * n : NULL;
        substep.tangents->previous_stride = vectors * n;
    }
    return judge_beginning(worker, &rules, &substep, begun, wrong);
}

// Fills in a substep between two states of a point.
//   past  of a two-step method, else NULL
static void describe(CertifyWorker *worker, const CertifyRules *rules, const Past *past, const WalkState *before,
                     const WalkState *after, CertificateSubstep *substep)
{
    const Group    *group = rules->group;
    const double    h = substep->h, part = ldexp((double)before->index, -MOST_DEPTH);
    const StepPiece piece = piece_of(group, rules->single, h, before);
    const bool      adaptive = group->method->adaptive;
    substep->t = (adaptive || !piece.cut ? ((double)before->step + part) * h
                                         : (double)before->step * h + (piece.begun + part * piece.length)) +
                 substep->begin;
    substep->h = adaptive ? h : piece.sought > 0.0 ? piece.sought : ldexp(piece.length, (int)-before->level);
    substep->sought = piece.sought;
    substep->meets = meeting_ends(rules, before, after);
    substep->met = substep->meets ? meeting_place(rules, before) : 0.0;
    substep->piece_end = piece.end;
    substep->from = piece.from;
    substep->below = piece.below;
    substep->before = *before;
    substep->after = *after;
    forget_guess(worker, group, &piece, &substep->before);
    set_previous(substep, past ? past_find(group, past, &piece, before, &substep->spacing) : NULL);
    if (substep->tangents) {
        substep->tangents->previous = substep->previous_x ? substep->previous_x + 2 * group->dofs : NULL;
        substep->tangents->previous_stride = 2 * group->dofs;
    }
}

// Finds whether a substep ended its piece, and its step: of an adaptive method by the time that it says, whose
// certificate judges it.
static void find_arrival(const CertifyRules *rules, CertificateSubstep *substep)
{
    const WalkState *before = &substep->before, *after = &substep->after;
    const StepPiece  piece = piece_of(rules->group, rules->single, rules->h, before);
    const bool       stepped = after->step > before->step;
    if (rules->group->method->adaptive)
        substep->arrives = substep->accepted && (stepped || after->reached == substep->piece_end);
    else
        substep->arrives = substep->accepted && piece_arrives(rules->group, &piece, rules->single, before);
    substep->ends_step =
        substep->arrives && (rules->numbers ? piece_ends_step(rules->group, &piece, rules->single, rules->h, before)
                                            : stepped || !rules->group->method->adaptive);
    substep->forgets = substep->arrives && piece.cut;
    if (substep->meets)
        substep->arrives = substep->ends_step = substep->forgets = false;
}

// Solves are done again by intervals in the first steps of a point and in each of its FOLLOWED steps, other points'
// others; where a step is halved they all are. Elsewhere only the consequences of the last condition number are
// demanded.
static bool is_followed(uint64_t point, const WalkState *before)
{
    return before->step < 2 || before->level > 0 || ((uint64_t)before->step + point) % FOLLOWED == 0;
}

// Whether the reference's attempt ends as the kernel's did, by as many updates.
static bool reference_agrees(CertifyReference *reference, uint64_t point, const CertificateSubstep *substep)
{
    const size_t n = substep->point->dofs;
    const bool   adaptive = substep->method->adaptive;
    State        now = {0}, next, previous = {0};
    Tally        tally = {.condition_last = NAN, .condition_max = NAN};
    if (!reference->knows)
        return false;
    point_begin(&reference->run, point, &reference->rules, &reference->stepping);
    reference->rules.conditions = false;
    Step step = reference->stepping.step;
    memcpy(now.x, substep->before.x, n * sizeof *now.x);
    memcpy(now.v, substep->before.v, n * sizeof *now.v);
    for (size_t k = 0; k < substep->method->state_count; ++k)
        memcpy(now.own[k], substep->before.own + k * n, n * sizeof *now.own[k]);
    if (substep->before.scale)
        memcpy(now.scale, substep->before.scale, n * sizeof *now.scale);
    // A guess is extrapolated from the kernel's vectors for the substep's own size.
    const size_t  earlier = substep->newton->extrapolated ? substep->method->guess_state_count : 0;
    const double *kept = substep->before.own + substep->method->state_count * n;
    for (size_t k = 0; k < earlier && !isnan(kept[k * n]); ++k) {
        memcpy(now.earlier[k], kept + k * n, n * sizeof *now.earlier[k]);
        now.earlier_count = k + 1;
    }
    now.spacing = substep->h;
    step.t = substep->t;
    step.h = substep->h;
    step.from = substep->from;
    step.below = substep->below;
    if (adaptive) {
        const double left = substep->piece_end - substep->before.reached;
        step.t += substep->before.reached;
        step.h = substep->sought > 0.0 ? substep->sought : fmin(substep->before.proposed, left);
    }
    step.now = &now;
    if (substep->previous_x) {
        memcpy(previous.x, substep->previous_x, n * sizeof *previous.x);
        memcpy(previous.v, substep->previous_v, n * sizeof *previous.v);
        step.previous = &previous;
        step.spacing = substep->spacing;
    }
    next = now;
    double         error;
    const SolveEnd end = adaptive ? stepping_trial(step, &tally, &next, &error) : stepping_step(step, &tally, &next);
    const CertificateCounts *counts = &substep->counts;
    const bool               modified = substep->newton->modified;
    return (end == SOLVE_ACCEPTED) == substep->solved && tally.updates == counts->updates &&
           (!substep->end_said || substep->solved || end == substep->end) &&
           tally.stagnated_solves == counts->stagnated &&
           (modified ? tally.jacobians : (uint64_t)(end == SOLVE_SINGULAR)) == counts->jacobians &&
           (!substep->solves_said || tally.accepted_solves + tally.failed_solves == counts->solves);
}

// The largest share of a bound that is known so far, of the point alone where each point's is asked for.
static double shown_so_far(const CertifyWorker *worker, uint64_t point)
{
    const double *shares = worker->certifier->shares;
    const double  shown = shares ? shares[point] : worker->result.worst.share;
    return worker->certifier->see ? -1.0 : fmin(shown, LARGEST_SHOWN);
}

// Judges a substep between two states of a point.
static CertificateShare certify_substep(CertifyWorker *worker, uint64_t point, const CertifyRules *rules,
                                        CertificateSubstep *substep)
{
    const WalkState *before = &substep->before, *after = &substep->after;
    const Group     *group = &worker->certifier->group;
    const bool       solves = group->method->unknown != UNKNOWN_NONE, followed = solves && is_followed(point, before);
    const StepPiece  piece = piece_of(group, rules->single, rules->h, before);
    bool             decided;
    const char      *wrong = substep->accepted ? NULL : check_unchanged(group, before, after);
    if (!wrong)
        wrong = check_guess_state(group, substep, after);
    if (!wrong && !group->method->adaptive && !substep->meets)
        wrong = past_place(group, before, after, substep->accepted, substep->lost, substep->ends_step);
    if (!wrong && !substep->meets)
        wrong = passing_place(rules, &piece, substep);
    if (!wrong)
        wrong = certify_status_check(rules, substep);
    if (!wrong)
        wrong = meeting_taken(rules, substep,
                              group->method->adaptive ? piece_substep(&piece, rules->single, before) : substep->h);
    if (wrong)
        return wrong_share(wrong);
    if (!equations_given(group->method))
        return (CertificateShare){.equation = "place"};
    if (solves) {
        const bool reference = substep->reference;
        substep->counted = reference || reference_agrees(&worker->reference, point, substep);
        substep->alone = !reference && !worker->reference.knows;
        worker->result.by_interval += !substep->counted && !substep->alone;
        substep->followed =
            !substep->counted || followed || (!substep->accepted && (reference || group->method->adaptive));
    }
    if ((!substep->accepted || substep->lost) && !add_narrow(worker, substep))
        return wrong_share("a solve that failed");
    if (substep->tangents)
        substep->tangents->searched = is_followed(point, before);
    substep->shown = shown_so_far(worker, point);
    const CertificateShare share = certificate_substep(substep, &decided);
    worker->result.counts += followed;
    worker->result.decided_counts += followed && decided;
    return share;
}

// Judges the state of a point that a launch took past a break.
static CertificateShare certify_passed(CertifyWorker *worker, uint64_t point, const CertifyRules *rules,
                                       const WalkState *before, const WalkState *after)
{
    CertificateSubstep substep = prepare(worker, point);
    const char        *wrong = passing_check(rules, before, after);
    if (!wrong)
        wrong = meeting_beside(rules, &worker->point, before, after);
    substep.accepted = substep.anew = true;
    substep.lost = after->status == STATUS_NOT_FINITE;
    substep.before = *before;
    substep.after = *after;
    substep.passed = before->passed;
    substep.time = before->next;
    find_window(rules, after, &substep);
    if (!wrong)
        wrong = certify_status_passed(rules, after);
    return judge_beginning(worker, rules, &substep, after, wrong);
}

// Judges the state of a point that a launch took past an event.
static CertificateShare certify_met(CertifyWorker *worker, uint64_t point, const CertifyRules *rules,
                                    const WalkState *before, const WalkState *after)
{
    CertificateSubstep substep = prepare(worker, point);
    bool               fired[EVENTS_MOST];
    const char        *wrong = meeting_passed(rules, &worker->point, before, after, fired, &substep.time);
    substep.accepted = substep.anew = true;
    substep.lost = after->status == STATUS_NOT_FINITE;
    substep.before = *before;
    substep.after = *after;
    substep.events = rules->group->events;
    substep.fired = fired;
    find_window(rules, after, &substep);
    return judge_beginning(worker, rules, &substep, after, wrong);
}

// Judges a try that only moved the bracket of a search.
static CertificateShare certify_held(CertifyWorker *worker, const CertifyRules *rules, CertificateSubstep *substep)
{
    const Group    *group = &worker->certifier->group;
    const StepPiece piece = piece_of(group, rules->single, rules->h, &substep->before);
    const double size = group->method->adaptive ? piece_substep(&piece, rules->single, &substep->before) : substep->h;
    const char  *wrong = check_unchanged(group, &substep->before, &substep->after);
    substep->accepted = false;
    if (!wrong)
        wrong = check_guess_state(group, substep, &substep->after);
    if (!wrong)
        wrong = meeting_held(rules, &substep->before, &substep->after, size);
    return wrong ? wrong_share(wrong) : (CertificateShare){.equation = "a trial that looks for an event"};
}

// Counts a step of a point that has ended one.
static void count_step(CertifyWorker *worker, size_t place, const WalkState *before, const WalkState *after)
{
    bool *spoiled = &worker->certifier->spoiled[place];
    if (after->step == before->step)
        return;
    ++worker->result.steps;
    worker->result.certified_steps += !*spoiled;
    *spoiled = false;
}

// Judges the outcome of a column's point.
static void certify_column(CertifyWorker *worker, size_t column, const WalkState *before, const WalkState *after)
{
    const Walk        *walk = worker->walk;
    const Group       *group = walk->group;
    const size_t       place = walk->point[column];
    const uint64_t     point = worker->certifier->batch.first_point + place;
    bool               tried;
    const CertifyRules rules = rules_of(worker, point);
    const bool         ended = certify_status_ended(&rules, before);
    const char        *wrong = certify_status_rest(&rules, before, after, walk->rows, &tried);
    if (!wrong && tried && passing_waited(&rules, before, after, walk->rows))
        return;
    Past *past = worker->certifier->pasts ? &worker->certifier->pasts[place] : NULL;
    if (!wrong && tried && group->events && before->high < 0.0) {
        add_share(worker, column, before, certify_met(worker, point, &rules, before, after));
        if (past)
            past_begin(past, past->states);
        count_step(worker, place, before, after);
        return;
    }
    if (!wrong && tried && piece_of(group, rules.single, rules.h, before).over) {
        add_share(worker, column, before, certify_passed(worker, point, &rules, before, after));
        if (past)
            past_begin(past, past->states);
        count_step(worker, place, before, after);
        return;
    }
    worker->ended += !ended && certify_status_ended(&rules, after);
    if (wrong || !tried) {
        if (wrong)
            add_share(worker, column, before, wrong_share(wrong));
        return;
    }
    CertificateSubstep substep = prepare(worker, point);
    describe(worker, &rules, past, before, after, &substep);
    certify_status_read(&rules, &substep);
    if (meeting_holds(&rules, before, after)) {
        add_share(worker, column, before, certify_held(worker, &rules, &substep));
        return;
    }
    find_arrival(&rules, &substep);
    add_share(worker, column, before, certify_substep(worker, point, &rules, &substep));
    if (past && substep.accepted && !substep.meets)
        past_note(group, past, before);
    count_step(worker, place, before, after);
}

// Shows the outcome of a column's point to the point's metrics.
//   before  NULL: the point begins
static bool measure(CertifyWorker *worker, size_t column, const WalkState *before, const WalkState *after, Error *err)
{
    const Walk    *walk = worker->walk;
    const uint64_t steps = group_steps(walk->group, worker->certifier->batch.first_point + walk->point[column]);
    if (before && (before->status != STATUS_NOT_RUN || (uint64_t)before->step >= steps ||
                   (walk->group->breaks && memcmp(before->x, after->x, walk->rows * sizeof *before->x) == 0)))
        return true;
    return measures_see(worker->certifier->measures, worker->room, walk->point[column], before, after, err);
}

bool certify_worker_visit(CertifyWorker *worker, size_t column, Error *err)
{
    const Walk *walk = worker->walk;
    WalkState   before, after;
    walk_state(walk, walk->after, column, &after);
    if (walk->before) {
        walk_state(walk, walk->before, column, &before);
        certify_column(worker, column, &before, &after);
    } else {
        add_share(worker, column, &after,
                  certify_begun(worker, worker->certifier->batch.first_point + walk->point[column], &after));
    }
    return !worker->certifier->measured || measure(worker, column, walk->before ? &before : NULL, &after, err);
}

bool certify_worker_make(Certifier *certifier, CertifyWorker **worker, Error *err)
{
    const Group   *group = &certifier->group;
    CertifyWorker *made = *worker = calloc(1, sizeof *made);
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    Arena            *arena = &made->arena;
    CertifyReference *reference = &made->reference;
    Error             why;
    made->certifier = certifier;
    reference->knows = equations_given(group->method) && point_problem(group->problem, group->dofs, &why);
    return (!reference->knows ||
            point_make(certifier->plan, &certifier->batch, certifier->stop, NULL, &reference->run, err)) &&
           measures_make_room(certifier->measures, arena, &made->room, err) &&
           (made->own = arena_take(arena, (group_kept_vectors(group) + group->method->scratch_count + 1) * group->dofs,
                                   sizeof *made->own, err)) &&
           (!group->breaks ||
            (made->numbers = arena_take(arena, group->breaks->number_count + 1, sizeof *made->numbers, err))) &&
           (made->matrices = certificate_matrices(group->dofs, arena, err)) &&
           derived_make(group, &certifier->equations, arena, &made->tangents, err) &&
           (made->parameters = arena_take(arena, group->method->parameter_count + 1, sizeof *made->parameters, err)) &&
           exact_point_make(&certifier->exact, group->problem, group->dofs,
                            certifier->plan->precision == PRECISION_SINGLE, arena, &made->point, err);
}

void certify_worker_free(CertifyWorker *worker)
{
    if (!worker)
        return;
    point_free(&worker->reference.run);
    arena_free(&worker->arena);
    free(worker);
}
