// lyapunov -- the growth of a deviation, step by step: each from the deviation that the kernel had before.
//
// The variational equation is chaotic where the motion is: the effect of rounding on a deviation grows without bound.
// So no bound is carried along the motion. The kernel's own deviation before a step is put into the equations, in every
// step of a point's first three, in each of its FOLLOWED and where the kernel has no number; the other numbers that it
// keeps are checked in all of them. Without a kernel's memory the gauge keeps its own.
#include "gauges/between.h"

#include <stdlib.h>
#include <string.h>

enum { FOLLOWED = 32, WIDE = 2 * GAUGE_DOFS };
enum { SUM, LOWEST, HIGHEST, VECTORS };

// Vectors of the metric's memory, [2 dofs] each: a deviation, the state that it belongs to, and the sizes of its
// components.
enum { DEVIATION, STATE, SIZE, VECTOR_COUNT };

static size_t row_of(const Sight *sight, int vector)
{
    return VECTORS + (size_t)vector * 2 * sight->problem->dofs;
}

// Takes a row of the metric's memory from the kernel, where that is seen, and checks it against the expected value.
static void take(Gauge *gauge, const Sight *sight, size_t row, Ball must, const char *name)
{
    const double kernel = sight->kept ? sight->kept[row] : (double)must.at;
    const bool   known = must.off < INFINITY && !isnan(must.at);
    if (known && sight->kept && must.at != kernel && !(fabsl(must.at - kernel) <= must.off))
        gauge->wrong = name;
    gauge->of.lyapunov.rows[row] = kernel;
}

static void take_vector(Gauge *gauge, const Sight *sight, int vector, const Ball *must, const char *name)
{
    for (size_t i = 0; i < 2 * sight->problem->dofs; ++i)
        take(gauge, sight, row_of(sight, vector) + i, must[i], name);
}

static void take_state(Gauge *gauge, const Sight *sight)
{
    const size_t n = sight->problem->dofs;
    Ball         state[WIDE];
    memcpy(state, sight->x, n * sizeof *state);
    memcpy(state + n, sight->v, n * sizeof *state);
    take_vector(gauge, sight, STATE, state, "lyapunov: the state that is kept for the next step");
}

// The derivative along a deviation, J d: a central difference of the reach that the metric's file has.
static void carry_along(const Sight *sight, Ball t, const Ball *state, const Ball *d, Ball *slope)
{
    const Roundoff    u = sight->u;
    const size_t      n = sight->problem->dofs;
    const long double reach = sight->single ? 0x1p-7L : 0x1p-17L;
    Ball              ahead[WIDE], behind[WIDE], there[WIDE], back[WIDE];
    for (size_t i = 0; i < 2 * n; ++i) {
        ahead[i] = ball_add(u, state[i], gauge_scaled(d[i], reach));
        behind[i] = ball_sub(u, state[i], gauge_scaled(d[i], reach));
    }
    gauge_rates(sight, t, ahead, ahead + n, there);
    gauge_rates(sight, t, behind, behind + n, back);
    for (size_t i = 0; i < 2 * n; ++i)
        slope[i] = gauge_scaled(ball_sub(u, there[i], back[i]), 0.5L / reach);
}

// The deviation after the step, before it is made a unit vector: one step of the classical Runge-Kutta method.
//   was  [2 dofs] before it
static void advance(const Sight *sight, const double *was, Ball *d)
{
    static const long double parts[] = {0.0L, 0.5L, 0.5L, 1.0L}, weights[] = {1.0L, 2.0L, 2.0L, 1.0L};
    const Roundoff           u = sight->u;
    const size_t             n = sight->problem->dofs, wide = 2 * n;
    const Ball               h = ball(sight->h);
    double                   now[WIDE];
    Ball                     stage[WIDE], state[WIDE], slope[WIDE], sum[WIDE];
    Between                  between;
    for (size_t i = 0; i < n; ++i) {
        now[i] = (double)sight->x[i].at;
        now[n + i] = (double)sight->v[i].at;
    }
    const BetweenStep step = {sight->before, sight->t, sight->h, sight->last_x, sight->last_v, now, now + n, NULL};
    between_make(sight, &step, &between);
    for (size_t k = 0; k < 4; ++k) {
        const Ball t = k == 3 ? ball(sight->t) : ball_add(u, ball(sight->before), ball_mul(u, ball(parts[k]), h));
        between_state(sight, &between, ball(parts[k]), state);
        for (size_t i = 0; i < wide; ++i) {
            const Ball way = k == 0 ? ball(0.0L) : ball_mul(u, gauge_scaled(h, parts[k]), slope[i]);
            stage[i] = ball_add(u, ball(was[i]), way);
            sum[i] = k == 0 ? ball(0.0L) : sum[i];
        }
        carry_along(sight, t, state, stage, slope);
        for (size_t i = 0; i < wide; ++i)
            sum[i] = ball_add(u, sum[i], gauge_scaled(slope[i], weights[k]));
    }
    for (size_t i = 0; i < wide; ++i) {
        const Ball sixth = ball_div(u, h, ball(6.0L));
        d[i] = ball_add(u, ball(was[i]), ball_mul(u, sixth, sum[i]));
    }
}

// Divides a deviation by its length over sizes; returns that.
static Ball make_unit(const Sight *sight, const double *size, Ball *d)
{
    const Roundoff u = sight->u;
    const size_t   wide = 2 * sight->problem->dofs;
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

// Takes a component's first size: itself, or how far it is moved; 1 where that is 0. Near 0 it may be either.
static void take_first_size(Gauge *gauge, const Sight *sight, size_t row, Ball size, const char *name)
{
    const long double most = size.at + size.off;
    const double      kernel = sight->kept ? sight->kept[row] : 1.0;
    if (size.at - size.off > 0.0L || most == 0.0L) {
        take(gauge, sight, row, most > 0.0L ? size : ball(1.0L), name);
        return;
    }
    if (kernel != 1.0 && !(kernel > 0.0 && kernel <= most))
        gauge->wrong = name;
    gauge->of.lyapunov.rows[row] = kernel;
}

static void take_first_sizes(Gauge *gauge, const Sight *sight)
{
    const Roundoff u = sight->u;
    const size_t   n = sight->problem->dofs, row = row_of(sight, SIZE);
    const Ball     h = ball(sight->h);
    Ball           slope[WIDE];
    gauge_rates(sight, ball(sight->t), sight->x, sight->v, slope);
    for (size_t i = 0; i < n; ++i) {
        const Ball rate = gauge_max(gauge_abs(slope[i]), ball_mul(u, h, gauge_abs(slope[n + i]))),
                   x = gauge_max(gauge_abs(sight->x[i]), ball_mul(u, h, rate));
        take_first_size(gauge, sight, row + i, x, "lyapunov: the size that a coordinate begins with");
        const Ball size = ball(gauge->of.lyapunov.rows[row + i]),
                   moved = gauge_root(u, ball_ranged(u, ball_mul(u, size, gauge_abs(slope[n + i])))),
                   v = gauge_max(gauge_abs(sight->v[i]), moved);
        take_first_size(gauge, sight, row + n + i, sight->problem->card->first_order ? ball(1.0L) : v,
                        "lyapunov: the size that a velocity begins with");
    }
}

static void observe_first(Gauge *gauge, const Sight *sight)
{
    static const long double numbers[] = {0.0L, INFINITY, -INFINITY};
    const size_t             n = sight->problem->dofs;
    const double            *size = gauge->of.lyapunov.rows + row_of(sight, SIZE);
    Ball                     d[WIDE];
    take_first_sizes(gauge, sight);
    for (size_t i = 0; i < n; ++i) {
        const long double share = 1.0L / (long double)(1 + i);
        d[i] = ball_mul(sight->u, ball(size[i]), ball_rounded(sight->u, share, 0.0L));
        d[n + i] = sight->problem->card->first_order
                       ? ball(0.0L)
                       : ball_mul(sight->u, ball(size[n + i]), ball_rounded(sight->u, 0.6L * share, 0.0L));
    }
    make_unit(sight, size, d);
    take_vector(gauge, sight, DEVIATION, d, "lyapunov: the deviation that a point begins with");
    take_state(gauge, sight);
    for (size_t i = 0; i < VECTORS; ++i)
        take(gauge, sight, i, ball(numbers[i]), "lyapunov: numbers that a point begins with");
}

static Ball exponent(const Sight *sight, double sum, int64_t seen)
{
    return ball_div(sight->u, ball(sum), ball_mul(sight->u, ball((long double)seen), ball(sight->h)));
}

// Sizes are the largest so far.
static void take_sizes(Gauge *gauge, const Sight *sight)
{
    const size_t  n = sight->problem->dofs;
    const double *was = gauge->of.lyapunov.rows + row_of(sight, SIZE);
    Ball          size[WIDE];
    for (size_t i = 0; i < 2 * n; ++i)
        size[i] = ball(larger_of(was[i], fabsl(i < n ? sight->x[i].at : sight->v[i - n].at)));
    take_vector(gauge, sight, SIZE, size, "lyapunov: the size of a component");
}

// The deviation, the logarithm of its growth, which is in the sum where both ends of the step are in the window, and
// the lowest and the highest exponent of the last half of the steps.
static void observe_growth(Gauge *gauge, const Sight *sight, bool in)
{
    const Roundoff u = sight->u;
    GaugeLyapunov *lyapunov = &gauge->of.lyapunov;
    double        *rows = lyapunov->rows, *size = rows + row_of(sight, SIZE);
    const bool followed = !sight->kept || sight->step <= 3 || sight->step % FOLLOWED == 0 || isnan(sight->kept[SUM]) ||
                          isnan(sight->kept[row_of(sight, DEVIATION)]),
               late = in && sight->step >= sight->steps - sight->steps / 2;
    Ball d[WIDE], growth = {0.0L, INFINITY};
    for (size_t i = 0; i < 2 * sight->problem->dofs; ++i)
        d[i] = growth;
    if (followed) {
        advance(sight, rows + row_of(sight, DEVIATION), d);
        growth = gauge_log(u, make_unit(sight, size, d));
    }
    take_sizes(gauge, sight);
    make_unit(sight, size, d);
    take_vector(gauge, sight, DEVIATION, d, "lyapunov: the deviation after a step");
    take_state(gauge, sight);
    const Ball sum = ball(rows[SUM]), lowest = ball(rows[LOWEST]), highest = ball(rows[HIGHEST]);
    take(gauge, sight, SUM, in ? ball_add(u, sum, growth) : sum, "lyapunov: the sum of ln growth");
    lyapunov->seen += in;
    const Ball now = exponent(sight, rows[SUM], lyapunov->seen);
    take(gauge, sight, LOWEST, late ? gauge_min(now, lowest) : lowest, "lyapunov: the lowest exponent so far");
    take(gauge, sight, HIGHEST, late ? gauge_max(now, highest) : highest, "lyapunov: the highest exponent so far");
}

static bool observe(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    GaugeLyapunov *lyapunov = &gauge->of.lyapunov;
    const bool     in = sight->last_x && gauge_within(sight, gauge->instance, sight->t) &&
                    gauge_within(sight, gauge->instance, sight->before);
    if (!lyapunov->rows && !(lyapunov->rows = calloc(row_of(sight, VECTOR_COUNT), sizeof *lyapunov->rows)))
        return fail(err, ERROR_INTERNAL, "out of memory for a deviation");
    if (sight->kept && counts[0] != in)
        gauge->wrong = "lyapunov: a step in the window, counted or not";
    if (sight->last_x)
        observe_growth(gauge, sight, in);
    else
        observe_first(gauge, sight);
    return true;
}

static void expect(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeLyapunov *lyapunov = &gauge->of.lyapunov;
    const Ball           lowest = ball(lyapunov->rows[LOWEST]), highest = ball(lyapunov->rows[HIGHEST]);
    gauge_result(expected, result, lowest.at <= highest.at, ball_sub(sight->u, highest, lowest),
                 "lyapunov_spread = highest - lowest exponent of the last half");
    gauge_result(expected, result, lyapunov->seen > 0, exponent(sight, lyapunov->rows[SUM], lyapunov->seen),
                 "lyapunov_exponent = sum ln growth / time");
}

static void end(Gauge *gauge)
{
    free(gauge->of.lyapunov.rows);
}

const GaugeKind gauge_lyapunov = {"lyapunov", .observe = observe, .expect = expect, .end = end};
