// motion -- extremes and sums of a whole motion: stats, steady, events, balance.
#include "gauges/gauge.h"

#include <string.h>

static bool is(const char *result, const char *name)
{
    return strcmp(result, name) == 0;
}

static void extend(GaugeRange *range, Ball value)
{
    range->low = range->seen ? gauge_min(range->low, value) : value;
    range->high = range->seen ? gauge_max(range->high, value) : value;
    ++range->seen;
}

static bool observe_stats(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    GaugeStats    *stats = &gauge->of.stats;
    const Roundoff u = sight->u;
    (void)counts, (void)err;
    if (!gauge_within(sight, gauge->instance, sight->t))
        return true;
    const Ball now = gauge_observed(gauge, sight);
    extend(&stats->range, now);
    stats->sum = ball_add(u, stats->sum, now);
    stats->squares = ball_ranged(u, ball_add(u, stats->squares, ball_mul(u, now, now)));
    return true;
}

static bool expect_stats(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeStats *stats = &gauge->of.stats;
    const GaugeRange *range = &stats->range;
    const Roundoff    u = sight->u;
    const Ball        seen = ball((long double)range->seen);
    if (range->seen == 0)
        *expected = gauge_nan("stats, of no observation");
    else if (is(result, "minimum"))
        *expected = gauge_number(range->low, "minimum = min y");
    else if (is(result, "maximum"))
        *expected = gauge_number(range->high, "maximum = max y");
    else if (is(result, "mean_value"))
        *expected = gauge_number(ball_div(u, stats->sum, seen), "mean_value = sum y / n");
    else if (is(result, "rms_value"))
        *expected = gauge_number(gauge_root(u, ball_div(u, stats->squares, seen)), "rms_value = sqrt(sum y^2 / n)");
    else if (is(result, "peak_to_peak"))
        *expected = gauge_number(ball_sub(u, range->high, range->low), "peak_to_peak = max y - min y");
    else
        return false;
    return true;
}

// The kernel compares numbers of its own precision, of which each operation here has one rounding too.
static bool at_most(const Sight *sight, double left, double share)
{
    const double all = (double)sight->steps;
    return sight->single ? (float)left <= (float)share * (float)all : left <= share * all;
}

static bool observe_steady(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    GaugeSteady *steady = &gauge->of.steady;
    const double left = (double)(sight->steps - sight->step), share = gauge_argument(gauge, sight, 0);
    (void)counts, (void)err;
    if (at_most(sight, left, 0.5 * share))
        extend(&steady->late, gauge_observed(gauge, sight));
    else if (at_most(sight, left, share))
        extend(&steady->early, gauge_observed(gauge, sight));
    return true;
}

static Ball half_of(Roundoff u, const GaugeRange *range)
{
    return gauge_scaled(ball_sub(u, range->high, range->low), 0.5L);
}

static bool expect_steady(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeRange *late = &gauge->of.steady.late, *early = &gauge->of.steady.early;
    const Roundoff    u = sight->u;
    if (late->seen == 0 || (early->seen == 0 && is(result, "steady_change"))) {
        *expected = gauge_nan("steady, of no observation");
    } else if (is(result, "steady_amplitude")) {
        *expected = gauge_number(half_of(u, late), "steady_amplitude = (max y - min y)/2");
    } else if (is(result, "steady_offset")) {
        *expected =
            gauge_number(gauge_scaled(ball_add(u, late->low, late->high), 0.5L), "steady_offset = (max y + min y)/2");
    } else if (is(result, "steady_change")) {
        const Ball amplitude = half_of(u, late), apart = ball_sub(u, amplitude, half_of(u, early));
        *expected = gauge_number(gauge_abs(ball_div(u, apart, amplitude)), "steady_change = |A - A1|/A");
        expected->nan = amplitude.at - amplitude.off <= 0.0L;
        expected->number = amplitude.at + amplitude.off > 0.0L;
        // A motion that has come to rest changed without end, one that was at rest did not.
        if (!expected->number) {
            const long double change = fabsl(apart.at);
            expected->value = (Ball){INFINITY, 0.0L};
            expected->number = change + apart.off > 0.0L;
            expected->nan = change - apart.off <= 0.0L;
        }
    } else {
        return false;
    }
    return true;
}

enum { ARGUMENT_LEVEL, ARGUMENT_DIRECTION };
enum { DIRECTION_UP, DIRECTION_DOWN };

static bool observe_events(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    GaugeEvents   *events = &gauge->of.events;
    const Roundoff u = sight->u;
    const int      direction = (int)gauge_argument(gauge, sight, ARGUMENT_DIRECTION);
    const bool     inside = gauge_within(sight, gauge->instance, sight->t);
    (void)err;
    if (inside && events->begun) {
        const Ball level = ball(gauge_argument(gauge, sight, ARGUMENT_LEVEL)), y = ball_sub(u, events->value, level),
                   now = ball_sub(u, gauge_observed(gauge, sight), level);
        const Answer below = gauge_above(gauge_scaled(y, -1.0L)), above = gauge_above(y),
                     under = gauge_above(gauge_scaled(now, -1.0L)), over = gauge_above(now),
                     up = direction == DIRECTION_DOWN ? ANSWER_NO : gauge_and(below, gauge_not(under)),
                     down = direction == DIRECTION_UP ? ANSWER_NO : gauge_and(above, gauge_not(over));
        if (gauge_follow(gauge, gauge_or(up, down), counts[0] == 1, "events: a crossing, counted or not")) {
            const Ball part = ball_div(u, ball_mul(u, ball(sight->h), y), ball_sub(u, now, y));
            events->last = ball_sub(u, ball(sight->before), part);
            if (events->seen++ == 0)
                events->first = events->last;
        }
    } else if (counts[0] != 0) {
        gauge->wrong = "events: a crossing of fewer than two observations";
    }
    events->begun = inside;
    if (inside)
        events->value = gauge_observed(gauge, sight);
    return true;
}

static bool expect_events(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeEvents *events = &gauge->of.events;
    const Roundoff     u = sight->u;
    if (is(result, "event_count"))
        *expected = gauge_number(ball((long double)events->seen), "event_count, of the crossings that were seen");
    else if (events->seen == 0 || (events->seen == 1 && is(result, "event_interval")))
        *expected = gauge_nan("events, of too few crossings");
    else if (is(result, "event_first"))
        *expected = gauge_number(events->first, "event_first = t - h y/(y1 - y)");
    else if (is(result, "event_last"))
        *expected = gauge_number(events->last, "event_last = t - h y/(y1 - y)");
    else if (is(result, "event_interval"))
        *expected =
            gauge_number(ball_div(u, ball_sub(u, events->last, events->first), ball((long double)events->seen - 1.0L)),
                         "event_interval = (last - first)/(n - 1)");
    else
        return false;
    return true;
}

// v dR/dv, by the kernel's difference.
static Ball power_lost(const Sight *sight)
{
    const Roundoff    u = sight->u;
    const long double part = sight->single ? 4.9215667e-3L : 6.0554544523933395e-6L;
    const Ball        up = ball_rounded(u, 1.0L + part, 0.0L), down = ball_rounded(u, 1.0L - part, 0.0L);
    Ball              more[GAUGE_DOFS], less[GAUGE_DOFS];
    if (!gauge_has(sight, SCALAR_DISSIPATION))
        return ball(0.0L);
    for (size_t i = 0; i < sight->problem->dofs; ++i) {
        // A square that overflows is multiplied by a small coefficient too late.
        if (ball_ranged(u, ball_mul(u, sight->v[i], sight->v[i])).off == INFINITY)
            return (Ball){0.0L, INFINITY};
        more[i] = ball_mul(u, up, sight->v[i]);
        less[i] = ball_mul(u, down, sight->v[i]);
    }
    const Ball apart = ball_sub(u, gauge_value(sight, SCALAR_DISSIPATION, sight->x, more),
                                gauge_value(sight, SCALAR_DISSIPATION, sight->x, less));
    return ball_div(u, apart, ball_rounded(u, 2.0L * part, 0.0L));
}

// The integral goes on by a trapezium.
static Ball integrate(const Sight *sight, Ball sum, Ball before, Ball now)
{
    const Roundoff u = sight->u;
    return ball_ranged(u, ball_add(u, sum, ball_mul(u, gauge_scaled(ball(sight->h), 0.5L), ball_add(u, before, now))));
}

static bool observe_balance(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    GaugeBalance *balance = &gauge->of.balance;
    (void)counts, (void)err;
    if (!gauge_within(sight, gauge->instance, sight->t))
        return true;
    const Ball lost = power_lost(sight), gained = gauge_has(sight, SCALAR_POWER)
                                                      ? gauge_scalar(sight, SCALAR_POWER)
                                                      : ball(0.0L);
    balance->last = gauge_scalar(sight, SCALAR_ENERGY);
    if (balance->begun) {
        balance->dissipated = integrate(sight, balance->dissipated, balance->lost, lost);
        balance->work = integrate(sight, balance->work, balance->gained, gained);
    } else {
        balance->first = balance->last;
    }
    balance->lost = lost;
    balance->gained = gained;
    balance->begun = true;
    return true;
}

static bool expect_balance(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeBalance *balance = &gauge->of.balance;
    const Roundoff      u = sight->u;
    if (is(result, "dissipated_energy"))
        *expected = gauge_number(balance->dissipated, "dissipated_energy = sum h (P_n + P_{n+1})/2, P = v dR/dv");
    else if (is(result, "drive_work"))
        *expected = gauge_number(balance->work, "drive_work = sum h (F_n v_n + F_{n+1} v_{n+1})/2");
    else if (!is(result, "energy_residual"))
        return false;
    else if (!balance->begun)
        *expected = gauge_nan("energy_residual, of no observation");
    else
        *expected = gauge_number(
            ball_sub(u, ball_add(u, ball_sub(u, balance->last, balance->first), balance->dissipated), balance->work),
            "energy_residual = E(T) - E(0) + dissipated - work");
    return true;
}

const GaugeKind gauge_stats = {"stats", observe_stats, expect_stats, NULL, NULL},
                gauge_steady = {"steady", observe_steady, expect_steady, NULL, NULL},
                gauge_events = {"events", observe_events, expect_events, NULL, NULL},
                gauge_balance = {"balance", observe_balance, expect_balance, NULL, NULL};
