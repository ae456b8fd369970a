// oscillation -- parabolas through three observations, lines through two, and least squares over extrema.
#include "gauges/gauge.h"

#include <string.h>

enum { COUNT_EXTREMA, COUNT_CROSSINGS };

static void add_extremum(GaugeOscillation *o, Roundoff u, Ball height, Ball time)
{
    const Ball amplitude = gauge_abs(height);
    if (o->extrema == 0) {
        o->first_amplitude = amplitude;
        o->first_time = time;
    }
    o->last_amplitude = amplitude;
    if (o->extrema > 0) {
        const Ball dt = ball_sub(u, time, o->first_time), dl = gauge_log(u, ball_div(u, amplitude, o->first_amplitude));
        o->sum_t = ball_add(u, o->sum_t, dt);
        o->sum_l = ball_add(u, o->sum_l, dl);
        o->sum_tt = ball_add(u, o->sum_tt, ball_mul(u, dt, dt));
        o->sum_tl = ball_add(u, o->sum_tl, ball_mul(u, dt, dl));
    }
    ++o->extrema;
}

// Through y(-h), y(0), y(h) of the last three observations: slope (rise + next)/2h, curvature (next - rise)/h^2.
static void see_extremum(Gauge *gauge, const Sight *sight, bool kernel)
{
    GaugeOscillation *o = &gauge->of.oscillation;
    const Roundoff    u = sight->u;
    const Ball       *y = gauge->window.y + gauge->window.count - 3, rise = ball_sub(u, y[1], y[0]),
               next = ball_sub(u, y[2], y[1]), slope = ball_add(u, rise, next),
               vertex = ball_div(u, slope, gauge_scaled(ball_sub(u, next, rise), -2.0L)),
               height = ball_add(u, y[1], gauge_scaled(ball_mul(u, slope, vertex), 0.25L));
    // One of height 0 is not counted.
    const Answer counted =
        gauge_and(gauge_turns(y[0], y[1], y[2]), fabsl(height.at) > height.off ? ANSWER_YES : ANSWER_EITHER);
    if (gauge_follow(gauge, counted, kernel, "oscillation: an extremum, counted or not"))
        add_extremum(o, u, height, ball_add(u, ball(sight->before), ball_mul(u, ball(sight->h), vertex)));
}

static void see_crossing(Gauge *gauge, const Sight *sight, bool kernel)
{
    GaugeOscillation *o = &gauge->of.oscillation;
    const Ball        y = gauge->window.y[gauge->window.count - 2], now = gauge->window.y[gauge->window.count - 1];
    const Answer      rose = gauge_crosses(y, now, GAUGE_UP);
    if (!gauge_follow(gauge, rose, kernel, "oscillation: a crossing, counted or not"))
        return;
    const Ball time = gauge_crossing(sight, y, now);
    if (o->crossings == 0)
        o->first_crossing = time;
    o->last_crossing = time;
    ++o->crossings;
}

static bool observe(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    (void)err;
    gauge_push(gauge, sight, false);
    if (gauge->window.count >= 3)
        see_extremum(gauge, sight, counts[COUNT_EXTREMA] == 1);
    else if (counts[COUNT_EXTREMA] != 0)
        gauge->wrong = "oscillation: an extremum of fewer than three observations";
    if (gauge->window.count >= 2)
        see_crossing(gauge, sight, counts[COUNT_CROSSINGS] == 1);
    else if (counts[COUNT_CROSSINGS] != 0)
        gauge->wrong = "oscillation: a crossing of fewer than two observations";
    return true;
}

// Minus the slope of least squares of ln|extremum| over time.
static Ball decay_rate(const GaugeOscillation *o, Roundoff u)
{
    const Ball n = ball((long double)o->extrema),
               across = ball_sub(u, ball_mul(u, n, o->sum_tl), ball_mul(u, o->sum_t, o->sum_l)),
               along = ball_sub(u, ball_mul(u, n, o->sum_tt), ball_mul(u, o->sum_t, o->sum_t));
    return gauge_scaled(ball_div(u, across, along), -1.0L);
}

static Ball period(const GaugeOscillation *o, Roundoff u)
{
    return ball_div(u, ball_sub(u, o->last_crossing, o->first_crossing), ball((long double)o->crossings - 1.0L));
}

static void expect(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    static const long double turn = 6.28318530717958647692528676655900577L;
    const GaugeOscillation  *o = &gauge->of.oscillation;
    const Roundoff           u = sight->u;
    const bool               any = o->extrema > 0, line = o->extrema > 1, cycle = o->crossings > 1;
    const Ball               decay = decay_rate(o, u), length = period(o, u),
               ratio = ball_div(u, ball_mul(u, decay, length), ball_rounded(u, turn, 0.0L));
    gauge_result(expected, result, any, o->first_amplitude, "amplitude_initial = |vertex| of the first parabola");
    gauge_result(expected, result, any, o->last_amplitude, "amplitude_final = |vertex| of the last parabola");
    gauge_result(expected, result, line, decay, "decay_rate = -slope of ln|extremum| over time");
    gauge_result(expected, result, cycle, length, "period = mean time between upward crossings");
    gauge_result(expected, result, line && cycle, ratio, "damping_ratio = decay_rate period/(2 pi)");
    if (cycle && strcmp(result, "period_error") == 0) {
        const Ball exact = gauge_value(sight, SCALAR_PERIOD, NULL, NULL),
                   error = ball_sub(u, ball_div(u, length, exact), ball(1.0L));
        gauge_result(expected, result, !isnan(exact.at), error, "period_error = period/exact - 1");
    }
}

const GaugeKind gauge_oscillation = {"oscillation", .observe = observe, .expect = expect};
