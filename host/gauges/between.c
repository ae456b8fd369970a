// between -- cubics in Hermite's form.
#include "gauges/between.h"

static void known(const Sight *sight, const double *x, const double *v, Ball *state)
{
    const size_t n = sight->problem->dofs;
    for (size_t i = 0; i < n; ++i) {
        state[i] = ball(x[i]);
        state[n + i] = ball(v[i]);
    }
}

void between_slopes(const Sight *sight, const BetweenStep *step, BetweenSlopes *slopes)
{
    const size_t n = sight->problem->dofs;
    Ball         from[2 * GAUGE_DOFS], to[2 * GAUGE_DOFS];
    known(sight, step->x0, step->v0, from);
    known(sight, step->x1, step->v1, to);
    gauge_rates(sight, ball(step->before), from, from + n, slopes->from);
    gauge_rates(sight, ball(step->t), to, to + n, slopes->to);
}

// a + s (h fa + s (3 rise - h (2 fa + fb) + s (h (fa + fb) - 2 rise))), rise = b - a.
static Ball cubic(Roundoff u, Ball s, double step, const Ball ends[2], const Ball slopes[2])
{
    const Ball h = ball(step), rise = ball_sub(u, ends[1], ends[0]), fa = slopes[0], fb = slopes[1],
               bend =
                   ball_sub(u, ball_mul(u, ball(3.0L), rise), ball_mul(u, h, ball_add(u, gauge_scaled(fa, 2.0L), fb))),
               twist = ball_sub(u, ball_mul(u, h, ball_add(u, fa, fb)), gauge_scaled(rise, 2.0L)),
               inner = ball_add(u, bend, ball_mul(u, s, twist)),
               middle = ball_add(u, ball_mul(u, h, fa), ball_mul(u, s, inner));
    return ball_add(u, ends[0], ball_mul(u, s, middle));
}

void between_state(const Sight *sight, const BetweenStep *step, const BetweenSlopes *slopes, Ball s, Ball *state)
{
    const size_t n = sight->problem->dofs;
    Ball         from[2 * GAUGE_DOFS], to[2 * GAUGE_DOFS];
    known(sight, step->x0, step->v0, from);
    known(sight, step->x1, step->v1, to);
    for (size_t i = 0; i < 2 * n; ++i) {
        const Ball ends[] = {from[i], to[i]}, rates[] = {slopes->from[i], slopes->to[i]};
        Ball       inside = cubic(sight->u, s, sight->h, ends, rates);
        const bool at_end = s.at + s.off >= 1.0L, beyond = s.at - s.off >= 1.0L;
        // Where rounding decides whether it is the end, the state may be either.
        state[i] = beyond ? to[i] : inside;
        if (at_end && !beyond)
            state[i].off += fabsl(inside.at - to[i].at);
    }
}
