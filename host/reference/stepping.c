// stepping -- recursion of halved steps, as in the paper; substeps chosen by an error estimate.
#include "reference/stepping.h"

#include "reference/eigen.h"
#include "reference/tangents.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Positions inside a step are whole numbers of its smallest part.
enum { FINEST_LEVEL = 20 };

static bool end_with(Stepping *stepping, Status status)
{
    stepping->status = status;
    return false;
}

static bool must_stop(Stepping *stepping)
{
    stepping->stopped = stepping->stop && *stepping->stop;
    return stepping->stopped;
}

static Status status_of_failure(SolveEnd end, int max_depth)
{
    if (end == SOLVE_SINGULAR)
        return STATUS_SINGULAR;
    if (end == SOLVE_NOT_FINITE)
        return STATUS_NOT_FINITE;
    return max_depth == 0 ? STATUS_NEWTON_FAILED : STATUS_DEPTH_EXCEEDED;
}

static double (*scratch_of(const Stepping *stepping))[REFERENCE_DOFS]
{
    if (stepping->watch && stepping->watch->scratch)
        return stepping->watch->scratch;
    return stepping->arcs ? stepping->arcs->scratch : NULL;
}

static void show(const Stepping *stepping, SteppingSight sight)
{
    if (!stepping->watch)
        return;
    sight.number = stepping->steps;
    sight.updates = stepping->tally.updates;
    sight.stepping = stepping;
    stepping->watch->see(&sight, stepping->watch->user);
}

// Between steps the state u of a first-order system stands in x; within a step it stands in v, and x begins at 0
// (kernels/first_order.h).
static void enter(const Step *step, State *state)
{
    for (size_t i = 0; step->problem->first_order && i < step->problem->dofs; ++i) {
        state->v[i] = state->x[i];
        state->x[i] = 0.0;
    }
}

static void copy_entered(const Step *step, State *to, const State *from)
{
    step_copy_state(step->problem->dofs, to, from);
    enter(step, to);
}

static void leave(const Step *step, State *state)
{
    for (size_t i = 0; step->problem->first_order && i < step->problem->dofs; ++i) {
        state->x[i] = state->v[i];
        state->v[i] = 0.0;
    }
}

// The size of a velocity, or the least one that the sweep file sets.
static double at_least(const Step *step, size_t i, double velocity)
{
    return fmax(step->rules->least[i], fabs(velocity));
}

// Forces see times between both breaks, by 16 roundings.
static void set_window(Stepping *stepping)
{
    const SteppingBreaks *at = stepping->breaks;
    const double next = breaks_next(at->group, at->numbers, at->passed), near = breaks_near(stepping->single, 1.0);
    stepping->step.from = at->passed * (1.0 + near);
    stepping->step.below = next * (1.0 - near);
}

// Sets what entries set that have a time after the last break up to the break at `time`, or rounding beside it.
static void pass_break(Stepping *stepping, double time, State *state)
{
    SteppingBreaks *at = stepping->breaks;
    const Breaks   *breaks = at->group->breaks;
    const double    near = time + breaks_near(stepping->single, time), *numbers = at->numbers;
    double          passed = time;
    for (size_t i = 0; i < breaks->count; ++i) {
        const BreakEntry *entry = &breaks->list[i];
        State             old;
        step_copy_state(at->group->dofs, &old, state);
        passed = fmax(passed, breaks_until(entry, numbers, near));
        for (size_t k = 0; breaks_after(entry, numbers, at->passed) <= near && k < entry->set_count; ++k) {
            const BreakSet *set = &entry->sets[k];
            double         *to = set->velocity ? state->v : state->x;
            to[set->dof] = breaks_set_value(set, time, old.x, old.v, at->values);
        }
        numbers += entry->at_count + (entry->repeats ? 2 : 0);
    }
    at->passed = passed;
    at->gap = 0.0;
    set_window(stepping);
    state->spacing = 0.0;  // no guess reaches back over a break
}

static void begin_breaks(Stepping *stepping, State *state)
{
    SteppingBreaks *at = stepping->breaks;
    at->passed = -DBL_MIN;
    const double next = breaks_next(at->group, at->numbers, at->passed);
    set_window(stepping);
    if (next <= 0.0)
        pass_break(stepping, next, state);
}

// Completes a state by the vectors that the method keeps beside it.
static void complete(Stepping *stepping, State *state)
{
    for (size_t i = 0; i < stepping->step.problem->dofs; ++i)
        state->scale[i] = at_least(&stepping->step, i, stepping->step.problem->first_order ? state->x[i] : state->v[i]);
    enter(&stepping->step, state);
    stepping->step.t = stepping->begin;
    method_start(&stepping->step, state);
    leave(&stepping->step, state);
}

void stepping_start(Stepping *stepping, State *state)
{
    if (stepping->breaks)
        begin_breaks(stepping, state);
    complete(stepping, state);
    if (stepping->crossings)
        crossing_begin(stepping->crossings, stepping->begin, state);
}

// Keeps the sizes of velocities, of which a 512th is forgotten in a substep.
static void keep_scale(const Step *step, State *next)
{
    for (size_t i = 0; i < step->problem->dofs; ++i)
        next->scale[i] = fmax(step->now->scale[i] * (511.0 / 512.0), at_least(step, i, next->v[i]));
}

SolveEnd stepping_step(Step step, Tally *tally, State *next)
{
    State now, previous;
    copy_entered(&step, &now, step.now);
    step.now = &now;
    if (step.previous) {
        copy_entered(&step, &previous, step.previous);
        step.previous = &previous;
    }
    step_copy_state(step.problem->dofs, next, &now);
    const SolveEnd end = method_step(&step, tally, next);
    keep_scale(&step, next);
    leave(&step, next);
    return end;
}

SolveEnd stepping_trial(Step step, Tally *tally, State *next, double *error)
{
    State now;
    copy_entered(&step, &now, step.now);
    step.now = &now;
    step_copy_state(step.problem->dofs, next, &now);
    const SolveEnd end = method_trial(&step, tally, next, error);
    keep_scale(&step, next);
    leave(&step, next);
    return end;
}

// Whether an event was met that has not passed.
static bool at_event(const Stepping *stepping)
{
    return stepping->crossings && stepping->crossings->at;
}

// The updates, or the trials of an explicit method, that count towards no budget.
static uint64_t spared(const Stepping *stepping)
{
    return stepping->crossings ? stepping->crossings->spared : 0;
}

// What became of a substep that was accepted.
typedef enum CrossingSearch { SEARCH_NONE, SEARCH_FOUND, SEARCH_FAILED, SEARCH_UNRESOLVED } CrossingSearch;

// Takes the substep again with another length.
//   first  the sight of the first try
static SolveEnd try_again(Stepping *stepping, const SteppingSight *first, Step *step, double length, State *next)
{
    const uint64_t before = stepping->tally.updates;
    const bool     adaptive = stepping->step.method->adaptive;
    double         error = 0.0;
    step->h = length;
    // The method's starter takes another length than that of its earlier point.
    step->previous = length != step->spacing && !stepping->keeps_history ? NULL : first->step->previous;
    const SolveEnd end =
        adaptive ? stepping_trial(*step, &stepping->tally, next, &error) : stepping_step(*step, &stepping->tally, next);
    const bool fine = end == SOLVE_ACCEPTED && isfinite(error);
    stepping->trials += adaptive;
    stepping->crossings->spared += stepping->step.method->implicit ? stepping->tally.updates - before : adaptive;
    SteppingSight sight = *first;
    sight.step = step;
    sight.error = adaptive ? error : (double)NAN;
    sight.accepted = fine;
    sight.end = fine || end != SOLVE_ACCEPTED ? end : SOLVE_FAILED;
    sight.next = next;
    show(stepping, sight);
    return sight.end;
}

// Looks whether an event lies within an accepted substep. Where one does, its place is found by halving, and the
// substep is taken up to it.
//   first    the sight of the substep, `reached` being how far into the full step it begins
//   next     its end; written
static CrossingSearch search(Stepping *stepping, const SteppingSight *first, State *next)
{
    Crossings *crossings = stepping->crossings;
    Step       step = *first->step;
    double     low = 0.0, high = step.h;
    bool       crossed[EVENTS_MOST];
    if (!crossings)
        return SEARCH_NONE;
    if (!crossing_found(crossings, step.t + step.h, next, crossings->crossed)) {
        crossing_see(crossings, step.t + step.h, next);
        return SEARCH_NONE;
    }
    while (high - low > CROSSING_WIDTH(stepping->single) * stepping->h) {
        const double middle = 0.5 * (low + high);
        State        there;
        if (middle <= low || middle >= high)
            break;
        if (try_again(stepping, first, &step, middle, &there) != SOLVE_ACCEPTED)
            return SEARCH_FAILED;
        ++stepping->pieces;
        if (crossing_found(crossings, step.t + middle, &there, crossed)) {
            memcpy(crossings->crossed, crossed, sizeof crossed);
            high = middle;
        } else {
            low = middle;
        }
    }
    ++stepping->pieces;  // the first try moved no state
    if (try_again(stepping, first, &step, high, next) != SOLVE_ACCEPTED)
        return SEARCH_FAILED;
    if (low == 0.0 && !crossing_left(crossings, step.t, step.now))
        return SEARCH_UNRESOLVED;
    crossing_see(crossings, step.t + high, next);
    crossings->at = true;
    crossings->length = high;
    crossings->reached = first->reached + high;
    return SEARCH_FOUND;
}

// An earlier point, if there is one, how far back it is, and its derivatives.
typedef struct Earlier {
    const State  *state;
    double        spacing;
    const double *tangents;
} Earlier;

// Advances over the part of the step that begins at `index` (in 2^-20 of the step) and is 2^-level of it long.
static bool advance(Stepping *stepping, int level, unsigned index, Earlier earlier, State *state)
{
    const ReferenceMethod *method = stepping->step.method;
    if (must_stop(stepping))
        return false;
    if (method->implicit && stepping->tally.updates - spared(stepping) >= stepping->update_budget)
        return end_with(stepping, STATUS_BUDGET_EXCEEDED);
    if (level > stepping->depth_max)
        stepping->depth_max = level;

    Step step = stepping->step;
    step.t = stepping->begin + (stepping->length == stepping->h
                                    ? ((double)stepping->steps + ldexp((double)index, -FINEST_LEVEL)) * stepping->h
                                    : (double)stepping->steps * stepping->h + stepping->begun +
                                          ldexp((double)index, -FINEST_LEVEL) * stepping->length);
    step.h = ldexp(stepping->length, -level);
    step.now = state;
    step.previous = method->history ? earlier.state : NULL;
    step.spacing = earlier.spacing;
    step.previous_tangents = earlier.tangents;
    step.scratch = scratch_of(stepping);
    State    next;
    SolveEnd end = stepping_step(step, &stepping->tally, &next);
    show(stepping, (SteppingSight){.step = &step,
                                   .index = index,
                                   .level = level,
                                   .error = NAN,
                                   .accepted = end == SOLVE_ACCEPTED,
                                   .end = end,
                                   .next = &next});
    const bool           finite = method_is_finite(&next, step.problem->dofs);
    const SteppingSight  first = {.step = &step,
                                  .index = index,
                                  .level = level,
                                  .reached = stepping->begun + ldexp((double)index, -FINEST_LEVEL) * stepping->length};
    const CrossingSearch found = end == SOLVE_ACCEPTED && finite ? search(stepping, &first, &next) : SEARCH_NONE;
    if (found == SEARCH_UNRESOLVED)
        return end_with(stepping, STATUS_CHATTER);
    if (end == SOLVE_ACCEPTED && found != SEARCH_FAILED) {
        step_copy_state(stepping->step.problem->dofs, state, &next);
        tangents_take(step.tangents);
        stepping->substeps += found == SEARCH_FOUND ? stepping->crossings->length < stepping->h
                                                    : level > 0 || (finite && stepping->length < stepping->h);
        return finite || end_with(stepping, STATUS_NOT_FINITE);
    }
    if (level == stepping->max_depth)
        return end_with(stepping, status_of_failure(end, stepping->max_depth));

    // Two substeps. Nothing precedes the first at its own spacing; the start precedes the second. Accelerations before
    // that are none to extrapolate from, be they at its spacing: a guess begins anew where a solve has failed.
    state->earlier_count = 0;
    State         start;
    const double *tangents = tangents_split(step.tangents, level);
    unsigned      half = 1u << (FINEST_LEVEL - level - 1);
    step_copy_state(step.problem->dofs, &start, state);
    return advance(stepping, level + 1, index, stepping->keeps_history ? earlier : (Earlier){0}, state) &&
           (at_event(stepping) ||
            advance(stepping, level + 1, index + half, (Earlier){&start, step.h / 2.0, tangents}, state));
}

// Factor on the length of the next trial: 0.9 of the length that would have met the tolerance, not far from the present
// one.
static double growth(const Stepping *stepping, double error, bool taken)
{
    if (!isfinite(error))
        return 0.2;
    double factor = 0.9 * pow(fmax(error, 1e-10), -1.0 / stepping->step.method->card->error_order);
    return fmin(fmax(factor, 0.2), taken ? 5.0 : 1.0);
}

// The size from which on no smaller substep is tried.
static double least_size(const Stepping *stepping, double reached)
{
    return fmax(stepping->h * LEAST_OF_STEP(stepping->single), reached * LEAST_OF_REACHED(stepping->single));
}

// *taken: whether the substep is taken, its error being permitted, or no smaller substep being left.
static SolveEnd trial(Stepping *stepping, double reached, double size, const State *state, State *next, double *error,
                      bool *taken)
{
    Step step = stepping->step;
    step.t = (double)stepping->steps * stepping->h + stepping->begin + reached;
    step.h = size;
    step.now = state;
    step.scratch = scratch_of(stepping);
    const SolveEnd end = stepping_trial(step, &stepping->tally, next, error);
    const bool     forced = size <= least_size(stepping, reached) && isfinite(*error) && *error > 1.0;
    *taken = *error <= 1.0 || forced;
    decisions_note(stepping->tally.decisions, *error, 1.0);
    show(stepping, (SteppingSight){.step = &step,
                                   .reached = reached,
                                   .error = *error,
                                   .accepted = *taken,
                                   .end = end == SOLVE_ACCEPTED && !*taken ? SOLVE_FAILED : end,
                                   .next = next});
    return end;
}

// Looks for an event within a substep that was taken.
static CrossingSearch search_trial(Stepping *stepping, const State *state, double reached, double size, State *next)
{
    Step step = stepping->step;
    step.t = (double)stepping->steps * stepping->h + stepping->begin + reached;
    step.h = size;
    step.now = state;
    return search(stepping, &(SteppingSight){.step = &step, .reached = reached}, next);
}

// Why a trial ends the point that cannot be made with a shorter substep.
static Status status_of_trial(SolveEnd end)
{
    return end != SOLVE_ACCEPTED ? status_of_failure(end, FINEST_LEVEL) : STATUS_NOT_FINITE;
}

// Hairer, Norsett and Wanner 1993, section II.4. The grid on which a trajectory is observed stays: the last substep of
// a step ends where the step does, and the length proposed before that cut is kept.
static bool advance_by_error(Stepping *stepping, State *state)
{
    double h = stepping->h, reached = stepping->begun, to = stepping->begun + stepping->length;
    for (;;) {
        if (must_stop(stepping))
            return false;
        if ((stepping->step.method->implicit ? stepping->tally.updates : stepping->trials) - spared(stepping) >=
            stepping->update_budget)
            return end_with(stepping, STATUS_BUDGET_EXCEEDED);
        ++stepping->trials;

        double         left = to - reached;
        bool           last = stepping->proposed >= left;
        double         size = last ? left : stepping->proposed;
        State          next;
        double         error;
        bool           taken;
        const SolveEnd end = trial(stepping, reached, size, state, &next, &error, &taken);
        double         suited = fmax(size * growth(stepping, error, taken), least_size(stepping, reached));
        stepping->proposed = fmin(h, taken && last ? fmax(suited, stepping->proposed) : suited);
        if (!taken) {
            ++stepping->rejected;
            if (size <= least_size(stepping, reached))
                return end_with(stepping, status_of_trial(end));
            continue;
        }
        const CrossingSearch found = search_trial(stepping, state, reached, size, &next);
        if (found == SEARCH_UNRESOLVED)
            return end_with(stepping, STATUS_CHATTER);
        if (found == SEARCH_FAILED) {
            ++stepping->rejected;
            stepping->proposed = fmax(0.2 * size, least_size(stepping, reached));
            continue;
        }
        if (stepping->arcs)
            stepping->arcs->see(stepping,
                                &(SteppingArc){.from = reached,
                                               .reached = last ? 0.0 : reached + size,
                                               .h = size,
                                               .ended = last,
                                               .begun = state,
                                               .end = &next,
                                               .scratch = scratch_of(stepping)},
                                stepping->arcs->user);
        step_copy_state(stepping->step.problem->dofs, state, &next);
        tangents_take(stepping->step.tangents);
        stepping->substeps += (found == SEARCH_FOUND ? stepping->crossings->length : size) < h;
        stepping->forced += error > 1.0 && found == SEARCH_NONE;
        if (last || found == SEARCH_FOUND)
            return true;
        reached += size;
    }
}

// Takes a piece of a step, or a whole one.
static bool advance_piece(Stepping *stepping, double begun, double length, Earlier earlier, State *state)
{
    stepping->begun = begun;
    stepping->length = length;
    if (earlier.spacing != length && !stepping->keeps_history)
        earlier.state = NULL;
    return stepping->step.method->adaptive ? advance_by_error(stepping, state)
                                           : advance(stepping, 0, 0, earlier, state);
}

// Takes the method past a break: it begins anew, but for the sizes of velocities, which are no smaller than before.
static bool begin_anew(Stepping *stepping, double begun, double time, State *state)
{
    const size_t  n = stepping->step.problem->dofs;
    SteppingSight sight = {.passing = true,
                           .begun = begun,
                           .passed = stepping->breaks->passed,
                           .time = time,
                           .gap = stepping->breaks->gap,
                           .next = state};
    double        scale[REFERENCE_DOFS];
    memcpy(scale, state->scale, sizeof scale);
    State before;
    step_copy_state(n, &before, state);
    pass_break(stepping, time, state);
    complete(stepping, state);
    if (stepping->crossings)
        crossing_anew(stepping->crossings, time, &before, state);
    for (size_t i = 0; i < n; ++i)
        state->scale[i] = fmax(state->scale[i], scale[i]);
    show(stepping, sight);
    return method_is_finite(state, n) || end_with(stepping, STATUS_NOT_FINITE);
}

// Takes the method past an event: states are set, and it begins anew as at a break.
static bool pass_event(Stepping *stepping, double begun, State *state)
{
    Crossings   *crossings = stepping->crossings;
    const size_t n = stepping->step.problem->dofs;
    const double t = (double)stepping->steps * stepping->h + stepping->begin + begun;
    State        before;
    step_copy_state(n, &before, state);
    crossing_pass(crossings, t, state);
    crossings->at = false;
    stepping->breaks->gap = 0.0;
    state->spacing = 0.0;
    complete(stepping, state);
    for (size_t i = 0; i < n; ++i)
        state->scale[i] = fmax(state->scale[i], before.scale[i]);
    const bool against = crossing_against(crossings, t, &before, state);
    crossing_anew(crossings, t, &before, state);
    show(stepping, (SteppingSight){
                       .passing = true, .begun = begun, .passed = stepping->breaks->passed, .time = t, .next = state});
    if (!method_is_finite(state, n))
        return end_with(stepping, STATUS_NOT_FINITE);
    return crossings->stopped || !(against || crossings->places > CROSSINGS_OF_STEP) ||
           end_with(stepping, STATUS_CHATTER);
}

// Takes a step in the pieces that its breaks and events leave.
static bool advance_between(Stepping *stepping, State *state)
{
    SteppingBreaks *at = stepping->breaks;
    const size_t    n = stepping->step.problem->dofs;
    const double    h = stepping->h, t = (double)stepping->steps * h, near = breaks_near(stepping->single, t + h);
    double          begun = 0.0;
    for (;;) {
        const double time = breaks_next(at->group, at->numbers, at->passed), to_break = time - t;
        if (to_break <= begun + near) {
            if (!begin_anew(stepping, begun, time, state))
                return false;
        } else if (begun < h) {
            const double end = to_break < h - near ? to_break : h;
            State        start;
            step_copy_state(n, &start, state);
            if (!advance_piece(stepping, begun, end - begun,
                               (Earlier){at->gap > 0.0 ? &at->before : NULL, at->gap, NULL}, state))
                return false;
            if (at_event(stepping)) {
                begun = end - stepping->crossings->reached <= near ? end : stepping->crossings->reached;
                stepping->pieces += begun < h;
                if (!pass_event(stepping, begun, state))
                    return false;
                if (stepping->crossings->stopped)
                    return begun >= h;
                continue;
            }
            if (end - begun < h)
                state->spacing = 0.0;
            stepping->pieces += end < h;
            at->gap = end - begun;
            step_copy_state(n, &at->before, &start);
            begun = end;
        } else {
            return true;
        }
    }
}

bool stepping_advance(Stepping *stepping, const State *previous, State *state)
{
    uint64_t      before = stepping->tally.updates;
    Tangents     *tangents = stepping->step.tangents;
    const Earlier earlier = {previous, stepping->h, tangents ? tangents->before : NULL};
    tangents_enter_step(tangents);
    if (!(stepping->breaks ? advance_between(stepping, state)
                           : advance_piece(stepping, 0.0, stepping->h, earlier, state)))
        return false;
    tangents_leave_step(tangents);
    uint64_t spent = stepping->tally.updates - before;
    if (spent > stepping->updates_per_step_max)
        stepping->updates_per_step_max = spent;
    ++stepping->steps;
    if (stepping->crossings)
        stepping->crossings->places = 0;
    return true;
}
