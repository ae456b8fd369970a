// reference_walk -- the state rows that a kernel would keep, from the states that the reference shows.
#include "analysis/conform/walk/reference_walk.h"

#include "analysis/conform/judgement/piece.h"
#include "compose/compose.h"
#include "reference/eigen.h"

#include <math.h>
#include <string.h>

enum { FULL = 1 << MOST_DEPTH };

static double *put(double *to, const double *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
    return to + count;
}

static double *put_whole(double *to, int64_t number)
{
    memcpy(to, &number, sizeof number);
    return to + 1;
}

// Puts a metric's counts, in the order of its card, as far as certificates ask for them.
static double *put_counts(double *to, const Gauge *gauge)
{
    for (size_t k = 0; k < gauge->instance->card->count_count; ++k) {
        uint64_t count = 0;
        if (gauge->kind == &gauge_events)
            count = gauge->of.events.seen;
        else if (gauge->kind == &gauge_oscillation)
            count = k == 0 ? gauge->of.oscillation.extrema : gauge->of.oscillation.crossings;
        else if (gauge->kind == &gauge_poincare || gauge->kind == &gauge_section)
            count = gauge->of.taken.count;
        else if (gauge->kind == &gauge_lyapunov)
            count = (uint64_t)gauge->of.lyapunov.seen;
        else if (gauge->kind == &gauge_damping || gauge->kind == &gauge_energy_loss)
            count = gauge->of.damping.extrema;
        else if (gauge->kind == &gauge_misfit)
            count = k == 0 ? gauge->of.misfit.taken : gauge->of.misfit.used;
        to = put_whole(to, (int64_t)count);
    }
    return to;
}

// Puts the numbers that a metric keeps of the motion, in the order of its card, as far as they are judged step by step.
static double *put_memory(double *to, const ReferenceWalk *walk, const Gauge *gauge)
{
    const Card    *card = gauge->instance->card;
    const Metrics *metrics = &walk->run->metrics;
    const size_t   n = walk->group->dofs, count = group_metric_rows(walk->group, gauge->instance) - card->count_count;
    const bool     section = gauge->kind == &gauge_section;
    if (gauge->kind == &gauge_lyapunov)
        return put(to, gauge->of.lyapunov.rows, count);
    if (section)
        *to++ = (double)gauge->of.taken.value.at;
    if (section || gauge->kind == &gauge_poincare)
        return put(put(to, metrics->shown_x, n), metrics->shown_v, n);
    memset(to, 0, count * sizeof *to);
    return to + count;
}

// Puts a vector of a derivative's; NULL: zeros.
static double *put_vector(double *to, const double *from, size_t n)
{
    if (from)
        memcpy(to, from, n * sizeof *to);
    else
        memset(to, 0, n * sizeof *to);
    return to + n;
}

// Puts the derivatives of the state by one name, in the order of its vectors. A block has them as the method sees them
// within a step.
static double *put_tangents(double *to, const ReferenceWalk *walk, size_t derivative)
{
    const Group  *group = walk->group;
    const Card   *method = group->method;
    const size_t  n = group->dofs, states = method->state_count;
    const bool    first_order = group->problem->first_order;
    const double *from = walk->tangents + derivative * (2 + states + method->scratch_count) * n, *v = from + n,
                 *x = first_order ? v : from;
    to = put_vector(put_vector(to, x, n), first_order ? NULL : v, n);
    for (size_t k = 0; k < states; ++k)
        to = put_vector(to, v + (1 + k) * n, n);
    for (size_t k = states; k < group_kept_vectors(group); ++k)
        to = put_vector(to, NULL, n);
    for (size_t k = 0; k < method->scratch_count; ++k)
        to = put_vector(to, v + (1 + states + k) * n, n);
    return method->history ? put_vector(put_vector(to, x, n), first_order ? NULL : v, n) : to;
}

// Writes a state's rows. The rows of `previous` get the state itself, which is right where a point begins.
static void write_rows(const ReferenceWalk *walk, const State *state, const WalkState *seen, double *rows)
{
    const Group *group = walk->group;
    const Card  *method = group->method;
    const size_t n = group->dofs;
    double      *next = put(put(rows, state->x, n), state->v, n);
    for (size_t k = 0; k < method->state_count; ++k)
        next = put(next, state->own[k], n);
    const StepPiece piece = piece_of(group, false, walk->h, seen);
    // A shorter piece that begins forgets them in its launch.
    const double size = seen->index == 0 && seen->level == 0 ? walk->h : ldexp(piece.length, (int)-seen->level);
    const bool   same_size = state->spacing == size;
    for (size_t k = 0; method->state_count + k < group_kept_vectors(group); ++k)
        for (size_t i = 0; i < n; ++i)
            *next++ = same_size && k < state->earlier_count ? state->earlier[k][i] : (double)NAN;
    for (size_t k = 0; k < method->scratch_count; ++k)
        next = put(next, walk->taken[k], n);
    if (method->history)
        next = put(put(next, state->x, n), state->v, n);
    if (group_keeps_scale(group))
        next = put(next, state->scale, n);
#define PUT_WHOLE(member) next = put_whole(next, seen->member);
#define PUT_REAL(member) *next++ = seen->member;
    PLACE_ROWS(PUT_WHOLE)
    COUNTER_ROWS(PUT_WHOLE)
    CONDITION_ROWS(PUT_REAL)
    if (method->adaptive) {
        SUBSTEP_ROWS(PUT_REAL)
    }
    if (group->breaks) {
        BREAK_ROWS(PUT_REAL)
    }
    next += group->deviation_count > 0 ? 2 * n : 0;
    for (size_t i = 0; i < group->instance_count; ++i) {
        next = put_memory(next, walk, &walk->run->metrics.gauges[i]);
        next = put_counts(next, &walk->run->metrics.gauges[i]);
    }
    next = rows + walk->rows - group->derivative_count * walk_vectors(group) * n;
    for (size_t j = 0; j < group->derivative_count; ++j)
        next = put_tangents(next, walk, j);
}

static void show(ReferenceWalk *walk)
{
    const Walk shown = {.group = walk->group,
                        .count = 1,
                        .point = &walk->place,
                        .before = walk->began ? walk->numbers[0] : NULL,
                        .after = walk->numbers[1],
                        .rows = walk->rows};
    double    *after = walk->numbers[1];
    write_rows(walk, &walk->now, &walk->seen[1], after);
    walk->ok = walk->visit(&shown, walk->user, walk->err);
    walk->numbers[1] = walk->numbers[0];
    walk->numbers[0] = after;
    walk->seen[0] = walk->seen[1];
    walk->before = walk->now;
    walk->began = true;
}

// The breaks around the state that a trajectory has come to.
static void see_breaks(const Stepping *stepping, WalkState *after)
{
    const SteppingBreaks *breaks = stepping->breaks;
    if (!breaks)
        return;
    after->passed = breaks->passed;
    after->next = breaks_next(breaks->group, breaks->numbers, breaks->passed);
    after->gap = breaks->gap;
}

// Where a break that was passed leads: it may be the end of a step.
static void move_past(const ReferenceWalk *walk, const Stepping *stepping, WalkState *after)
{
    double *begun = walk->group->method->adaptive ? &after->reached : &after->begun;
    if (*begun >= walk->h) {
        ++after->step;
        *begun = 0.0;
    }
    see_breaks(stepping, after);
}

// Where the last try leads in time.
static void move_on(const ReferenceWalk *walk, const Stepping *stepping, WalkState *after)
{
    const bool stepped = (int64_t)stepping->steps > after->step;
    if (walk->group->method->adaptive) {
        after->step = (int64_t)stepping->steps;
        after->reached = stepped ? 0.0 : after->reached + (walk->accepted ? walk->length : 0.0);
    } else if (walk->accepted) {
        after->index += FULL >> after->level;
        if (stepping->breaks && after->index == FULL)
            after->begun = stepped ? 0.0 : stepping->begun;
        after->step += after->index == FULL && (!stepping->breaks || stepped);
        after->index = after->index == FULL ? 0 : after->index;
        after->level = after->index == 0 ? 0 : MOST_DEPTH - __builtin_ctzll((uint64_t)after->index);
    } else if (after->level < walk->group->substeps.max_depth) {
        ++after->level;
    }
    see_breaks(stepping, after);
}

// Writes the reference's counters once the outcome of a try is known.
static void complete(ReferenceWalk *walk, const Stepping *stepping)
{
    const bool      implicit = walk->group->method->unknown != UNKNOWN_NONE;
    WalkState      *before = &walk->seen[0], *after = &walk->seen[1];
    const StepPiece piece = piece_of(walk->group, false, walk->h, before);
    const bool      at_end = after->step > before->step || after->begun >= walk->h || after->reached >= walk->h,
               whole = walk->began && !walk->passing && at_end;
    after->proposed = stepping->proposed;
    after->n.substeps = (int64_t)stepping->substeps;
    after->n.updates_per_step_max = (int64_t)stepping->updates_per_step_max;
    if (walk->group->method->adaptive)
        after->n.failed_solves = (int64_t)stepping->rejected;
    after->forced = (double)stepping->forced;
    if (whole) {
        const int64_t spent = after->n.updates_this_step, most = after->n.updates_per_step_max;
        after->n.updates_per_step_max = spent > most ? spent : most;  // the stepping says so past a break at the end
        after->n.updates_this_step = 0;
    }
    after->n.halved_steps += implicit && !walk->group->method->adaptive && whole && (before->level > 0 || piece.cut);
}

// Adds the cost of a try, as kernels count it: solves only where they are not solves of whole steps.
static void add_tally(ReferenceWalk *walk, const SteppingSight *sight)
{
    const Group    *group = walk->group;
    const Tally    *tally = &sight->stepping->tally;
    const bool      implicit = group->method->unknown != UNKNOWN_NONE;
    const bool      adaptive = group->method->adaptive;
    const bool      lost = sight->accepted && !method_is_finite(sight->next, group->dofs);
    WalkState      *after = &walk->seen[1];
    const StepPiece piece = piece_of(group, false, walk->h, after);
    const int64_t   updates = (int64_t)tally->updates - after->n.updates;
    const int64_t   solves = (int64_t)(tally->accepted_solves + tally->failed_solves);
    after->n.updates += updates;
    after->n.updates_this_step += updates;
    after->n.stagnated_solves = (int64_t)tally->stagnated_solves;
    if (implicit && (adaptive || !sight->accepted || lost || sight->level > 0 || piece.cut))
        after->n.other_solves += solves - walk->solves;
    if (!implicit && (adaptive || (sight->accepted && !lost && !piece.last)))
        ++after->n.other_solves;
    walk->solves = solves;
    after->unsolved = (double)tally->failed_solves;
    if (implicit && !adaptive)
        after->n.failed_solves = (int64_t)tally->failed_solves;
    if (implicit) {
        after->n.depth_max = sight->stepping->depth_max;
        after->n.jacobians =
            group->newton.modified ? (int64_t)tally->jacobians : after->n.jacobians + (sight->end == SOLVE_SINGULAR);
    }
    if (walk->records[RECORD_CONDITION]) {
        after->condition.last = tally->condition_last;
        after->condition.largest = isnan(tally->condition_max) ? 0.0 : tally->condition_max;
    }
    if (walk->records[RECORD_CONDITION_MEAN] && group->dofs > 1)
        after->condition.log_sum = tally->condition_log_sum;
}

// The place at a break before it is passed.
static void see_break(ReferenceWalk *walk, const SteppingSight *sight)
{
    WalkState *after = &walk->seen[1];
    *(walk->group->method->adaptive ? &after->reached : &after->begun) = sight->begun;
    after->passed = sight->passed;
    after->next = sight->time;
    after->gap = sight->gap;
}

static void see(const SteppingSight *sight, void *user)
{
    ReferenceWalk *walk = user;
    WalkState     *after = &walk->seen[1];
    if (!walk->ok || walk->ended)
        return;
    const Tangents *tangents = walk->run->tangents;
    if (!sight->step && !sight->passing) {
        walk->now = *sight->next;
        if (tangents)
            memcpy(walk->tangents, tangents->now, tangents_bytes(tangents));
        walk->ended = !method_is_finite(&walk->now, walk->group->dofs);
        return;
    }
    after->step = (int64_t)sight->number;
    after->index = sight->index;
    after->level = sight->level;
    after->reached = sight->reached;
    if (sight->passing)
        see_break(walk, sight);
    else
        see_breaks(sight->stepping, after);
    if (!sight->passing && !walk->group->method->adaptive)
        after->begun = sight->stepping->begun;
    complete(walk, sight->stepping);
    show(walk);
    walk->passing = sight->passing;
    if (sight->passing) {
        walk->now = *sight->next;
        walk->accepted = true;
        return;
    }
    if (sight->accepted) {
        walk->now = *sight->next;
        memcpy(walk->taken, walk->tried, walk->group->method->scratch_count * sizeof *walk->tried);
        if (tangents)
            memcpy(walk->tangents, tangents->next, tangents_bytes(tangents));
    } else if (sight->level < walk->group->substeps.max_depth) {
        walk->now.earlier_count = 0;
    }
    walk->accepted = sight->accepted;
    walk->length = sight->step->h;
    add_tally(walk, sight);
}

static void end(const Stepping *stepping, void *user)
{
    ReferenceWalk *walk = user;
    WalkState     *after = &walk->seen[1];
    const bool budget = stepping->status == STATUS_BUDGET_EXCEEDED, failed = !budget && stepping->status != STATUS_OK;
    if (!walk->ok || walk->ended)
        return;
    if (walk->passing)
        move_past(walk, stepping, after);
    else if (walk->began && !failed)
        move_on(walk, stepping, after);
    after->status = failed ? stepping->status : STATUS_NOT_RUN;
    complete(walk, stepping);
    show(walk);
    if (budget && walk->ok) {
        after->status = STATUS_BUDGET_EXCEEDED;
        show(walk);
    }
}

bool reference_walk_make(const Group *group, const bool *records, Arena *arena, ReferenceWalk *walk, Error *err)
{
    *walk = (ReferenceWalk){.group = group, .records = records, .rows = compose_rows(group).state};
    const size_t scratch = group->method->scratch_count + 1,
                 tangents = group->derivative_count * walk_vectors(group) * group->dofs + 1;
    return (walk->tangents = arena_take(arena, tangents, sizeof(double), err)) &&
           (walk->tried = arena_take(arena, scratch, sizeof *walk->tried, err)) &&
           (walk->taken = arena_take(arena, scratch, sizeof *walk->taken, err)) &&
           (walk->numbers[0] = arena_take(arena, walk->rows, sizeof(double), err)) &&
           (walk->numbers[1] = arena_take(arena, walk->rows, sizeof(double), err));
}

bool reference_walk_point(ReferenceWalk *walk, PointRun *run, uint32_t place, Error *err)
{
    const SteppingWatch watch = {.see = see, .end = end, .user = walk, .scratch = walk->tried};
    const uint64_t      point = run->batch->first_point + place;
    walk->run = run;
    walk->place = place;
    walk->began = walk->ended = walk->passing = false;
    walk->solves = 0;
    walk->h = point_input_number(run->plan, group_step(walk->group, point));
    walk->ok = true;
    walk->err = err;
    walk->seen[1] = (WalkState){.condition = {.last = NAN, .product = 1.0}, .proposed = walk->h};
    run->watch = &watch;
    const bool ok = point_run(run, point, err) && walk->ok;
    run->watch = NULL;
    return ok;
}
