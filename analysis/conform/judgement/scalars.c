// scalars -- differences that arguments, parameters and functions make as far as rounding may move them.
#include "analysis/conform/judgement/scalars.h"

#include <stdint.h>
#include <string.h>

// Roundings of the least accurate of the kernels' functions: sin^2 is within 5.1 units in the last place, two roundoffs
// each.
enum { FUNCTION_ROUNDINGS = 12 };

// A function asked at a place. Members can be moved one by one.
typedef struct Question {
    const ExactPoint *point;
    Scalar            which;
    size_t            count;  // of numbers
    bool              demanded;
    bool              loads;  // the moved parameters are loaded before it is asked
    long double       t, x[GAUGE_DOFS], v[GAUGE_DOFS];
} Question;

static void ask(const Question *q, long double *numbers)
{
    const ExactPoint *point = q->point;
    const Exact      *exact = point->exact;
    const void       *params = q->loads ? point->moved_params : point->params;
    long double       rates[GAUGE_DOFS];
    if (q->loads)
        exact->load(point->moved_params, point->moved_values);
    switch (q->which) {
    case SCALAR_ENERGY: *numbers = exact->energy(q->x, q->v, params); break;
    case SCALAR_KINETIC: *numbers = exact->kinetic(q->x, q->v, params); break;
    case SCALAR_FAST: *numbers = exact->fast(q->x, params); break;
    case SCALAR_SLOW: *numbers = exact->slow(q->x, params); break;
    case SCALAR_PERIOD: *numbers = exact->period(params); break;
    case SCALAR_DISSIPATION: *numbers = exact->dissipation(q->x, q->v, params); break;
    case SCALAR_POWER:
        exact->drive(q->t, params, rates);
        *numbers = 0.0L;
        for (size_t i = 0; i < point->dofs; ++i)
            *numbers += rates[i] * q->v[i];
        break;
    case SCALAR_RATES: exact->acceleration(q->t, q->x, q->v, params, numbers); break;
    case SCALAR_SOLUTION: exact->exact(q->t, params, numbers, rates); break;
    case SCALAR_COUNT: break;
    }
}

// Asks where an argument has moved by `by`.
static void ask_moved(const Question *q, long double *argument, long double by, long double *numbers)
{
    const long double here = *argument;
    *argument = here + by;
    ask(q, numbers);
    *argument = here;
}

// Whether the change of the numbers is in proportion to the argument's move: on the way to `ahead`, and behind.
static bool is_linear(const Question *q, long double *argument, long double off, const long double *at,
                      const long double *ahead, long double widest)
{
    static const long double parts[] = {-1.0L, -0.5L, 0.5L};
    bool                     linear = true;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        long double there[GAUGE_DOFS];
        ask_moved(q, argument, parts[k] * off, there);
        for (size_t i = 0; i < q->count; ++i)
            linear = linear && fabsl(there[i] - at[i] - parts[k] * (ahead[i] - at[i])) <= 0.25L * widest;
    }
    return linear;
}

// Adds the effect of an argument that may be off: the difference that it makes. Nothing is known where this is a large
// part and not linear, as at an angle of so many turns that the last digit is a turn; and nothing is demanded where the
// argument may be any.
static void spread(const Question *q, long double *argument, long double off, const long double *at, Ball *result)
{
    long double ahead[GAUGE_DOFS], size = 0.0L, widest = 0.0L;
    if (off == 0.0L)
        return;
    ask_moved(q, argument, off, ahead);
    // A choice or a function of elementary.h may jump behind: the larger of the two differences counts.
    if (q->point->exact->jumps) {
        long double behind[GAUGE_DOFS];
        ask_moved(q, argument, -off, behind);
        for (size_t i = 0; i < q->count; ++i)
            if (fabsl(behind[i] - at[i]) > fabsl(ahead[i] - at[i]))
                ahead[i] = 2.0L * at[i] - behind[i];
    }
    for (size_t i = 0; i < q->count; ++i) {
        size = larger_of(size, fabsl(at[i]));
        widest = larger_of(widest, fabsl(ahead[i] - at[i]));
        result[i].off += fabsl(ahead[i] - at[i]);
    }
    // An argument of 0 moves no further than the least numbers reach.
    const bool still = !q->demanded && off <= 0x1p-100L;
    if ((q->demanded && !isfinite(off)) ||
        (!still && widest > 0x1p-10L * size && !is_linear(q, argument, off, at, ahead, widest)))
        for (size_t i = 0; i < q->count; ++i)
            result[i].off = INFINITY;
}

// Adds the effect of the rounding of each function that the problem's text calls.
static void spread_functions(const Question *q, int calls, long double by, const long double *at, Ball *result)
{
    const Exact *exact = q->point->exact;
    for (int call = 1; call <= calls; ++call) {
        long double there[GAUGE_DOFS];
        exact->move(call, by);
        ask(q, there);
        for (size_t i = 0; i < q->count; ++i)
            result[i].off += fabsl(there[i] - at[i]);
    }
    exact->move(0, 0.0L);
}

// Adds the effect of the time and the parameters.
static void spread_rest(Question *q, Ball t, long double inside, const long double *at, Ball *result)
{
    const ExactPoint *point = q->point;
    const size_t      count = point->problem->parameter_count;
    spread(q, &q->t, t.off + inside * fabsl(t.at), at, result);
    memcpy(point->moved_values, point->values, count * sizeof *point->values);
    q->loads = true;
    for (size_t k = 0; k < count; ++k)
        if (!point->problem->parameters[k].choices)
            spread(q, &point->moved_values[k], inside * fabsl(point->values[k]), at, result);
    q->loads = false;
}

// Asks where nothing has moved. Returns how many functions the text has called.
static int ask_here(const Question *q, long double *at)
{
    const Exact *exact = q->point->exact;
    exact->move(0, 0.0L);
    ask(q, at);
    return exact->calls();
}

// Roundings that an argument can meet inside.
static long double roundings_of(const ExactPoint *point)
{
    return (long double)(point->exact->operations + (int)point->dofs);
}

void scalars_find(const void *found_by, Scalar which, Ball t, const Ball *x, const Ball *v, Ball *numbers)
{
    const Scalars    *scalars = found_by;
    const ExactPoint *point = &scalars->point;
    const long double roundings = roundings_of(point), inside = roundings * point->unit,
                      least = roundings * ball_least(point->unit);
    const bool  all = which == SCALAR_RATES || which == SCALAR_SOLUTION;
    Question    q = {.point = point, .which = which, .count = all ? point->dofs : 1, .t = t.at};
    long double at[GAUGE_DOFS];
    if (scalars->component[which] >= 0) {
        *numbers = x[scalars->component[which]];
        return;
    }
    for (size_t i = 0; x && i < point->dofs; ++i)
        q.x[i] = x[i].at;
    for (size_t i = 0; v && i < point->dofs; ++i)
        q.v[i] = v[i].at;
    const int calls = ask_here(&q, at);
    for (size_t i = 0; i < q.count; ++i)
        numbers[i] = (Ball){at[i], inside * fabsl(at[i]) + least};
    for (size_t j = 0; x && j < point->dofs; ++j)
        spread(&q, &q.x[j], x[j].off + inside * fabsl(x[j].at) + least, at, numbers);
    for (size_t j = 0; v && j < point->dofs; ++j)
        spread(&q, &q.v[j], v[j].off + inside * fabsl(v[j].at) + least, at, numbers);
    spread_rest(&q, t, inside, at, numbers);
    const long double by = (long double)(point->exact->operations + FUNCTION_ROUNDINGS) * point->unit;
    spread_functions(&q, calls, by, at, numbers);
    for (size_t i = 0; i < q.count; ++i)
        numbers[i] = ball_ranged(point->unit, numbers[i]);
}

static bool is_zero(Ball a)
{
    return a.at == 0.0L && a.off == 0.0L;
}

void scalars_acceleration(const ExactPoint *point, Ball t, const Ball *x, const Ball *v, bool plain, Ball *a)
{
    // The possible rounding of an argument inside, relative and, where it is too small for its digits, absolute:
    // products with a place and a velocity of 0 are 0.
    const long double roundings = roundings_of(point), inside = roundings * point->unit,
                      least = roundings * ball_least(point->unit);
    Question    q = {.point = point, .which = SCALAR_RATES, .count = point->dofs, .demanded = true, .t = t.at};
    bool        at_rest = true;
    long double at[GAUGE_DOFS];
    for (size_t j = 0; j < point->dofs; ++j) {
        q.x[j] = x[j].at;
        q.v[j] = v[j].at;
        at_rest = at_rest && is_zero(x[j]) && is_zero(v[j]);
    }
    const int calls = ask_here(&q, at);
    for (size_t i = 0; i < point->dofs; ++i)
        a[i] = (Ball){at[i], at_rest && at[i] == 0.0L ? 0.0L : inside * fabsl(at[i]) + least};
    if (plain)
        return;
    spread_functions(&q, point->exact->elementary ? calls : 0, inside, at, a);
    for (size_t j = 0; j < point->dofs && !at_rest; ++j) {
        spread(&q, &q.x[j], x[j].off + inside * fabsl(q.x[j]) + least, at, a);
        spread(&q, &q.v[j], v[j].off + inside * fabsl(q.v[j]) + least, at, a);
    }
    spread_rest(&q, t, inside, at, a);
}

// The component of x that a coordinate's function returns to the last bit wherever it is asked; -1: none.
static int find_component(const Scalars *scalars, Scalar which)
{
    enum { PROBES = 16 };
    uint64_t random = 88172645463325252u;
    int      component = -1;
    for (int probe = 0; probe < PROBES; ++probe) {
        Question    q = {.point = &scalars->point, .which = which, .count = 1};
        long double y;
        int         same = -1;
        for (size_t i = 0; i < scalars->point.dofs; ++i) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            q.x[i] = ldexpl((long double)random, (int)(random >> 58) - 96);
        }
        ask(&q, &y);
        for (size_t i = 0; i < scalars->point.dofs; ++i)
            if (y == q.x[i])
                same = (int)i;
        if (same < 0 || (probe > 0 && same != component))
            return -1;
        component = same;
    }
    return component;
}

bool scalars_make(const Exact *exact, const Card *problem, size_t dofs, bool single, Arena *arena, Scalars *scalars,
                  Error *err)
{
    ExactPoint *point = &scalars->point;
    if (!exact_point_make(exact, problem, dofs, single, arena, point, err))
        return false;
    for (size_t i = 0; i < problem->parameter_count; ++i)
        point->values[i] = 0.7123456789L + (long double)i;
    exact->load(point->params, point->values);
    for (int which = 0; which < SCALAR_COUNT; ++which)
        scalars->component[which] = -1;
    if (exact->fast)
        scalars->component[SCALAR_FAST] = find_component(scalars, SCALAR_FAST);
    if (exact->slow)
        scalars->component[SCALAR_SLOW] = find_component(scalars, SCALAR_SLOW);
    return true;
}
