// motion -- extremes and sums of a whole motion: stats, steady, events, balance.
#include "gauges/gauge.h"

static void extend(GaugeRange *range, Ball value)
{
    range->low = range->seen ? gauge_min(range->low, value) : value;
    range->high = range->seen ? gauge_max(range->high, value) : value;
    ++range->seen;
}

static void see_stats(Gauge *gauge, Sight *sight)
{
    GaugeStats    *stats = &gauge->of.stats;
    const Roundoff u = sight->u;
    const Ball     now = gauge_observed(gauge, sight);
    extend(&stats->range, now);
    stats->sum = ball_add(u, stats->sum, now);
    stats->squares = ball_ranged(u, ball_add(u, stats->squares, ball_mul(u, now, now)));
}

static void expect_stats(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeStats *stats = &gauge->of.stats;
    const GaugeRange *range = &stats->range;
    const Roundoff    u = sight->u;
    const Ball        seen = ball((long double)range->seen), square = ball_div(u, stats->squares, seen);
    const bool        any = range->seen > 0;
    gauge_result(expected, result, any, range->low, "minimum = min y");
    gauge_result(expected, result, any, range->high, "maximum = max y");
    gauge_result(expected, result, any, ball_div(u, stats->sum, seen), "mean_value = sum y / n");
    gauge_result(expected, result, any, gauge_root(u, square), "rms_value = sqrt(sum y^2 / n)");
    gauge_result(expected, result, any, ball_sub(u, range->high, range->low), "peak_to_peak = max y - min y");
}

// The kernel compares numbers of its own precision, of which each operation here has one rounding too.
static bool at_most(const Sight *sight, double left, double share)
{
    const double all = (double)sight->steps;
    return sight->single ? (float)left <= (float)share * (float)all : left <= share * all;
}

static void see_steady(Gauge *gauge, Sight *sight)
{
    GaugeSteady *steady = &gauge->of.steady;
    const double left = (double)(sight->steps - sight->step), share = gauge_argument(gauge, sight, 0);
    if (at_most(sight, left, 0.5 * share))
        extend(&steady->late, gauge_observed(gauge, sight));
    else if (at_most(sight, left, share))
        extend(&steady->early, gauge_observed(gauge, sight));
}

static Ball half_of(Roundoff u, const GaugeRange *range)
{
    return gauge_scaled(ball_sub(u, range->high, range->low), 0.5L);
}

static void expect_steady(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeRange *late = &gauge->of.steady.late, *early = &gauge->of.steady.early;
    const Roundoff    u = sight->u;
    const Ball        amplitude = half_of(u, late), apart = ball_sub(u, amplitude, half_of(u, early)),
               offset = gauge_scaled(ball_add(u, late->low, late->high), 0.5L);
    const bool any = late->seen > 0, both = any && early->seen > 0;
    gauge_result(expected, result, any, amplitude, "steady_amplitude = (max y - min y)/2");
    gauge_result(expected, result, any, offset, "steady_offset = (max y + min y)/2");
    if (gauge_result(expected, result, both, gauge_abs(ball_div(u, apart, amplitude)), "steady_change = |A - A1|/A") &&
        both) {
        expected->nan = amplitude.at - amplitude.off <= 0.0L;
        expected->number = amplitude.at + amplitude.off > 0.0L;
        // A motion that has come to rest changed without end, one that was at rest did not.
        if (!expected->number) {
            const long double change = fabsl(apart.at);
            expected->value = (Ball){INFINITY, 0.0L};
            expected->number = change + apart.off > 0.0L;
            expected->nan = change - apart.off <= 0.0L;
        }
    }
}

enum { ARGUMENT_LEVEL, ARGUMENT_DIRECTION };

static bool observe_events(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    GaugeEvents         *events = &gauge->of.events;
    const Roundoff       u = sight->u;
    const GaugeDirection direction = (GaugeDirection)gauge_argument(gauge, sight, ARGUMENT_DIRECTION);
    const bool           inside = gauge_within(sight, gauge->instance, sight->t);
    (void)err;
    if (inside && events->begun) {
        const Ball level = ball(gauge_argument(gauge, sight, ARGUMENT_LEVEL)), y = ball_sub(u, events->value, level),
                   now = ball_sub(u, gauge_observed(gauge, sight), level);
        if (gauge_follow(gauge, gauge_crosses(y, now, direction), counts[0] == 1,
                         "events: a crossing, counted or not")) {
            events->last = gauge_crossing(sight, y, now);
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

static void expect_events(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeEvents *events = &gauge->of.events;
    const Roundoff     u = sight->u;
    const Ball         seen = ball((long double)events->seen), span = ball_sub(u, events->last, events->first),
               interval = ball_div(u, span, ball(seen.at - 1.0L));
    gauge_result(expected, result, true, seen, "event_count, of the crossings that were seen");
    gauge_result(expected, result, events->seen > 0, events->first, "event_first = t - h y/(y1 - y)");
    gauge_result(expected, result, events->seen > 0, events->last, "event_last = t - h y/(y1 - y)");
    gauge_result(expected, result, events->seen > 1, interval, "event_interval = (last - first)/(n - 1)");
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

static void see_balance(Gauge *gauge, Sight *sight)
{
    GaugeBalance *balance = &gauge->of.balance;
    const Ball    lost = power_lost(sight),
               gained = gauge_has(sight, SCALAR_POWER) ? gauge_scalar(sight, SCALAR_POWER) : ball(0.0L);
    balance->last = gauge_scalar(sight, SCALAR_ENERGY);
    if (gauge->begun) {
        balance->dissipated = integrate(sight, balance->dissipated, balance->lost, lost);
        balance->work = integrate(sight, balance->work, balance->gained, gained);
    } else {
        balance->first = balance->last;
    }
    balance->lost = lost;
    balance->gained = gained;
}

static void expect_balance(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeBalance *balance = &gauge->of.balance;
    const Roundoff      u = sight->u;
    const Ball          change = ball_sub(u, balance->last, balance->first),
               residual = ball_sub(u, ball_add(u, change, balance->dissipated), balance->work);
    gauge_result(expected, result, true, balance->dissipated,
                 "dissipated_energy = sum h (P_n + P_{n+1})/2, P = v dR/dv");
    gauge_result(expected, result, true, balance->work, "drive_work = sum h (F_n v_n + F_{n+1} v_{n+1})/2");
    gauge_result(expected, result, gauge->begun, residual, "energy_residual = E(T) - E(0) + dissipated - work");
}

const GaugeKind gauge_stats = {"stats", .see = see_stats, .expect = expect_stats},
                gauge_steady = {"steady", .see = see_steady, .expect = expect_steady},
                gauge_events = {"events", .observe = observe_events, .expect = expect_events},
                gauge_balance = {"balance", .see = see_balance, .expect = expect_balance};
