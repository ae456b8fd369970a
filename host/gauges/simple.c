// simple -- extrema, sums and distances along a trajectory: energy, kinetic, extent, fast_mode, error, visual.
#include "gauges/gauge.h"

static void see_energy(Gauge *gauge, Sight *sight)
{
    GaugeEnergy   *energy = &gauge->of.energy;
    const Roundoff u = sight->u;
    energy->last = gauge_scalar(sight, SCALAR_ENERGY);
    if (!gauge->begun) {
        const Ball kinetic = gauge_has(sight, SCALAR_KINETIC) ? gauge_scalar(sight, SCALAR_KINETIC) : ball(0.0L);
        energy->first = energy->last;
        energy->scale = gauge_max(gauge_abs(energy->first), kinetic);
        energy->drift = ball(0.0L);
        return;
    }
    energy->drift = gauge_max(energy->drift, gauge_abs(ball_sub(u, energy->last, energy->first)));
}

static void expect_energy(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeEnergy *energy = &gauge->of.energy;
    const Ball         drift = ball_div(sight->u, energy->drift, energy->scale),
               ratio = ball_div(sight->u, energy->last, energy->first);
    gauge_result(expected, result, gauge->begun, energy->first, "energy_initial = E(0)");
    gauge_result(expected, result, gauge->begun, energy->last, "energy_final = E(T)");
    gauge_result(expected, result, gauge->begun, drift, "energy_drift = max |E - E0| / max(|E0|, K0)");
    gauge_result(expected, result, gauge->begun, ratio, "energy_ratio = E(T)/E(0)");
}

// A trapezium for every two successive observations that lie in the window.
static void see_kinetic(Gauge *gauge, Sight *sight)
{
    GaugeKinetic  *kinetic = &gauge->of.kinetic;
    const Roundoff u = sight->u;
    const Ball     now = gauge_scalar(sight, SCALAR_KINETIC);
    if (gauge->begun && kinetic->next == sight->step)
        kinetic->integral = ball_add(u, kinetic->integral,
                                     ball_mul(u, ball(sight->h), gauge_scaled(ball_add(u, kinetic->last, now), 0.5L)));
    kinetic->largest = gauge->begun ? gauge_max(kinetic->largest, now) : now;
    kinetic->last = now;
    kinetic->next = sight->step + 1;
}

static void expect_kinetic(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeKinetic *kinetic = &gauge->of.kinetic;
    (void)sight;
    gauge_result(expected, result, true, kinetic->integral, "kinetic_integral = sum h (T_n + T_{n+1})/2");
    if (gauge_result(expected, result, gauge->begun, kinetic->largest, "kinetic_max = max T") && gauge->begun) {
        // A value below 0 has no such meaning.
        expected->number = kinetic->largest.at + kinetic->largest.off >= 0.0L;
        expected->nan = kinetic->largest.at - kinetic->largest.off < 0.0L;
    }
}

static void see_extent(Gauge *gauge, Sight *sight)
{
    GaugeExtent *extent = &gauge->of.extent;
    for (size_t i = 0; i < sight->problem->dofs; ++i)
        extent->largest.at = larger_of(extent->largest.at, fabsl(sight->x[i].at));
}

static void expect_extent(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    (void)sight;
    gauge_result(expected, result, gauge->begun, gauge->of.extent.largest, "x_max = max |x_i|");
}

static void see_fast(Gauge *gauge, Sight *sight)
{
    GaugeFast *fast = &gauge->of.fast;
    const Ball y = gauge_scalar(sight, SCALAR_FAST);
    fast->largest = gauge_max(fast->largest, gauge_abs(y));
    if (sight->step >= sight->steps - sight->steps / 4) {
        fast->squares = ball_ranged(sight->u, ball_add(sight->u, fast->squares, ball_mul(sight->u, y, y)));
        ++fast->count;
    }
}

static void expect_fast(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeFast *fast = &gauge->of.fast;
    const Ball       square = ball_div(sight->u, fast->squares, ball((long double)fast->count));
    gauge_result(expected, result, gauge->begun, fast->largest, "radius_error_max = max |fast|");
    gauge_result(expected, result, fast->count > 0, gauge_root(sight->u, square),
                 "high_frequency_amplitude = sqrt(mean fast^2) of the last quarter");
}

static void see_error(Gauge *gauge, Sight *sight)
{
    GaugeError *error = &gauge->of.error;
    Ball        largest = ball(0.0L);
    if (sight->solved.rows > 0 && !sight->sample)
        return;
    error->begun = true;
    for (size_t i = 0; i < sight->problem->dofs; ++i) {
        const Ball solution = sight->solved.x ? gauge_sample(sight, i) : gauge_solution(sight)[i];
        error->unknown = error->unknown || isnan(solution.at);
        largest = gauge_max(largest, gauge_abs(ball_sub(sight->u, sight->x[i], solution)));
    }
    error->last = largest;
    error->largest = gauge_max(error->largest, largest);
}

static void expect_error(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeError *error = &gauge->of.error;
    const bool        known = error->begun && !error->unknown;
    (void)sight;
    gauge_result(expected, result, known, error->largest, "error_max = max |x - x_solution|");
    gauge_result(expected, result, known, error->last, "error_final = |x - x_solution| at the end");
}

// The slow coordinate as it should be: of the limit, of the table, of the closed form.
static Ball slow_solution(Sight *sight)
{
    Ball x[GAUGE_DOFS];
    if (sight->solved.limit)
        return gauge_sample(sight, sight->solved.rows - 1);
    for (size_t i = 0; i < sight->problem->dofs; ++i)
        x[i] = sight->solved.x ? gauge_sample(sight, i) : gauge_solution(sight)[i];
    return gauge_value(sight, SCALAR_SLOW, x, NULL);
}

// The kernels take the arc tangent of sine and cosine, which are each within 1.6 units in the last place. The angle
// around the circle is off by no more than its difference is; by long double's digits of the full turns; and by the
// rounding of sine, cosine and arc tangent, a part of the angle of no more than 8 roundoffs.
static Ball around_circle(Roundoff u, Ball apart)
{
    static const long double turn = 6.28318530717958647692528676655900577L;
    const long double        angle = fabsl(remainderl(apart.at, turn));
    return (Ball){angle, apart.off + 0x1p-63L * fabsl(apart.at) + 8.0L * u * angle + ball_least(u)};
}

static void see_visual(Gauge *gauge, Sight *sight)
{
    GaugeVisual *visual = &gauge->of.visual;
    if (sight->solved.rows > 0 && !sight->sample)
        return;
    const Ball apart = ball_sub(sight->u, gauge_scalar(sight, SCALAR_SLOW), slow_solution(sight));
    visual->unknown = visual->unknown || isnan(apart.at);
    visual->angle = gauge_max(visual->angle, around_circle(sight->u, apart));
    if (gauge_has(sight, SCALAR_FAST))
        visual->radius = gauge_max(visual->radius, gauge_abs(gauge_scalar(sight, SCALAR_FAST)));
}

static void expect_visual(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeVisual *visual = &gauge->of.visual;
    const long double  limit = sight->single ? (long double)0.1f : (long double)0.1;
    const Ball         over = {visual->radius.at - limit, visual->radius.off},
               under = {0.5L - visual->angle.at, visual->angle.off};
    const Answer right = gauge_and(gauge_not(gauge_above(over)), gauge_above(under));
    gauge_result(expected, result, !visual->unknown, visual->angle,
                 "angle_error_max = max |slow - slow_solution| around the circle");
    if (gauge_result(expected, result, !visual->unknown, ball(right == ANSWER_YES),
                     "visually_correct = max |fast| <= 0.1 and angle_error_max < 0.5"))
        expected->among = (right != ANSWER_YES ? 1u : 0u) | (right != ANSWER_NO ? 2u : 0u);
}

const GaugeKind gauge_energy = {"energy", .see = see_energy, .expect = expect_energy},
                gauge_kinetic = {"kinetic", .see = see_kinetic, .expect = expect_kinetic},
                gauge_extent = {"extent", .see = see_extent, .expect = expect_extent},
                gauge_fast_mode = {"fast_mode", .see = see_fast, .expect = expect_fast},
                gauge_error = {"error", .see = see_error, .expect = expect_error},
                gauge_visual = {"visual", .see = see_visual, .expect = expect_visual};
