// gauge -- metrics by name, their problem's numbers, answers, and operations on balls that metrics need.
#include "gauges/gauge.h"
#include "plan/observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const GaugeKind *const kinds[] = {
    &gauge_balance,  &gauge_damping,   &gauge_energy,  &gauge_energy_loss, &gauge_error,  &gauge_events,
    &gauge_extent,   &gauge_fast_mode, &gauge_kinetic, &gauge_lyapunov,    &gauge_misfit, &gauge_oscillation,
    &gauge_poincare, &gauge_section,   &gauge_stats,   &gauge_steady,      &gauge_visual,
};

static const GaugeKind *find_kind(const Card *card)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(kinds[i]->metric, card->name) == 0)
            return catalog_embeds(card) ? kinds[i] : NULL;
    return NULL;
}

bool gauge_knows(const Card *metric)
{
    const bool counts = strcmp(metric->name, "counters") == 0 || strcmp(metric->name, "condition") == 0;
    return metric->of_events || find_kind(metric) || (counts && catalog_embeds(metric));
}

void gauge_end(const Group *group, Gauge *gauges)
{
    for (size_t i = 0; i < group->instance_count; ++i)
        if (gauges[i].kind && gauges[i].kind->end)
            gauges[i].kind->end(&gauges[i]);
}

void gauge_begin(const Group *group, Gauge *gauges)
{
    size_t argument = 0;
    gauge_end(group, gauges);
    for (size_t i = 0; i < group->instance_count; ++i) {
        const MetricInstance *instance = &group->instances[i];
        const Gauge           before = gauges[i];
        const bool            same = before.instance == instance;
        gauges[i] = (Gauge){instance, .first_argument = argument};
        gauges[i].kind = same ? before.kind : find_kind(instance->card);
        gauges[i].known = same ? before.known : gauge_knows(instance->card);
        argument += instance->card->parameter_count;
    }
}

bool gauge_observe(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    if (gauge->kind && gauge->kind->observe)
        return gauge->kind->observe(gauge, sight, counts, err);
    if (!gauge->kind || !gauge_within(sight, gauge->instance, sight->t))
        return true;
    gauge->kind->see(gauge, sight);
    gauge->begun = true;
    return true;
}

void gauge_expect(Gauge *gauge, Sight *sight, const CardResult *result, size_t k, bool ok, Expected *expected)
{
    *expected = gauge_nan("NaN, of a point that failed");
    if (!ok && result->whole && gauge->kind == &gauge_damping)
        *expected = (Expected){.number = true, .among = 1u << 6, .formula = "damping_state, of a point that failed"};
    else if ((ok || result->whole) && gauge->kind->expect)
        gauge->kind->expect(gauge, sight, result->name, expected);
    else if (ok || result->whole)
        gauge->kind->expect_sample(gauge, sight, result->name, k, expected);
}

double gauge_argument(const Gauge *gauge, const Sight *sight, size_t which)
{
    return sight->arguments[gauge->first_argument + which];
}

GaugeProblem gauge_problem(const Card *card, size_t dofs, GaugeFind *find, const void *found_by)
{
    static const char *const words[SCALAR_COUNT] = {"energy",      "kinetic", "fast", "slow", "period",
                                                    "dissipation", "drive",   NULL,   "exact"};
    GaugeProblem             problem = {card, dofs, .find = find, .found_by = found_by};
    for (size_t i = 0; i < SCALAR_COUNT; ++i)
        problem.has[i] = !words[i] || card_lists(card->provides, card->provide_count, words[i]);
    return problem;
}

bool gauge_has(const Sight *sight, Scalar which)
{
    return sight->problem->has[which];
}

Ball gauge_value(const Sight *sight, Scalar which, const Ball *x, const Ball *v)
{
    const Ball t = ball(which == SCALAR_POWER ? sight->t : 0.0);
    Ball       value;
    sight->problem->find(sight->problem->found_by, which, t, x, v, &value);
    return value;
}

Ball gauge_scalar(Sight *sight, Scalar which)
{
    const bool coordinate = which == SCALAR_FAST || which == SCALAR_SLOW;
    if (!sight->found[which])
        sight->number[which] =
            gauge_value(sight, which, which == SCALAR_POWER ? NULL : sight->x, coordinate ? NULL : sight->v);
    sight->found[which] = true;
    return sight->number[which];
}

const Ball *gauge_solution(Sight *sight)
{
    if (!sight->found[SCALAR_SOLUTION])
        sight->problem->find(sight->problem->found_by, SCALAR_SOLUTION, ball(sight->t), NULL, NULL, sight->solution);
    sight->found[SCALAR_SOLUTION] = true;
    return sight->solution;
}

void gauge_rates(const Sight *sight, Ball t, const Ball *x, const Ball *v, Ball *rates)
{
    const GaugeProblem *problem = sight->problem;
    const bool          first_order = problem->card->first_order;
    const Ball          none[GAUGE_DOFS] = {{0.0L, 0.0L}};
    problem->find(problem->found_by, SCALAR_RATES, t, first_order ? none : x, first_order ? x : v,
                  first_order ? rates : rates + problem->dofs);
    for (size_t i = 0; i < problem->dofs; ++i)
        rates[first_order ? problem->dofs + i : i] = first_order ? ball(0.0L) : v[i];
}

Ball gauge_sample(const Sight *sight, size_t row)
{
    return ball(sight->single ? (long double)(float)sight->sample[row] : sight->sample[row]);
}

// The window's edge in the kernel's text, which has 17 digits of it, in the kernel's precision.
static double edge(const Sight *sight, double value)
{
    char text[40];
    if (!sight->single || isinf(value))
        return value;
    snprintf(text, sizeof text, "%.17g", value);
    return (double)strtof(text, NULL);
}

bool gauge_within(const Sight *sight, const MetricInstance *instance, double t)
{
    return t >= edge(sight, instance->from) && t <= edge(sight, instance->to);
}

Answer gauge_above(Ball difference)
{
    if (difference.at > difference.off)
        return ANSWER_YES;
    return difference.at + difference.off <= 0.0L ? ANSWER_NO : ANSWER_EITHER;
}

Answer gauge_and(Answer a, Answer b)
{
    return a < b ? a : b;
}

Answer gauge_or(Answer a, Answer b)
{
    return a > b ? a : b;
}

Answer gauge_not(Answer a)
{
    return (Answer)(ANSWER_YES - a);
}

bool gauge_follow(Gauge *gauge, Answer answer, bool kernel, const char *what)
{
    if (answer == ANSWER_EITHER)
        return kernel;
    if ((answer == ANSWER_YES) != kernel)
        gauge->wrong = what;
    return answer == ANSWER_YES;
}

static Answer falls(Ball before, Ball now)
{
    return gauge_and(gauge_above(before), gauge_not(gauge_above(now)));
}

Answer gauge_crosses(Ball before, Ball now, GaugeDirection direction)
{
    const Answer down = falls(before, now), up = falls(gauge_scaled(before, -1.0L), gauge_scaled(now, -1.0L));
    return direction == GAUGE_UP ? up : direction == GAUGE_DOWN ? down : gauge_or(up, down);
}

Ball gauge_crossing(const Sight *sight, Ball before, Ball now)
{
    const Roundoff u = sight->u;
    const Ball     part = ball_div(u, ball_mul(u, ball(sight->h), before), ball_sub(u, now, before));
    return ball_sub(u, ball(sight->before), part);
}

// Differences of observations are not rounded for this: a rounded one has the sign of the difference.
Answer gauge_turns(Ball before, Ball here, Ball after)
{
    const Ball rise = {here.at - before.at, before.off + here.off}, next = {after.at - here.at, here.off + after.off};
    return gauge_crosses(rise, next, GAUGE_BOTH);
}

Ball gauge_abs(Ball a)
{
    return (Ball){fabsl(a.at), a.off};
}

// The larger of two numbers lies between the larger ones of their bounds.
Ball gauge_max(Ball a, Ball b)
{
    const long double at = larger_of(a.at, b.at), high = larger_of(a.at + a.off, b.at + b.off),
                      low = larger_of(a.at - a.off, b.at - b.off);
    return (Ball){at, larger_of(high - at, at - low)};
}

Ball gauge_min(Ball a, Ball b)
{
    return gauge_scaled(gauge_max(gauge_scaled(a, -1.0L), gauge_scaled(b, -1.0L)), -1.0L);
}

// The kernels' logarithm is within 1.2 units in the last place.
Ball gauge_log(Roundoff u, Ball a)
{
    const long double at = logl(a.at);
    const Ball        log = ball_rounded(u, at, a.off < a.at ? -log1pl(-a.off / a.at) : INFINITY);
    return ball_rounded(u, log.at, log.off);
}

// |sqrt a - sqrt b| is at most |a - b| over one of the roots, and at most the root of |a - b|.
Ball gauge_root(Roundoff u, Ball a)
{
    const long double root = sqrtl(larger_of(a.at, 0.0L));
    return ball_rounded(u, root, smaller_of(a.off > 0.0L ? a.off / root : 0.0L, sqrtl(a.off)));
}

Ball gauge_scaled(Ball a, long double by)
{
    return (Ball){a.at * by, a.off * fabsl(by)};
}

Ball gauge_observed(const Gauge *gauge, Sight *sight)
{
    switch (gauge->instance->of) {
    case OBSERVED_SLOW: return gauge_scalar(sight, SCALAR_SLOW);
    case OBSERVED_FAST: return gauge_scalar(sight, SCALAR_FAST);
    case OBSERVED_ENERGY: return gauge_scalar(sight, SCALAR_ENERGY);
    case OBSERVED_KINETIC: return gauge_scalar(sight, SCALAR_KINETIC);
    case OBSERVED_FORMULA: return gauge_formula(sight, gauge->instance->quantity->formula);
    case OBSERVED_V: return sight->v[gauge->instance->of_dof];
    case OBSERVED_X:
    case OBSERVED_COUNT: break;
    }
    return sight->x[gauge->instance->of_dof];
}

void gauge_push(Gauge *gauge, Sight *sight, bool energy)
{
    GaugeWindow *window = &gauge->window;
    if (!gauge_within(sight, gauge->instance, sight->t)) {
        window->count = 0;
        return;
    }
    if (window->count == 5)
        for (int i = 0; i < 4; ++i) {
            window->y[i] = window->y[i + 1];
            window->energy[i] = window->energy[i + 1];
        }
    else
        ++window->count;
    window->y[window->count - 1] = gauge_observed(gauge, sight);
    window->energy[window->count - 1] = energy ? gauge_scalar(sight, SCALAR_ENERGY) : ball(0.0L);
}

bool gauge_result(Expected *expected, const char *result, bool known, Ball value, const char *formula)
{
    const size_t length = strlen(result);
    if (strncmp(result, formula, length) != 0 || !strchr(" ,", formula[length]))
        return false;
    *expected = known ? gauge_number(value, formula) : gauge_nan(formula);
    return true;
}

Expected gauge_number(Ball value, const char *formula)
{
    return (Expected){.number = true, .value = value, .formula = formula};
}

Expected gauge_nan(const char *formula)
{
    return (Expected){.nan = true, .formula = formula};
}
