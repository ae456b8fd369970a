// scalars -- differences that arguments, parameters and functions make as far as rounding may move them.
#include "analysis/conform/judgement/scalars.h"

#include <stdint.h>
#include <string.h>

// Roundings of the least accurate of the kernels' functions: sin^2 is within 5.1 units in the last place, two roundoffs
// each.
enum { FUNCTION_ROUNDINGS = 12 };

// A function asked at a place.
typedef struct Question {
    const Scalars *scalars;
    Scalar         which;
    size_t         count;        // of numbers
    const Ball    *at_x, *at_v;  // [dofs] where it is asked, as far as that is known; NULL: it does not depend on them
    long double    t, *x, *v;    // [dofs]
    long double    t_off;        // how far the time may be off
    const void    *params;
} Question;

static void ask(const Question *q, long double *numbers)
{
    const Exact *exact = q->scalars->exact;
    long double  rates[GAUGE_DOFS];
    switch (q->which) {
    case SCALAR_ENERGY: *numbers = exact->energy(q->x, q->v, q->params); break;
    case SCALAR_KINETIC: *numbers = exact->kinetic(q->x, q->v, q->params); break;
    case SCALAR_FAST: *numbers = exact->fast(q->x, q->params); break;
    case SCALAR_SLOW: *numbers = exact->slow(q->x, q->params); break;
    case SCALAR_PERIOD: *numbers = exact->period(q->params); break;
    case SCALAR_DISSIPATION: *numbers = exact->dissipation(q->x, q->v, q->params); break;
    case SCALAR_POWER:
        exact->drive(q->t, q->params, rates);
        *numbers = 0.0L;
        for (size_t i = 0; i < q->scalars->dofs; ++i)
            *numbers += rates[i] * q->v[i];
        break;
    case SCALAR_RATES: exact->acceleration(q->t, q->x, q->v, q->params, numbers); break;
    case SCALAR_SOLUTION: exact->solution(q->t, q->params, numbers, rates); break;
    case SCALAR_COUNT: break;
    }
}

// The numbers before and after an argument is moved ahead, and the largest change.
typedef struct Change {
    const long double *at;
    long double        ahead[GAUGE_DOFS], widest;
} Change;

static void find_widest(const Question *q, Change *change)
{
    change->widest = 0.0L;
    for (size_t i = 0; i < q->count; ++i)
        change->widest = larger_of(change->widest, fabsl(change->ahead[i] - change->at[i]));
}

static long double size_of(const Question *q, const long double *at)
{
    long double size = 0.0L;
    for (size_t i = 0; i < q->count; ++i)
        size = larger_of(size, fabsl(at[i]));
    return size;
}

// Moves an argument by `part` of `off`, or, where it is a parameter, loads it moved.
typedef struct Argument {
    Question    *question;
    long double *number, here, off;
    bool         parameter;
} Argument;

static void ask_moved(const Argument *argument, long double part, long double *numbers)
{
    Question      *q = argument->question;
    const Scalars *s = q->scalars;
    const void    *params = q->params;
    *argument->number = argument->here + part * argument->off;
    if (argument->parameter) {
        s->exact->load(s->moved_params, s->moved_values);
        q->params = s->moved_params;
    }
    ask(q, numbers);
    q->params = params;
    *argument->number = argument->here;
}

// Whether the change of the numbers is in proportion to the argument's move.
static bool is_linear(const Argument *argument, const Change *change)
{
    static const long double parts[] = {-1.0L, -0.5L, 0.5L};
    const Question          *q = argument->question;
    bool                     linear = true;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        long double there[GAUGE_DOFS];
        ask_moved(argument, parts[k], there);
        for (size_t i = 0; i < q->count; ++i)
            linear = linear && fabsl(there[i] - change->at[i] - parts[k] * (change->ahead[i] - change->at[i])) <=
                                   0.25L * change->widest;
    }
    return linear;
}

// A function of elementary.h may jump behind: the larger of the two differences counts.
static void look_behind(const Argument *argument, Change *change)
{
    long double behind[GAUGE_DOFS];
    ask_moved(argument, -1.0L, behind);
    for (size_t i = 0; i < argument->question->count; ++i)
        if (fabsl(behind[i] - change->at[i]) > fabsl(change->ahead[i] - change->at[i]))
            change->ahead[i] = 2.0L * change->at[i] - behind[i];
}

// Adds the effect of an argument that rounding moves. Where this is a large part and not linear, nothing is known.
static void spread(const Argument *argument, const long double *at, Ball *result)
{
    const Question *q = argument->question;
    Change          change;
    if (argument->off == 0.0L)
        return;
    change.at = at;
    ask_moved(argument, 1.0L, change.ahead);
    if (q->scalars->exact->elementary)
        look_behind(argument, &change);
    find_widest(q, &change);
    // An argument of 0 moves no further than the least numbers reach.
    const bool known =
        argument->off <= 0x1p-100L || change.widest <= 0x1p-10L * size_of(q, at) || is_linear(argument, &change);
    for (size_t i = 0; i < q->count; ++i)
        result[i].off += known ? fabsl(change.ahead[i] - at[i]) : INFINITY;
}

// Adds the effect of the rounding of each function that the problem's text calls.
static void spread_functions(const Question *q, int calls, const long double *at, Ball *result)
{
    const Scalars    *s = q->scalars;
    const long double by = (long double)(s->exact->operations + FUNCTION_ROUNDINGS) * s->unit;
    for (int call = 1; call <= calls; ++call) {
        long double there[GAUGE_DOFS];
        s->exact->move(call, by);
        ask(q, there);
        for (size_t i = 0; i < q->count; ++i)
            result[i].off += fabsl(there[i] - at[i]);
    }
    s->exact->move(0, 0.0L);
}

static void find_balls(Question *q, Ball *result)
{
    const Scalars    *s = q->scalars;
    const long double roundings = (long double)(s->exact->operations + (int)s->dofs), inside = roundings * s->unit,
                      least = roundings * ball_least(s->unit);
    long double at[GAUGE_DOFS];
    s->exact->move(0, 0.0L);
    ask(q, at);
    const int calls = s->exact->calls();
    for (size_t i = 0; i < q->count; ++i)
        result[i] = (Ball){at[i], inside * fabsl(at[i]) + least};
    for (size_t j = 0; q->at_x && j < s->dofs; ++j) {
        const Ball x = q->at_x[j];
        spread(&(Argument){q, &q->x[j], x.at, x.off + inside * fabsl(x.at) + least, false}, at, result);
    }
    for (size_t j = 0; q->at_v && j < s->dofs; ++j) {
        const Ball v = q->at_v[j];
        spread(&(Argument){q, &q->v[j], v.at, v.off + inside * fabsl(v.at) + least, false}, at, result);
    }
    spread(&(Argument){q, &q->t, q->t, q->t_off + inside * fabsl(q->t), false}, at, result);
    memcpy(s->moved_values, s->values, s->problem->parameter_count * sizeof *s->values);
    for (size_t k = 0; k < s->problem->parameter_count; ++k)
        if (!s->problem->parameters[k].choices)
            spread(&(Argument){q, &s->moved_values[k], s->values[k], inside * fabsl(s->values[k]), true}, at, result);
    spread_functions(q, calls, at, result);
    for (size_t i = 0; i < q->count; ++i)
        result[i] = ball_ranged(s->unit, result[i]);
}

void scalars_find(const void *found_by, Scalar which, Ball t, const Ball *x, const Ball *v, Ball *numbers)
{
    const Scalars *scalars = found_by;
    const size_t   n = scalars->dofs;
    long double    places[GAUGE_DOFS], speeds[GAUGE_DOFS];
    Question       question = {.scalars = scalars,
                               .which = which,
                               .count = which == SCALAR_RATES || which == SCALAR_SOLUTION ? n : 1,
                               .at_x = x,
                               .at_v = v,
                               .t = t.at,
                               .t_off = t.off,
                               .x = places,
                               .v = speeds,
                               .params = scalars->params};
    if (scalars->component[which] >= 0) {
        *numbers = x[scalars->component[which]];
        return;
    }
    for (size_t i = 0; x && i < n; ++i)
        places[i] = x[i].at;
    for (size_t i = 0; v && i < n; ++i)
        speeds[i] = v[i].at;
    find_balls(&question, numbers);
}

// The component of x that a coordinate's function returns to the last bit wherever it is asked; -1: none.
static int find_component(const Scalars *scalars, Scalar which)
{
    enum { PROBES = 16 };
    uint64_t random = 88172645463325252u;
    int      component = -1;
    for (int probe = 0; probe < PROBES; ++probe) {
        long double places[GAUGE_DOFS], y;
        Question    question = {.scalars = scalars, .which = which, .count = 1, .x = places, .params = scalars->params};
        int         same = -1;
        for (size_t i = 0; i < scalars->dofs; ++i) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            question.x[i] = ldexpl((long double)random, (int)(random >> 58) - 96);
        }
        ask(&question, &y);
        for (size_t i = 0; i < scalars->dofs; ++i)
            if (y == question.x[i])
                same = (int)i;
        if (same < 0 || (probe > 0 && same != component))
            return -1;
        component = same;
    }
    return component;
}

bool scalars_make(const Exact *exact, const Card *problem, size_t dofs, Roundoff unit, Arena *arena, Scalars *scalars,
                  Error *err)
{
    *scalars = (Scalars){.exact = exact, .problem = problem, .dofs = dofs, .unit = unit};
    scalars->values = arena_take(arena, problem->parameter_count + 1, sizeof(long double), err);
    scalars->moved_values = arena_take(arena, problem->parameter_count + 1, sizeof(long double), err);
    scalars->params = arena_take(arena, exact->bytes, 1, err);
    scalars->moved_params = arena_take(arena, exact->bytes, 1, err);
    if (!scalars->values || !scalars->moved_values || !scalars->params || !scalars->moved_params)
        return false;
    for (size_t i = 0; i < problem->parameter_count; ++i)
        scalars->values[i] = 0.7123456789L + (long double)i;
    exact->load(scalars->params, scalars->values);
    for (int which = 0; which < SCALAR_COUNT; ++which)
        scalars->component[which] = -1;
    if (exact->fast)
        scalars->component[SCALAR_FAST] = find_component(scalars, SCALAR_FAST);
    if (exact->slow)
        scalars->component[SCALAR_SLOW] = find_component(scalars, SCALAR_SLOW);
    return true;
}

void scalars_load(Scalars *scalars, const double *values)
{
    for (size_t i = 0; i < scalars->problem->parameter_count; ++i)
        scalars->values[i] = values[i];
    scalars->exact->load(scalars->params, scalars->values);
}
