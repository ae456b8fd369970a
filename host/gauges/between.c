// between -- cubics in Hermite's form.
#include "gauges/between.h"

void between_make(const Sight *sight, const BetweenStep *step, Between *between)
{
    const size_t  n = sight->problem->dofs;
    const double  t[] = {step->before, step->t};
    const double *x[] = {step->x0, step->x1}, *v[] = {step->v0, step->v1};
    between->before = step->before;
    between->h = step->h;
    for (int end = 0; end < 2; ++end) {
        Ball *state = between->ends[end];
        for (size_t i = 0; i < n; ++i) {
            state[i] = ball(x[end][i]);
            state[n + i] = ball(v[end][i]);
        }
        gauge_rates(sight, ball(t[end]), state, state + n, between->slopes[end]);
    }
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

void between_state(const Sight *sight, const Between *between, Ball s, Ball *state)
{
    for (size_t i = 0; i < 2 * sight->problem->dofs; ++i) {
        const Ball ends[] = {between->ends[0][i], between->ends[1][i]},
                   rates[] = {between->slopes[0][i], between->slopes[1][i]};
        const Ball inside = cubic(sight->u, s, between->h, ends, rates);
        const bool at_end = s.at + s.off >= 1.0L, beyond = s.at - s.off >= 1.0L;
        // Where rounding decides whether it is the end, the state may be either.
        state[i] = beyond ? ends[1] : inside;
        if (at_end && !beyond)
            state[i].off += fabsl(inside.at - ends[1].at);
    }
}
