// passing -- places among breaks.
#include "analysis/conform/walk/passing.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A time a + k every, which the kernel rounds twice.
static bool is_time(const CertifyRules *rules, double kernel, double time)
{
    return kernel == time || fabs(kernel - time) <= 0.25 * breaks_near(rules->single, fabs(time));
}

// The first break that lies more than rounding behind `passed`.
static bool is_next(const CertifyRules *rules, const WalkState *state)
{
    const double passed = fmax(state->passed, 0.0);
    return is_time(rules, state->next,
                   state->passed < 0.0
                       ? breaks_next(rules->group, rules->numbers, -DBL_MIN)
                       : breaks_next(rules->group, rules->numbers, passed + breaks_near(rules->single, passed)));
}

// The last break up to a time, or rounding beside it; no less than the time.
static double last_until(const CertifyRules *rules, double time)
{
    const Breaks *breaks = rules->group->breaks;
    const double *numbers = rules->numbers, near = time + breaks_near(rules->single, time);
    double        last = time;
    for (size_t i = 0; i < breaks->count; ++i) {
        last = fmax(last, breaks_until(&breaks->list[i], numbers, near));
        numbers += breaks->list[i].at_count + (breaks->list[i].repeats ? 2 : 0);
    }
    return last;
}

const char *passing_begin(const CertifyRules *rules, const WalkState *state)
{
    if (!rules->numbers)
        return NULL;
    const bool at_once = breaks_next(rules->group, rules->numbers, -DBL_MIN) <= 0.0;
    if (at_once ? state->passed != last_until(rules, 0.0) : !(state->passed < 0.0 && state->passed >= -0x1p-90))
        return "the break that a point begins behind";
    if (state->begun != 0.0 || state->gap != 0.0)
        return "the piece of a step that a point begins with";
    return is_next(rules, state) ? NULL : "the first break of a point that begins";
}

bool passing_waited(const CertifyRules *rules, const WalkState *before, const WalkState *after, size_t rows)
{
    return rules->numbers && memcmp(before->x, after->x, rows * sizeof *before->x) == 0;
}

const char *passing_place(const CertifyRules *rules, const StepPiece *piece, const CertificateSubstep *substep)
{
    const WalkState *before = &substep->before, *after = &substep->after;
    const Group     *group = rules->group;
    if (!rules->numbers)
        return NULL;
    const bool arrives = substep->accepted && !substep->lost && piece_arrives(group, piece, rules->single, before),
               ends = arrives && piece_ends_step(group, piece, rules->single, rules->h, before);
    const double begun = group->method->adaptive || ends ? 0.0 : arrives ? piece->end : before->begun;
    if (before->passed != after->passed || before->next != after->next)
        return "breaks that must not move";
    if (after->begun != begun)
        return "where the next piece of a step begins";
    return group->method->history && arrives && after->gap != piece->length ? "the length of a piece of a step" : NULL;
}

const char *passing_check(const CertifyRules *rules, const WalkState *before, const WalkState *after)
{
    const bool   adaptive = rules->group->method->adaptive;
    const double begun = adaptive ? before->reached : before->begun, later = adaptive ? after->reached : after->begun;
    const bool   whole = begun >= rules->h;
    if (after->step != before->step + whole || after->index != 0 || after->level != 0 || before->index != 0 ||
        later != (whole ? 0.0 : begun))
        return "the place in time of a point past a break";
    if (!is_time(rules, after->passed, last_until(rules, before->next)) || after->gap != 0.0)
        return "the break that a point is past";
    if (!is_next(rules, after))
        return "the next break";
    if (memcmp(&before->n, &after->n, sizeof before->n) != 0 ||
        memcmp(&before->condition, &after->condition, sizeof before->condition) != 0 ||
        before->unsolved != after->unsolved || before->forced != after->forced ||
        (adaptive && before->proposed != after->proposed))
        return "counters of a point past a break";
    return NULL;
}
