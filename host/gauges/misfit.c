// misfit -- a quantity at the times of data, less the data.
#include "gauges/between.h"

#include <string.h>

// The sight of a quantity at a time of the step that ends at the observation; at t = 0 it is that of the state there.
//   state  [2 dofs] written: x and v there
static Sight look_at(const Sight *sight, double time, Ball *state)
{
    const size_t n = sight->problem->dofs;
    double       x[GAUGE_DOFS], v[GAUGE_DOFS];
    Between      between;
    Sight        there = *sight;
    if (!sight->last_x)
        return there;
    for (size_t i = 0; i < n; ++i) {
        x[i] = (double)sight->x[i].at;
        v[i] = (double)sight->v[i].at;
    }
    between_make(sight,
                 &(BetweenStep){sight->before, sight->t, sight->h, sight->last_x, sight->last_v, x, v, sight->dense},
                 &between);
    between_state(sight, &between,
                  ball_div(sight->u, ball_sub(sight->u, ball(time), ball(sight->before)), ball(sight->h)), state);
    memset(there.found, 0, sizeof there.found);
    there.t = time;
    there.x = state;
    there.v = state + n;
    return there;
}

static const Curve *find_data(const Card *problem)
{
    for (size_t i = 0; i < problem->curves->count; ++i)
        if (strcmp(problem->curves->list[i].name, "compare") == 0)
            return &problem->curves->list[i];
    return NULL;
}

static bool observe_misfit(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    GaugeMisfit   *misfit = &gauge->of.misfit;
    const Curve   *data = find_data(sight->problem->card);
    const Roundoff u = sight->u;
    const size_t   before = misfit->taken;
    const bool     through = sight->step >= sight->steps;
    (void)err;
    for (; misfit->taken < data->count; ++misfit->taken) {
        const double *datum = data->samples + 2 * misfit->taken;
        Ball          state[2 * GAUGE_DOFS];
        if (!through && datum[0] > sight->t)
            break;
        if (!gauge_within(sight, gauge->instance, datum[0]))
            continue;
        Sight      there = look_at(sight, datum[0], state);
        const Ball off = ball_sub(u, gauge_observed(gauge, &there), ball(datum[1]));
        misfit->squares = ball_ranged(u, ball_add(u, misfit->squares, ball_mul(u, off, off)));
        misfit->largest = gauge_max(misfit->largest, gauge_abs(off));
        ++misfit->used;
    }
    if ((int64_t)(misfit->taken - before) != counts[0])
        gauge->wrong = "misfit: data, taken or not";
    return true;
}

static void expect_misfit(Gauge *gauge, Sight *sight, const char *result, Expected *expected)
{
    const GaugeMisfit *misfit = &gauge->of.misfit;
    const Ball         mean = ball_div(sight->u, misfit->squares, ball((long double)misfit->used));
    gauge_result(expected, result, misfit->used > 0, gauge_root(sight->u, mean),
                 "misfit_rms = sqrt(sum (y - data)^2 / n)");
    gauge_result(expected, result, misfit->used > 0, misfit->largest, "misfit_max = max |y - data|");
}

const GaugeKind gauge_misfit = {"misfit", .observe = observe_misfit, .expect = expect_misfit};
