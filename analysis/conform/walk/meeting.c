// meeting -- brackets, sides and places.
#include "analysis/conform/walk/meeting.h"

#include "analysis/conform/judgement/scalars.h"
#include "reference/crossing.h"

#include <math.h>
#include <string.h>

static double rounded(const CertifyRules *rules, double number)
{
    return rules->single ? (double)(float)number : number;
}

// What formulas are asked at.
typedef struct Asked {
    Sight        sight;
    GaugeProblem problem;
    Ball         x[GAUGE_DOFS], v[GAUGE_DOFS];
} Asked;

static void find_rates(const void *found_by, Scalar which, Ball t, const Ball *x, const Ball *v, Ball *numbers)
{
    (void)which;  // the formulas ask for nothing else
    scalars_acceleration(found_by, t, x, v, false, numbers);
}

static void ask(const CertifyRules *rules, const ExactPoint *point, Ball t, const WalkState *state, Asked *asked)
{
    for (size_t i = 0; i < point->dofs; ++i) {
        asked->x[i] = ball(state->x[i]);
        asked->v[i] = ball(state->v[i]);
    }
    for (size_t i = 0; i < point->problem->parameter_count; ++i)
        point->numbers[i] = (double)point->values[i];
    asked->problem = gauge_problem(point->problem, point->dofs, find_rates, point);
    asked->sight = (Sight){.problem = &asked->problem,
                           .u = point->unit,
                           .single = rules->single,
                           .t = (double)t.at,
                           .t_off = t.off,
                           .x = asked->x,
                           .v = asked->v,
                           .parameters = point->numbers};
}

static Ball value_of(const CertifyRules *rules, const Asked *asked, size_t event)
{
    return gauge_formula(&asked->sight, rules->group->events->list[event].when);
}

static Ball slope_of(const CertifyRules *rules, const Asked *asked, size_t event)
{
    return gauge_formula(&asked->sight, rules->group->events->list[event].slope);
}

// Whether a number may have that sign; 0 only where it may be 0.
static bool may_be(Ball number, double side)
{
    const long double signed_at = number.at * (side < 0.0 ? -1.0L : 1.0L);
    return isnan(number.at) || isnan(number.off) ||
           (side == 0.0 ? fabsl(number.at) <= number.off : signed_at > -number.off);
}

static long double most(Ball number)
{
    return fabsl(number.at) + number.off;
}

static long double least(Ball number)
{
    return fmaxl(fabsl(number.at) - number.off, 0.0L);
}

static bool looks(const EventEntry *entry, double side)
{
    return side < 0.0 ? entry->direction != EVENT_DOWN : side > 0.0 && entry->direction != EVENT_UP;
}

static bool same_numbers(const double *a, const double *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

// Numbers and times of events stay until one passes, and where the point ends; the number of places of a step until it
// ends.
static const char *check_counts(const CertifyRules *rules, const WalkState *before, const WalkState *after)
{
    const Events *events = rules->group->events;
    if (!same_numbers(before->seen, after->seen, events->count) ||
        !same_numbers(before->times, after->times, events->times) || before->ended != after->ended)
        return "events where none passes";
    return after->crowd == (after->step > before->step ? 0.0 : before->crowd) ? NULL : "the places of events in a step";
}

const char *meeting_begin(const CertifyRules *rules, const ExactPoint *point, const WalkState *state)
{
    const Events *events = rules->group->events;
    Asked         asked;
    bool fine = events && state->low == 0.0 && state->high == 0.0 && state->spared == 0.0 && state->crowd == 0.0;
    if (!events)
        return NULL;
    if (!fine || state->ended != rounded(rules, (double)rules->steps * rules->h))
        return "the search for events of a point that begins";
    ask(rules, point, ball(0.0L), state, &asked);
    for (size_t i = 0; i < events->count; ++i) {
        const Ball value = value_of(rules, &asked, i);
        const bool by_value = state->side[i] != 0.0 && may_be(value, state->side[i]),
                   by_slope = may_be(value, 0.0) && may_be(slope_of(rules, &asked, i), state->side[i]);
        if (!by_value && !by_slope)
            return "the side of an event where a point begins";
        fine = fine && state->seen[i] == 0.0;
    }
    for (size_t i = 0; i < events->times; ++i)
        fine = fine && isnan(state->times[i]);
    return fine ? NULL : "events of a point that begins";
}

bool meeting_holds(const CertifyRules *rules, const WalkState *before, const WalkState *after)
{
    return rules->group->events && after->high > 0.0 && after->n.failed_solves == before->n.failed_solves &&
           after->status == STATUS_NOT_RUN;
}

bool meeting_ends(const CertifyRules *rules, const WalkState *before, const WalkState *after)
{
    return rules->group->events && before->high >= 0.0 && after->high < 0.0;
}

// The updates, or trials of an explicit method, that a try spares the budget.
static double spares(const CertifyRules *rules, const WalkState *before, const WalkState *after)
{
    const bool implicit = rules->group->method->unknown != UNKNOWN_NONE;
    if (!(before->high > 0.0))
        return 0.0;
    return implicit ? (double)(after->n.updates - before->n.updates) : rules->group->method->adaptive;
}

const char *meeting_held(const CertifyRules *rules, const WalkState *before, const WalkState *after, double size)
{
    const Card   *method = rules->group->method;
    const size_t  count = rules->group->events->count;
    const bool    implicit = method->unknown != UNKNOWN_NONE, searching = before->high > 0.0;
    const int64_t solves = after->n.other_solves - before->n.other_solves,
                  updates = after->n.updates - before->n.updates,
                  deepest = before->level > before->n.depth_max ? before->level : before->n.depth_max;
    const bool  moved = searching ? size > before->low && size < before->high &&
                                       ((after->low == before->low && after->high == size) ||
                                        (after->low == size && after->high == before->high))
                                  : after->low == 0.0 && after->high == size;
    const char *wrong = check_counts(rules, before, after);
    if (wrong)
        return wrong;
    if (!moved)
        return "the bracket of a search";
    if (!same_numbers(before->side, after->side, count))
        return "a side that must not change";
    if (after->spared != before->spared + spares(rules, before, after))
        return "trials that count towards no budget";
    if (after->step != before->step || after->index != before->index || after->level != before->level ||
        after->passed != before->passed || after->next != before->next || after->gap != before->gap ||
        (method->adaptive ? after->reached != before->reached : after->begun != before->begun))
        return "the place in time of a trial";
    if (solves != (implicit ? method->stages : 1) || updates < (implicit ? method->stages : 0) ||
        (!implicit && updates != 0) ||
        (implicit && after->n.updates_this_step != before->n.updates_this_step + updates) ||
        after->n.substeps != before->n.substeps || after->n.halved_steps != before->n.halved_steps ||
        after->n.depth_max != (implicit && !method->adaptive ? deepest : before->n.depth_max) ||
        after->n.updates_per_step_max != before->n.updates_per_step_max ||
        (method->adaptive && (after->unsolved != before->unsolved || after->forced != before->forced)))
        return "counters of a trial";
    if (!method->adaptive)
        return NULL;
    const double longest = fmin(5.0 * size * (1.0 + 0x1p-20), rules->h);
    return searching ? (after->proposed == before->proposed ? NULL : "the size proposed before an event")
           : after->proposed >= fmin(0.2 * size * (1.0 - 0x1p-20), rules->h) &&
                   after->proposed <= fmax(longest, before->proposed)
               ? NULL
               : "the size proposed in a search";
}

double meeting_place(const CertifyRules *rules, const WalkState *before)
{
    const StepPiece piece = piece_of(rules->group, rules->single, rules->h, before);
    const double    part = rounded(rules, rounded(rules, ldexp((double)before->index, -MOST_DEPTH)) * piece.length),
                 reached = rules->group->method->adaptive
                               ? rounded(rules, before->reached + piece.sought)
                               : rounded(rules, piece.begun + rounded(rules, part + piece.sought)),
                 from = rounded(rules, (double)before->step * rules->h),
                 near = rounded(rules, breaks_near(rules->single, rounded(rules, from + rules->h)));
    return rounded(rules, piece.end - reached) <= near ? piece.end : reached;
}

// How fast a formula may change with the length of the substep: by its slopes at both ends and by its values there.
static long double rate(Ball before, Ball after, Ball slope_before, Ball slope_after, double size)
{
    return 4.0L * (most(slope_before) + most(slope_after) + (most(before) + most(after)) / size);
}

// How far the numbers of two tries of nearly one length may be apart for rounding, and where solves end at a tolerance.
static void widen(const CertifyRules *rules, const CertificateSubstep *substep, double size, Asked *asked)
{
    const WalkState  *before = &substep->before;
    const bool        implicit = rules->group->method->unknown != UNKNOWN_NONE;
    const long double part = 64.0L * asked->sight.u + (implicit ? 16.0L * (long double)substep->tolerance : 0.0L);
    for (size_t i = 0; i < rules->group->dofs; ++i) {
        const long double v = fabsl(asked->v[i].at) + fabs(before->v[i]);
        asked->x[i].off =
            part * ((rules->group->problem->first_order ? fabsl(asked->x[i].at) : 0.0L) + (long double)size * v) +
            64.0L * asked->sight.u * (fabsl(asked->x[i].at) + fabs(before->x[i]));
        asked->v[i].off = part * v;
    }
}

// Judges the end of a substep that ends at an event.
static const char *check_event(const CertifyRules *rules, const CertificateSubstep *substep, double size, Asked *begun,
                               Asked *ended)
{
    const WalkState *before = &substep->before, *after = &substep->after;
    const Events    *events = rules->group->events;
    const double     width = before->high - before->low;
    Asked            wide = *ended;
    bool             any = false, near = false, left = false, may_leave = false;
    widen(rules, substep, size, &wide);
    wide.sight.x = wide.x;
    wide.sight.v = wide.v;
    wide.sight.problem = &wide.problem;
    for (size_t i = 0; i < events->count; ++i) {
        const Ball   value = value_of(rules, ended, i), old = value_of(rules, begun, i);
        const double side = before->side[i];
        const bool   crossed = after->side[i] == 2.0 * side && side != 0.0;
        if (!crossed && looks(&events->list[i], side) && !may_be(value, side))
            return "an event that was not found beside another";
        if (!crossed && !may_be(value, after->side[i]))
            return "the side of a formula at an event";
        if (!crossed)
            continue;
        if (!looks(&events->list[i], side) || !(may_be(value, -side) || may_be(value, 0.0)))
            return "a formula that has not crossed at an event";
        const long double moves =
            rate(old, value, slope_of(rules, begun, i), slope_of(rules, ended, i), size) * (long double)width;
        any = true;
        near = near || !(least(value_of(rules, &wide, i)) > moves);
        left = left || (may_be(old, side) && !may_be(old, 0.0));
        may_leave = may_leave || may_be(old, side);
    }
    if (!any)
        return "an event without a formula that has crossed";
    if (!near)
        return "the place of an event";
    if (size != before->high ||
        !(width <= rules->h * (rules->single ? 0x1p-23 : 0x1p-52) ||
          0.5 * (before->low + before->high) <= before->low || 0.5 * (before->low + before->high) >= before->high))
        return "a bracket that is not closed";
    const bool unresolved = after->status == STATUS_CHATTER;
    if (unresolved ? before->low > 0.0 || left : before->low <= 0.0 && !may_leave)
        return "an event that returns sooner than numbers can tell";
    if (after->step != before->step || after->index != 0 || after->level != 0 || after->low != 0.0 ||
        after->high != -1.0)
        return "the place in time at an event";
    return after->passed == before->passed && after->next == before->next && after->gap == before->gap &&
                   (rules->group->method->adaptive ? after->reached : after->begun) == substep->met
               ? NULL
               : "the place in a step at an event";
}

const char *meeting_taken(const CertifyRules *rules, const CertificateSubstep *substep, double size)
{
    const WalkState *before = &substep->before, *after = &substep->after;
    const Events    *events = rules->group->events;
    Asked            begun, ended;
    if (!events)
        return NULL;
    const char *wrong = check_counts(rules, before, after);
    if (wrong)
        return wrong;
    if (after->spared != before->spared + spares(rules, before, after))
        return "trials that count towards no budget";
    if (!substep->accepted || substep->lost)
        return after->high == 0.0 || substep->lost ? NULL : "a search behind a solve that failed";
    const long double t = (long double)substep->t + (rules->group->method->adaptive ? before->reached : 0.0),
                      off = 16.0L * substep->point->unit * (fabsl(t) + size);
    ask(rules, substep->point, (Ball){t, off}, before, &begun);
    ask(rules, substep->point, (Ball){t + size, off}, after, &ended);
    if (meeting_ends(rules, before, after))
        return check_event(rules, substep, size, &begun, &ended);
    if (after->high != 0.0)
        return "a search behind a substep that was taken";
    for (size_t i = 0; i < events->count; ++i) {
        const Ball value = value_of(rules, &ended, i);
        if (looks(&events->list[i], before->side[i]) && !may_be(value, before->side[i]))
            return "an event that was not found";
        if (!may_be(value, after->side[i]))
            return "the side of a formula";
    }
    return NULL;
}

// Whether what is set leaves a formula as it was: it is computed from the same numbers, by the kernel too.
static bool is_same(Ball before, Ball now)
{
    return before.at == now.at && before.off == now.off;
}

// The sides that a formula may have where a piece begins.
static bool may_begin(const CertifyRules *rules, bool fired, Ball old, Ball now, Ball slope, double kept, double side)
{
    const Ball near = {0.0L, 0x1p-32L * rules->h * most(slope) * (1.0L + 0x1p-20L)};
    const bool may_stay = may_be(now, 0.0) ||
                          (fired && (fabsl(now.at - old.at) <= now.off + old.off || least(now) <= near.off)),
               stays =
                   fired && (is_same(old, now) || most(now) <= 0x1p-32L * rules->h * least(slope) * (1.0L - 0x1p-20L)),
               may_keep = !fired && kept != 0.0 && fabsl(now.at - old.at) <= now.off + old.off,
               keeps = !fired && is_same(old, now) && kept != 0.0;
    return keeps ? side == kept
                 : (may_keep && side == kept) || (may_stay && may_be(slope, side)) ||
                       (!stays && side != 0.0 && may_be(now, side));
}

const char *meeting_passed(const CertifyRules *rules, const ExactPoint *point, const WalkState *before,
                           const WalkState *after, bool *fired, double *t)
{
    const Events *events = rules->group->events;
    const bool    adaptive = rules->group->method->adaptive, implicit = rules->group->method->unknown != UNKNOWN_NONE;
    const double  begun = adaptive ? before->reached : before->begun, later = adaptive ? after->reached : after->begun;
    const StepPiece piece = piece_of(rules->group, rules->single, rules->h, before);
    size_t          first = 0;
    bool            stop = false, against = false, may_be_against = false;
    Asked           old, now;
    *t = rounded(rules, rounded(rules, (double)before->step * rules->h) + begun);
    ask(rules, point, ball(*t), before, &old);
    ask(rules, point, ball(*t), after, &now);
    for (size_t i = 0; i < events->count; first += events->list[i++].times) {
        const EventEntry *entry = &events->list[i];
        const double      side = before->side[i];
        fired[i] = fabs(side) > 1.0;
        if (after->seen[i] != before->seen[i] + fired[i])
            return "the number of events";
        for (size_t k = 0; k < entry->times; ++k) {
            const double must = fired[i] && before->seen[i] == (double)k ? *t : before->times[first + k];
            if (after->times[first + k] != must && !(isnan(must) && isnan(after->times[first + k])))
                return "the time of an event";
        }
        const Ball was = value_of(rules, &old, i), is = value_of(rules, &now, i), slope = slope_of(rules, &now, i),
                   slope_before = slope_of(rules, &old, i);
        if (!may_begin(rules, fired[i], was, is, slope, side, after->side[i]))
            return "the side of a formula past an event";
        stop = stop || (fired[i] && entry->stop);
        if (fired[i] && entry->set_count) {
            const bool at = may_be(is, 0.0) || fabsl(is.at - was.at) <= is.off + was.off ||
                            least(is) <= 0x1p-32L * rules->h * most(slope) * (1.0L + 0x1p-20L),
                       towards = may_be(slope_before, side) || may_be(slope_before, 0.0),
                       back = may_be(slope, -side) || may_be(slope, 0.0);
            may_be_against = may_be_against || (at && towards && back);
            against = against || (is_same(was, is) && !may_be(slope_before, -side) && !may_be(slope, side));
        }
    }
    const bool crowded = before->crowd + 1.0 > (double)CROSSINGS_OF_STEP,
               whole = begun >= rules->h && (stop || !piece.over);
    const bool chatter = after->status == STATUS_CHATTER;
    if (stop ? after->status != STATUS_OK
             : (chatter ? !crowded && !may_be_against : crowded || against) && after->status != STATUS_NOT_FINITE)
        return "the status of a point past an event";
    if (after->ended != (stop ? *t : before->ended))
        return "the time at which a point ends";
    if (after->low != 0.0 || after->high != 0.0 || after->spared != before->spared ||
        after->crowd != (whole ? 0.0 : before->crowd + 1.0))
        return "the search behind an event";
    if (after->step != before->step + whole || after->index != 0 || after->level != 0 ||
        later != (whole ? 0.0 : begun) || after->passed != before->passed || after->next != before->next ||
        after->gap != (whole || stop || !piece.over ? 0.0 : before->gap))
        return "the place in time of a point past an event";
    const bool    ends = begun >= rules->h;
    const int64_t largest = before->n.updates_this_step > before->n.updates_per_step_max
                                ? before->n.updates_this_step
                                : before->n.updates_per_step_max;
    return after->n.substeps == before->n.substeps && after->n.updates == before->n.updates &&
                   after->n.other_solves == before->n.other_solves && after->n.jacobians == before->n.jacobians &&
                   after->n.failed_solves == before->n.failed_solves &&
                   after->n.stagnated_solves == before->n.stagnated_solves &&
                   after->n.depth_max == before->n.depth_max &&
                   after->n.halved_steps == before->n.halved_steps + (ends && implicit && !adaptive) &&
                   after->n.updates_this_step == (ends ? 0 : before->n.updates_this_step) &&
                   after->n.updates_per_step_max == (ends ? largest : before->n.updates_per_step_max) &&
                   memcmp(&before->condition, &after->condition, sizeof before->condition) == 0 &&
                   before->unsolved == after->unsolved && before->forced == after->forced &&
                   (!adaptive || before->proposed == after->proposed)
               ? NULL
               : "counters of a point past an event";
}

const char *meeting_beside(const CertifyRules *rules, const ExactPoint *point, const WalkState *before,
                           const WalkState *after)
{
    const Events *events = rules->group->events;
    Asked         old, now;
    if (!events)
        return NULL;
    const char *wrong = check_counts(rules, before, after);
    if (wrong || after->low != before->low || after->high != 0.0 || before->high != 0.0 ||
        after->spared != before->spared)
        return wrong ? wrong : "the search at a break";
    const double t = before->next;
    ask(rules, point, ball(t), before, &old);
    ask(rules, point, ball(t), after, &now);
    for (size_t i = 0; i < events->count; ++i)
        if (!may_begin(rules, false, value_of(rules, &old, i), value_of(rules, &now, i), slope_of(rules, &now, i),
                       before->side[i], after->side[i]))
            return "the side of a formula past a break";
    return NULL;
}
