// between -- cubics in Hermite's form.
#include "gauges/between.h"

void between_make(const Sight *sight, const BetweenStep *step, Between *between)
{
    const size_t  n = sight->problem->dofs;
    const double  t[] = {step->before, step->t};
    const double *x[] = {step->x0, step->x1}, *v[] = {step->v0, step->v1};
    between->before = step->before;
    between->h = step->h;
    between->dense = step->dense;
    for (int end = 0; end < 2; ++end) {
        Ball *state = between->ends[end];
        for (size_t i = 0; i < n; ++i) {
            state[i] = ball(x[end][i]);
            state[n + i] = ball(v[end][i]);
        }
        if (!step->dense)
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

// Of component i of x, or n + i of v; within a substep a system of first order has its state in v.
static Ball quartic(const Sight *sight, const Between *between, Ball s, size_t i)
{
    const Roundoff u = sight->u;
    const size_t   n = sight->problem->dofs, wide = 2 * n;
    const bool     first_order = sight->problem->card->first_order;
    const size_t   from = first_order ? n + i : i;
    const Ball     rest = ball_sub(u, ball(1.0L), s);
    Ball           d[3];
    if (first_order && i >= n)
        return ball(0.0L);
    for (size_t k = 0; k < 3; ++k)
        d[k] = ball(between->dense[k * wide + from]);
    const Ball inner = ball_add(u, d[0], ball_mul(u, s, ball_add(u, d[1], ball_mul(u, s, d[2])))),
               second = ball_add(u, between->ends[1][i], ball_mul(u, rest, inner));
    return ball_add(u, ball_mul(u, rest, between->ends[0][i]), ball_mul(u, s, second));
}

void between_state(const Sight *sight, const Between *between, Ball s, Ball *state)
{
    for (size_t i = 0; i < 2 * sight->problem->dofs; ++i) {
        const Ball ends[] = {between->ends[0][i], between->ends[1][i]},
                   rates[] = {between->slopes[0][i], between->slopes[1][i]};
        const Ball inside =
            between->dense ? quartic(sight, between, s, i) : cubic(sight->u, s, between->h, ends, rates);
        const bool at_end = s.at + s.off >= 1.0L, beyond = s.at - s.off >= 1.0L;
        // Where rounding decides whether it is the end, the state may be either.
        state[i] = beyond ? ends[1] : inside;
        if (at_end && !beyond)
            state[i].off += fabsl(inside.at - ends[1].at);
    }
}
