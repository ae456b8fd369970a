// between -- cubics in Hermite's form.
#include "analysis/conform/between.h"

static void known(const Sight *sight, const double *x, const double *v, Ball *state)
{
    const size_t n = sight->scalars->dofs;
    for (size_t i = 0; i < n; ++i) {
        state[i] = ball(x[i]);
        state[n + i] = ball(v[i]);
    }
}

void between_slopes(const Sight *sight, const BetweenStep *step, BetweenSlopes *slopes)
{
    const size_t n = sight->scalars->dofs;
    Ball         from[2 * SCALARS_DOFS], to[2 * SCALARS_DOFS];
    known(sight, step->x0, step->v0, from);
    known(sight, step->x1, step->v1, to);
    scalars_rates(sight->scalars, ball(step->before), from, from + n, slopes->from);
    scalars_rates(sight->scalars, ball(step->t), to, to + n, slopes->to);
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

// What the reference rounds of the same cubic in Bernstein's form: each of its four terms has at most 8 roundings.
static long double of_bernstein(const Sight *sight, const Ball ends[2], const Ball slopes[2])
{
    const long double terms = fabsl(ends[0].at) + fabsl(ends[1].at) +
                              fabsl((long double)sight->h) * (fabsl(slopes[0].at) + fabsl(slopes[1].at));
    return sight->reference ? 8.0L * sight->u * terms : 0.0L;
}

void between_state(const Sight *sight, const BetweenStep *step, const BetweenSlopes *slopes, Ball s, Ball *state)
{
    const size_t n = sight->scalars->dofs;
    Ball         from[2 * SCALARS_DOFS], to[2 * SCALARS_DOFS];
    known(sight, step->x0, step->v0, from);
    known(sight, step->x1, step->v1, to);
    for (size_t i = 0; i < 2 * n; ++i) {
        const Ball ends[] = {from[i], to[i]}, rates[] = {slopes->from[i], slopes->to[i]};
        Ball       inside = cubic(sight->u, s, sight->h, ends, rates);
        inside.off += of_bernstein(sight, ends, rates);
        const bool at_end = s.at + s.off >= 1.0L, beyond = s.at - s.off >= 1.0L;
        // Where rounding decides whether it is the end, the state may be either.
        state[i] = beyond ? to[i] : inside;
        if (at_end && !beyond)
            state[i].off += fabsl(inside.at - to[i].at);
    }
}
