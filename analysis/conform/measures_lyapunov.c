// measures_lyapunov -- the growth of a deviation, step by step: each from the deviation that the kernel had before.
//
// The variational equation is chaotic where the motion is: what rounding does to a deviation grows without bound. So no
// bound is carried along the motion. The kernel's own deviation before a step is put into the equations, in every
// step of a point's first three and in each of its FOLLOWED; what it keeps beside is looked at in all of them.
#include "analysis/conform/between.h"

#include <stdlib.h>
#include <string.h>

enum { FOLLOWED = 32, WIDE = 2 * SCALARS_DOFS };
enum { SUM, LOWEST, HIGHEST, VECTORS };

// The metric's memory: a deviation, the state that it belongs to, and the sizes of its components, [2 dofs] each.
typedef struct Memory {
    double        sum, lowest, highest;
    const double *d, *state, *size;
} Memory;

static Memory memory_of(const Sight *sight, const double *rows)
{
    const size_t wide = 2 * sight->scalars->dofs;
    return (Memory){rows[SUM],      rows[LOWEST],          rows[HIGHEST],
                    rows + VECTORS, rows + VECTORS + wide, rows + VECTORS + 2 * wide};
}

static void demand(Gauge *gauge, const char *what, Ball must, double kernel)
{
    const bool known = must.off < INFINITY && !isnan(must.at);
    if (known && !(fabsl(must.at - kernel) <= must.off))
        gauge->wrong = what;
}

// The derivative along a deviation, J d: a central difference of the reach that the metric's file has.
static void carry_along(const Sight *sight, Ball t, const Ball *state, const Ball *d, Ball *slope)
{
    const Roundoff    u = sight->u;
    const size_t      n = sight->scalars->dofs;
    const long double reach = sight->single ? 0x1p-7L : 0x1p-17L;
    Ball              ahead[WIDE], behind[WIDE], there[WIDE], back[WIDE];
    for (size_t i = 0; i < 2 * n; ++i) {
        ahead[i] = ball_add(u, state[i], gauge_scaled(d[i], reach));
        behind[i] = ball_sub(u, state[i], gauge_scaled(d[i], reach));
    }
    scalars_rates(sight->scalars, t, ahead, ahead + n, there);
    scalars_rates(sight->scalars, t, behind, behind + n, back);
    for (size_t i = 0; i < 2 * n; ++i)
        slope[i] = gauge_scaled(ball_sub(u, there[i], back[i]), 0.5L / reach);
}

// The same as the reference has it: of each component, by differences of fourth order.
//   size  [2 dofs] of the components
static void carry_by_columns(const Sight *sight, Ball t, const Ball *state, const double *size, const Ball *d,
                             Ball *slope)
{
    static const long double weights[] = {1.0L / 12.0L, -8.0L / 12.0L, 8.0L / 12.0L, -1.0L / 12.0L};
    static const long double places[] = {-2.0L, -1.0L, 1.0L, 2.0L};
    const Roundoff           u = sight->u;
    const size_t             n = sight->scalars->dofs, wide = 2 * n;
    Ball                     moved[WIDE], there[WIDE];
    for (size_t i = 0; i < wide; ++i)
        slope[i] = ball(0.0L);
    for (size_t j = 0; j < wide; ++j)
        for (size_t k = 0; k < 4; ++k) {
            const Ball reach = ball(0x1p-10L * size[j]), weight = ball_rounded(u, weights[k], 0.0L),
                       by = ball_div(u, ball_mul(u, weight, d[j]), reach);
            memcpy(moved, state, wide * sizeof *moved);
            moved[j] = ball_add(u, state[j], gauge_scaled(reach, places[k]));
            scalars_rates(sight->scalars, t, moved, moved + n, there);
            for (size_t i = 0; i < wide; ++i)
                slope[i] = ball_add(u, slope[i], ball_mul(u, by, there[i]));
        }
}

// The deviation after the step, before it is made a unit vector: one step of the classical Runge-Kutta method.
static void advance(const Sight *sight, const Memory *was, Ball *d)
{
    static const long double parts[] = {0.0L, 0.5L, 0.5L, 1.0L}, weights[] = {1.0L, 2.0L, 2.0L, 1.0L};
    const Roundoff           u = sight->u;
    const size_t             n = sight->scalars->dofs, wide = 2 * n;
    const Ball               h = ball(sight->h);
    double                   now[WIDE];
    Ball                     stage[WIDE], state[WIDE], slope[WIDE], sum[WIDE];
    BetweenSlopes            slopes;
    for (size_t i = 0; i < n; ++i) {
        now[i] = (double)sight->x[i].at;
        now[n + i] = (double)sight->v[i].at;
    }
    const BetweenStep step = {sight->before, sight->t, was->state, was->state + n, now, now + n};
    between_slopes(sight, &step, &slopes);
    for (size_t k = 0; k < 4; ++k) {
        const Ball t = k == 3 ? ball(sight->t) : ball_add(u, ball(sight->before), ball_mul(u, ball(parts[k]), h));
        between_state(sight, &step, &slopes, ball(parts[k]), state);
        for (size_t i = 0; i < wide; ++i) {
            const Ball way = k == 0 ? ball(0.0L) : ball_mul(u, gauge_scaled(h, parts[k]), slope[i]);
            stage[i] = ball_add(u, ball(was->d[i]), way);
            sum[i] = k == 0 ? ball(0.0L) : sum[i];
        }
        if (sight->reference)
            carry_by_columns(sight, t, state, was->size, stage, slope);
        else
            carry_along(sight, t, state, stage, slope);
        for (size_t i = 0; i < wide; ++i)
            sum[i] = ball_add(u, sum[i], gauge_scaled(slope[i], weights[k]));
    }
    for (size_t i = 0; i < wide; ++i) {
        const Ball sixth = ball_div(u, h, ball(6.0L));
        d[i] = ball_add(u, ball(was->d[i]), ball_mul(u, sixth, sum[i]));
    }
}

// Divides a deviation by its length over sizes; returns that.
static Ball make_unit(const Sight *sight, const double *size, Ball *d)
{
    const Roundoff u = sight->u;
    const size_t   wide = 2 * sight->scalars->dofs;
    Ball           square = ball(0.0L);
    for (size_t i = 0; i < wide; ++i) {
        const Ball part = ball_div(u, d[i], ball(size[i]));
        square = ball_add(u, square, ball_mul(u, part, part));
    }
    const Ball length = ball_sqrt(u, square);
    for (size_t i = 0; i < wide; ++i)
        d[i] = ball_div(u, d[i], length);
    return length;
}

// A component's first size: what it is, or what it is moved by; 1 where that is 0.
static void demand_size(Gauge *gauge, const char *what, Ball must, double kernel)
{
    const bool may_be_unknown = must.at - must.off <= 0.0L;
    if (!(may_be_unknown && kernel == 1.0))
        demand(gauge, what, must, kernel);
    if (!(kernel > 0.0))
        gauge->wrong = what;
}

static void demand_first_sizes(Gauge *gauge, const Sight *sight, const Memory *is)
{
    const Roundoff u = sight->u;
    const size_t   n = sight->scalars->dofs;
    const Ball     h = ball(sight->h);
    Ball           slope[WIDE];
    scalars_rates(sight->scalars, ball(sight->t), sight->x, sight->v, slope);
    for (size_t i = 0; i < n; ++i) {
        const Ball rate = gauge_max(gauge_abs(slope[i]), ball_mul(u, h, gauge_abs(slope[n + i]))),
                   x = gauge_max(gauge_abs(sight->x[i]), ball_mul(u, h, rate)),
                   moved = gauge_root(u, ball_ranged(u, ball_mul(u, ball(is->size[i]), gauge_abs(slope[n + i])))),
                   v = sight->scalars->problem->first_order ? ball(1.0L) : gauge_max(gauge_abs(sight->v[i]), moved);
        demand_size(gauge, "lyapunov: the size that a coordinate begins with", x, is->size[i]);
        demand_size(gauge, "lyapunov: the size that a velocity begins with", v, is->size[n + i]);
    }
}

static void demand_first(Gauge *gauge, const Sight *sight, const Memory *is)
{
    const size_t n = sight->scalars->dofs;
    Ball         d[WIDE];
    demand_first_sizes(gauge, sight, is);
    for (size_t i = 0; i < n; ++i) {
        const long double share = 1.0L / (long double)(1 + i);
        d[i] = ball_mul(sight->u, ball(is->size[i]), ball_rounded(sight->u, share, 0.0L));
        d[n + i] = sight->scalars->problem->first_order
                       ? ball(0.0L)
                       : ball_mul(sight->u, ball(is->size[n + i]), ball_rounded(sight->u, 0.6L * share, 0.0L));
    }
    make_unit(sight, is->size, d);
    for (size_t i = 0; i < 2 * n; ++i)
        demand(gauge, "lyapunov: the deviation that a point begins with", d[i], is->d[i]);
    if (is->sum != 0.0 || is->lowest != (double)INFINITY || is->highest != (double)-INFINITY)
        gauge->wrong = "lyapunov: what a point begins with";
}

// The deviation, and the logarithm of its growth, which is in the sum where both ends of the step are in the window.
static void demand_growth(Gauge *gauge, const Sight *sight, const Memory *was, const Memory *is, bool in)
{
    const Roundoff u = sight->u;
    const size_t   wide = 2 * sight->scalars->dofs;
    Ball           d[WIDE];
    advance(sight, was, d);
    const Ball growth = gauge_log(u, make_unit(sight, was->size, d));
    make_unit(sight, is->size, d);
    for (size_t i = 0; i < wide; ++i)
        demand(gauge, "lyapunov: the deviation after a step", d[i], is->d[i]);
    if (in)
        demand(gauge, "lyapunov: the sum of ln growth", ball_add(u, ball(was->sum), growth), is->sum);
}

// Sizes are the largest so far, and the state is that of the observation.
static void demand_kept(Gauge *gauge, const Sight *sight, const Memory *was, const Memory *is)
{
    const size_t n = sight->scalars->dofs;
    for (size_t i = 0; i < 2 * n; ++i) {
        const double here = (double)(i < n ? sight->x[i].at : sight->v[i - n].at);
        if (is->state[i] != here)
            gauge->wrong = "lyapunov: the state that is kept for the next step";
        if (is->size[i] != fmax(was->size[i], fabs(here)))
            gauge->wrong = "lyapunov: the size of a component";
    }
}

static Ball exponent(const Sight *sight, double sum, int64_t seen)
{
    return ball_div(sight->u, ball(sum), ball_mul(sight->u, ball((long double)seen), ball(sight->h)));
}

// The exponents of the last half of the steps lie between the lowest and the highest.
static void demand_range(Gauge *gauge, const Sight *sight, const Memory *was, const Memory *is, bool in)
{
    const bool late = in && sight->step >= sight->steps - sight->steps / 2;
    const Ball now = exponent(sight, is->sum, gauge->of.lyapunov.seen);
    const Ball lowest = late ? gauge_min(now, ball(was->lowest)) : ball(was->lowest),
               highest = late ? gauge_max(now, ball(was->highest)) : ball(was->highest);
    if (late || is->lowest != was->lowest)
        demand(gauge, "lyapunov: the lowest exponent so far", isinf(was->lowest) && late ? now : lowest, is->lowest);
    if (late || is->highest != was->highest)
        demand(gauge, "lyapunov: the highest exponent so far", isinf(was->highest) && late ? now : highest,
               is->highest);
}

static bool observe(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    GaugeLyapunov *lyapunov = &gauge->of.lyapunov;
    const Memory   is = memory_of(sight, sight->is);
    (void)err;
    lyapunov->seen += counts[0];
    if (!sight->was) {
        demand_first(gauge, sight, &is);
    } else {
        const Memory was = memory_of(sight, sight->was);
        const bool   in =
            gauge_within(sight, gauge->instance, sight->t) && gauge_within(sight, gauge->instance, sight->before);
        if (counts[0] != in || (!in && is.sum != was.sum))
            gauge->wrong = "lyapunov: a step in the window, counted or not";
        demand_kept(gauge, sight, &was, &is);
        demand_range(gauge, sight, &was, &is, in);
        if (sight->step <= 3 || sight->step % FOLLOWED == 0)
            demand_growth(gauge, sight, &was, &is, in);
    }
    lyapunov->sum = is.sum;
    lyapunov->lowest = is.lowest;
    lyapunov->highest = is.highest;
    return true;
}

static bool expect(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeLyapunov *lyapunov = &gauge->of.lyapunov;
    const bool           range = lyapunov->lowest <= lyapunov->highest;
    if (strcmp(result, "lyapunov_spread") == 0)
        *expected = range ? gauge_number(ball_sub(sight->u, ball(lyapunov->highest), ball(lyapunov->lowest)),
                                         "lyapunov_spread = highest - lowest exponent of the last half")
                          : gauge_nan("lyapunov_spread, of no step");
    else if (lyapunov->seen == 0)
        *expected = gauge_nan("lyapunov_exponent, of no step");
    else
        *expected =
            gauge_number(exponent(sight, lyapunov->sum, lyapunov->seen), "lyapunov_exponent = sum ln growth / time");
    return true;
}

const GaugeKind measures_lyapunov_kind = {"lyapunov", observe, expect, NULL, NULL};
