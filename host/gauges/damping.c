// damping -- turning points of Stirling's interpolation, and fits of the amplitudes between them.
#include "gauges/gauge.h"

#include <stdlib.h>

// Central differences of five values, the odd ones averaged: y(s) = y0 + s d1 + s^2/2 d2 + s (s^2 - 1)/6 d3 + s^2 (s^2
// - 1)/24 d4 (Stirling), s in observations from the middle one.
typedef struct Stirling {
    Ball y0, d1, d2, d3, d4;
} Stirling;

// The kernel has the coefficients of powers of s instead, from differences to the middle value: y1 and y2 of 8 and 16
// times the sums of the near values, less the sums of the far ones, over 12 and 24, y3 and y4 likewise with 2 and 4.
// With N and F the sizes of near and far differences, and five roundings on the way of each, they are off by less than
// u (40 N + 5 F)/12, u (80 N + 5 F)/24, u (10 N + 5 F)/12 and u (20 N + 5 F)/24. d1 is y1 + y3, d2 twice y2 + y4, d3
// six times y3 and d4 24 times y4; with the roundings of these sums they have the bounds below. The value of the
// quartic is then off by no more than its coefficients say, since |s| is at most 1.
static Stirling differences(Roundoff u, const Ball y[5])
{
    const long double near = fabsl(y[3].at - y[2].at) + fabsl(y[1].at - y[2].at),
                      far = fabsl(y[4].at - y[2].at) + fabsl(y[0].at - y[2].at), outer = y[0].off + y[4].off,
                      inner = y[1].off + y[3].off;
    const long double rise = (y[3].at - y[1].at) / 2.0L, bend = (y[3].at - y[2].at) + (y[1].at - y[2].at),
                      far_rise = (y[4].at - y[0].at) / 2.0L, far_bend = (y[4].at - y[2].at) + (y[0].at - y[2].at),
                      least = 64.0L * ball_least(u);
    return (Stirling){
        y[2],
        {rise, inner / 2.0L + u * (5.0L * near + far) + least},
        {bend, inner + 2.0L * y[2].off + u * (10.0L * near + far) + least},
        {far_rise - 2.0L * rise, outer / 2.0L + inner + u * (5.0L * near + 3.0L * far) + least},
        {far_bend - 4.0L * bend, outer + 4.0L * inner + 6.0L * y[2].off + u * (20.0L * near + 5.0L * far) + least}};
}

// A number over another that is known.
static Ball over(Roundoff u, Ball a, long double by)
{
    return ball_rounded(u, a.at / by, a.off / by);
}

static Ball sum3(Roundoff u, Ball a, Ball b, Ball c)
{
    return ball_add(u, ball_add(u, a, b), c);
}

// Horner's rule of degree 4 rounds 8 times, each time no more than all coefficients' sizes together. The second
// derivative is at most `most` between -1 and 1, so that a place that is off by ds makes |slope| ds + most ds^2/2.
static long double horner(Roundoff u, const Stirling *d)
{
    return 8.0L * u * (fabsl(d->d1.at) + fabsl(d->d2.at) + fabsl(d->d3.at) + fabsl(d->d4.at));
}

static long double most_bend(const Stirling *d)
{
    return fabsl(d->d2.at) + d->d2.off + fabsl(d->d3.at) + d->d3.off + fabsl(d->d4.at) + d->d4.off;
}

static Ball slope_at(Roundoff u, const Stirling *d, Ball s)
{
    const long double p = s.at, third = (3.0L * p * p - 1.0L) / 6.0L, fourth = (2.0L * p * p - 1.0L) * p / 12.0L;
    return (Ball){d->d1.at + p * d->d2.at + third * d->d3.at + fourth * d->d4.at,
                  d->d1.off + fabsl(p) * d->d2.off + d->d3.off / 3.0L + d->d4.off / 4.0L + horner(u, d) +
                      most_bend(d) * s.off};
}

static Ball curvature_at(Roundoff u, const Stirling *d, Ball s)
{
    const long double p = s.at, fourth = (6.0L * p * p - 1.0L) / 12.0L;
    return (Ball){d->d2.at + p * d->d3.at + fourth * d->d4.at,
                  d->d2.off + fabsl(p) * d->d3.off + d->d4.off / 2.0L + horner(u, d) +
                      s.off * (fabsl(d->d3.at) + d->d3.off + fabsl(d->d4.at) + d->d4.off)};
}

static Ball value_at(Roundoff u, const Stirling *d, Ball s)
{
    const long double p = s.at, square = p * p, third = p * (square - 1.0L) / 6.0L,
                      fourth = square * (square - 1.0L) / 24.0L, exact = 0.0L;
    const Ball        slope = slope_at(u, d, (Ball){p, exact});
    const long double at = d->y0.at + p * d->d1.at + square / 2.0L * d->d2.at + third * d->d3.at + fourth * d->d4.at;
    return ball_rounded(u, at,
                        d->y0.off + fabsl(p) * d->d1.off + square / 2.0L * d->d2.off + fabsl(third) * d->d3.off +
                            fabsl(fourth) * d->d4.off + fabsl(p) * horner(u, d) +
                            s.off * (fabsl(slope.at) + slope.off) + most_bend(d) * s.off * s.off / 2.0L);
}

// No further than 1 to either side, wherever it may be.
static Ball clamped(Ball s)
{
    const Ball one = ball(1.0L);
    if (!(s.off < INFINITY))
        return (Ball){0.0L, 1.0L};
    return gauge_max(gauge_scaled(one, -1.0L), gauge_min(s, one));
}

// Two steps of Newton's method from the vertex of the parabola, with the curvature there.
static Ball turning_point(Roundoff u, const Stirling *d, Ball vertex)
{
    const Ball at = clamped(vertex), curvature = curvature_at(u, d, at);
    Ball       s = at;
    for (int step = 0; step < 2; ++step)
        s = clamped(ball_sub(u, s, ball_div(u, slope_at(u, d, s), curvature)));
    return s;
}

static Ball range(Roundoff u, const Ball *values, int count)
{
    Ball low = values[0], high = values[0];
    for (int i = 1; i < count; ++i) {
        low = gauge_min(low, values[i]);
        high = gauge_max(high, values[i]);
    }
    return ball_sub(u, high, low);
}

// Below 0 where the energies range over more than the middle one and 8 times the range of the middle three.
static Ball evenness(Roundoff u, const Ball energy[5])
{
    return ball_sub(u, ball_add(u, gauge_abs(energy[2]), gauge_scaled(range(u, energy + 1, 3), 8.0L)),
                    range(u, energy, 5));
}

enum { LOG, LIFT };  // of an amplitude: its logarithm over the first, and how far the parabola lifts it

static bool add_amplitude(GaugeDamping *damping, Roundoff u, Ball top, Ball lift, Error *err)
{
    const size_t count = (size_t)damping->extrema - 1;
    const Ball   across = ball_sub(u, top, damping->top);
    if (count == damping->room) {
        const size_t room = damping->room ? 2 * damping->room : 32;
        Ball(*amplitudes)[2] = realloc(damping->amplitudes, room * sizeof *amplitudes);
        if (!amplitudes)
            return fail(err, ERROR_INTERNAL, "out of memory for %zu amplitudes", room);
        damping->amplitudes = amplitudes;
        damping->room = room;
    }
    damping->first_across = count == 0 ? across : damping->first_across;
    damping->amplitudes[count][LOG] =
        count == 0 ? ball(0.0L) : gauge_log(u, gauge_abs(ball_div(u, across, damping->first_across)));
    damping->amplitudes[count][LIFT] = ball_div(u, ball_sub(u, lift, damping->lift), across);
    return true;
}

static bool add_extremum(Gauge *gauge, const Sight *sight, Error *err)
{
    GaugeDamping  *damping = &gauge->of.damping;
    const Roundoff u = sight->u;
    const Stirling d = differences(u, gauge->window.y), energy = differences(u, gauge->window.energy);
    const Ball     vertex = gauge_scaled(ball_div(u, d.d1, d.d2), -1.0L), s = turning_point(u, &d, vertex),
               top = value_at(u, &d, s), parabola = ball_add(u, d.y0, gauge_scaled(ball_mul(u, vertex, d.d1), 0.5L)),
               lift = ball_sub(u, parabola, top), place = ball_add(u, ball((long double)sight->step - 2.0L), s);
    if (damping->extrema > 0 && !add_amplitude(damping, u, top, lift, err))
        return false;
    damping->top = top;
    damping->lift = lift;
    damping->last_place = place;
    damping->last_energy = value_at(u, &energy, s);
    damping->last_even = evenness(u, gauge->window.energy);
    if (damping->extrema == 0) {
        damping->first_place = place;
        damping->first_energy = damping->last_energy;
        damping->first_even = damping->last_even;
    }
    ++damping->extrema;
    return true;
}

static bool observe(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    gauge_push(gauge, sight, gauge->kind == &gauge_energy_loss);
    const Ball  *y = gauge->window.y;
    const Answer turned = gauge->window.count == 5 ? gauge_turns(y[1], y[2], y[3]) : ANSWER_NO;
    return !gauge_follow(gauge, turned, counts[0] == 1, "damping: an extremum, counted or not") ||
           add_extremum(gauge, sight, err);
}

// Least squares of a line and of a parabola through points at 1, 2, ..., and how far a kernel's are
// off.
//
// Here the coefficients are sums over all points, by polynomials that are orthogonal on them. The kernel adds a point
// at a time to a fit of the points before (damping.cl). That recursion is linear, and after k points a polynomial d
// that rounding has added to it is as if the first k points had been off by d: the fit of so many points is theirs
// alone. So the effect of its roundings is the effect of points that are off on least squares, which never is more than
// that.
typedef struct GaugeFit {
    Ball        slope;      // of the line, per point
    Ball        bend;       // of the parabola: half its second derivative
    Ball        scatter;    // root of the sum of the squares that the parabola leaves
    long double end_slope;  // the parabola's slope behind the last point, which the kernel keeps
} GaugeFit;

// The kernel's fit of the points so far, expected at the next one.
typedef struct Recursion {
    long double next, slope, bend;
} Recursion;

// Adds point number k, and returns how far the new roundings may be from no rounding at all at any of the points so
// far.
//   own  written: the rounding that is the point's alone
static long double add_point(Roundoff u, size_t k, long double y, Recursion *r, long double *own)
{
    const long double n = (long double)k, expected = k == 1 ? y : r->next, off = y - expected,
                      part = 3.0L * off / (n * (n + 1.0L) * (n + 2.0L));
    const long double up = (3.0L * n * (n - 1.0L) + 2.0L) * part, tilt = (12.0L * n - 6.0L) * part, curl = 10.0L * part;
    const long double value = expected + up, steeper = r->slope + tilt, bent = r->bend + curl;
    // A product of the three factors of `part` and of a coefficient is rounded no more than ten times.
    const long double in_value = 10.0L * u * fabsl(up) + u * fabsl(value),
                      in_steeper = 10.0L * u * fabsl(tilt) + u * fabsl(steeper),
                      in_bent = 10.0L * u * fabsl(curl) + u * fabsl(bent);
    *r = (Recursion){value + steeper + bent, steeper + 2.0L * bent, bent};
    const long double in_next =
        in_value + in_steeper + in_bent + 2.0L * u * (fabsl(value) + fabsl(steeper) + fabsl(bent));
    const long double in_slope = in_steeper + 2.0L * in_bent + u * fabsl(r->slope);
    *own = u * fabsl(off);
    return k == 1 ? 0.0L : in_next + n * (in_slope + n * in_bent);
}

// The polynomials of first and second degree that are orthogonal to the lower ones on 1 .. n, over their squares' sums.
static long double line_weight(long double n, long double i)
{
    return 12.0L * (i - (n + 1.0L) / 2.0L) / (n * (n * n - 1.0L));
}

static long double curve(long double n, long double i)
{
    const long double from = i - (n + 1.0L) / 2.0L;
    return from * from - (n * n - 1.0L) / 12.0L;
}

static long double curve_weight(long double n, long double i)
{
    return 180.0L * curve(n, i) / (n * (n * n - 1.0L) * (n * n - 4.0L));
}

static void add_off(GaugeFit *fit, long double line, long double curved, long double off)
{
    fit->slope.off += line * off;
    fit->bend.off += curved * off;
}

// Adds the effect of points that are off and of the recursion's roundings to the bounds. The root of the squares left
// over is a norm of the points, so that it moves by no more than their own.
static void find_bounds(Roundoff u, const Ball points[][2], int of, size_t count, GaugeFit *fit)
{
    const long double n = (long double)count;
    Recursion         r = {0};
    long double       line = 0.0L, curved = 0.0L, squares = 0.0L;
    for (size_t k = 1; k <= count; ++k) {
        const long double i = (long double)k, weight = fabsl(line_weight(n, i)), curve = fabsl(curve_weight(n, i));
        long double       own;
        const long double all = add_point(u, k, points[k - 1][of].at, &r, &own), off = points[k - 1][of].off + own;
        line += weight;
        curved += curve;
        add_off(fit, weight, curve, off);
        add_off(fit, line, curved, all);
        squares += off * off;
        fit->scatter.off += sqrtl(i) * all;
    }
    // The sum of the squares is rounded at each point, and so are their factors.
    fit->scatter.off += sqrtl(squares) + 0.5L * (n + 20.0L) * u * fit->scatter.at;
    fit->end_slope = r.slope;
}

// Of at least four points.
//   of  which of their numbers
static GaugeFit fit_points(Roundoff u, const Ball points[][2], int of, size_t count)
{
    const long double n = (long double)count;
    GaugeFit          fit = {0};
    long double       mean = 0.0L, squares = 0.0L;
    for (size_t k = 1; k <= count; ++k) {
        const long double i = (long double)k, y = points[k - 1][of].at;
        mean += y / n;
        fit.slope.at += line_weight(n, i) * y;
        fit.bend.at += curve_weight(n, i) * y;
    }
    for (size_t k = 1; k <= count; ++k) {
        const long double i = (long double)k;
        const long double left =
            points[k - 1][of].at - mean - fit.slope.at * (i - (n + 1.0L) / 2.0L) - fit.bend.at * curve(n, i);
        squares += left * left;
    }
    fit.scatter.at = sqrtl(squares);
    if (u > 0.0L)
        find_bounds(u, points, of, count, &fit);
    return fit;
}

static Ball observations_per_cycle(const GaugeDamping *damping, Roundoff u)
{
    return ball_div(u, gauge_scaled(ball_sub(u, damping->last_place, damping->first_place), 2.0L),
                    ball((long double)damping->extrema - 1.0L));
}

// Twice the slope of the line, of which the kernel has a sum of two terms that may be larger.
static Ball slope_of_cycle(const GaugeFit *fit, Roundoff u, long double n)
{
    const Ball slope = gauge_scaled(fit->slope, 2.0L);
    return ball_rounded(u, slope.at, slope.off + 4.0L * u * (fabsl(fit->end_slope) + fabsl(fit->bend.at * (n + 1.0L))));
}

// The metric's results, where there are four amplitudes.
typedef struct Decrement {
    Ball all, first, last, error;
} Decrement;

//   floor  8 unit roundoffs of the metric's precision, which are of its definition
static Ball error_of(const GaugeFit *logs, const GaugeFit *lifts, Roundoff u, long double n, Ball floor)
{
    // The sum of squares that the line leaves is the parabola's and that of the bend, which its own sum of squares
    // multiplies.
    const Ball squares = ball_mul(u, logs->scatter, logs->scatter),
               bent = ball_mul(u, ball_mul(u, logs->bend, logs->bend),
                               ball_rounded(u, n * (n * n - 1.0L) * (n * n - 4.0L) / 180.0L, 0.0L)),
               line = gauge_root(u, over(u, ball_add(u, squares, bent), n - 2.0L)),
               parabola = over(u, logs->scatter, sqrtl(n - 3.0L)),
               noise = over(u, ball_mul(u, ball(12.0L), ball_add(u, line, ball_mul(u, ball(6.0L), parabola))), n),
               lift = gauge_abs(slope_of_cycle(lifts, u, n));
    return sum3(u, noise, lift, floor);
}

static Decrement measure(const GaugeDamping *damping, Roundoff u, bool single)
{
    const size_t   count = (size_t)damping->extrema - 1;
    const GaugeFit logs = fit_points(u, damping->amplitudes, LOG, count),
                   lifts = fit_points(u, damping->amplitudes, LIFT, count);
    return (Decrement){
        .all = gauge_scaled(slope_of_cycle(&logs, u, (long double)count), -1.0L),
        .first = gauge_scaled(damping->amplitudes[2][LOG], -1.0L),
        .last = ball_sub(u, damping->amplitudes[count - 3][LOG], damping->amplitudes[count - 1][LOG]),
        .error = error_of(&logs, &lifts, u, (long double)count,
                          gauge_scaled(observations_per_cycle(damping, u), single ? 0x1p-21L : 0x1p-50L)),
    };
}

enum { MEASURED, NO_OSCILLATION, FEW_CYCLES, UNDERSAMPLED, IRREGULAR, GROWING, UNFINISHED };

// The states that a decrement may have, bit k for state k: each question in turn leaves the states that answer it
// otherwise.
static uint32_t states(const GaugeDamping *damping, Roundoff u, const Sight *sight, const Decrement *decrement)
{
    if (damping->extrema < 2)
        return 1u << NO_OSCILLATION;
    if (damping->extrema < 5)
        return 1u << FEW_CYCLES;
    const long double least = sight->single ? (long double)1e-5f : (long double)1e-5,
                      tenth = sight->single ? (long double)0.1f : (long double)0.1;
    const Ball   per_cycle = observations_per_cycle(damping, u);
    const Ball   permitted = ball_add(u, ball_mul(u, ball(tenth), gauge_abs(decrement->all)), ball(least));
    const Ball   growth = gauge_scaled(ball_add(u, decrement->all, decrement->error), -1.0L);
    const Answer questions[] = {gauge_above((Ball){8.0L - per_cycle.at, per_cycle.off}),
                                gauge_above(ball_sub(u, decrement->error, permitted)), gauge_above(growth)};
    const int    answers[] = {UNDERSAMPLED, IRREGULAR, GROWING};
    uint32_t     possible = 0;
    for (int i = 0; i < 3; ++i) {
        possible |= questions[i] != ANSWER_NO ? 1u << answers[i] : 0u;
        if (questions[i] == ANSWER_YES)
            return possible;
    }
    return possible | 1u << MEASURED;
}

static void expect_damping(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeDamping *damping = &gauge->of.damping;
    const Decrement     d = damping->extrema >= 5 ? measure(damping, sight->u, sight->single) : (Decrement){0};
    const uint32_t      possible = states(damping, sight->u, sight, &d), measured = 1u << MEASURED | 1u << GROWING;
    const bool number = gauge_result(expected, result, true, d.all, "log_decrement = -2 slope of ln a_k over k") ||
                        gauge_result(expected, result, true, d.first, "log_decrement_first = ln(a_0/a_2)") ||
                        gauge_result(expected, result, true, d.last, "log_decrement_last = ln(a_{n-3}/a_{n-1})") ||
                        gauge_result(expected, result, true, d.error, "log_decrement_error, of the scatter of ln a_k");
    if (number) {
        expected->number = (possible & measured) != 0;
        expected->nan = (possible & ~measured) != 0;
    } else if (gauge_result(expected, result, true, ball(0.0L), "damping_state, of its definition")) {
        expected->among = possible;
    }
}

static void expect_loss(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeDamping *damping = &gauge->of.damping;
    const Roundoff      u = sight->u;
    const Ball          lost = ball_sub(u, damping->first_energy, damping->last_energy),
               cycles = ball(0.5L * ((long double)damping->extrema - 1.0L)),
               span = ball_sub(u, damping->last_place, damping->first_place),
               even = sum3(u, damping->first_even, damping->last_even, gauge_scaled(gauge_abs(lost), 8.0L));
    const Answer few = gauge_above((Ball){8.0L * cycles.at - span.at, span.off}),
                 uneven = gauge_above(gauge_scaled(even, -1.0L)), nan = gauge_or(few, uneven);
    const bool cycle = damping->extrema >= 3;
    if (gauge_result(expected, result, cycle, ball_div(u, lost, cycles),
                     "energy_loss = E lost between the extrema, per cycle") &&
        cycle) {
        expected->number = nan != ANSWER_YES;
        expected->nan = nan != ANSWER_NO;
    }
}

static void end(Gauge *gauge)
{
    free(gauge->of.damping.amplitudes);
    gauge->of.damping = (GaugeDamping){0};
}

const GaugeKind gauge_damping = {"damping", .observe = observe, .expect = expect_damping, .end = end},
                gauge_energy_loss = {"energy_loss", .observe = observe, .expect = expect_loss, .end = end};
