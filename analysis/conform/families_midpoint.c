// families_midpoint -- equations of the midpoint rule, solved for either unknown, and of central differences.
#include "analysis/conform/families.h"

static const Ball zero = {0.0L, 0.0L}, one = {1.0L, 0.0L}, half = {0.5L, 0.0L};

static Ball negative(Ball a)
{
    return (Ball){-a.at, a.off};
}

static Ball middle(const Judge *judge)
{
    return ball_add(judge->u, judge->t, ball_mul(judge->u, half, judge->h));
}

// Hairer, Lubich and Wanner 2006, section II.1: y1 = y + h y'(t + h/2, (y + y1)/2), for y = (x, v).
void families_implicit_midpoint(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const Ball                quarter = ball_mul(judge->u, ball(0.25L), judge->h);
    const Vector x = equations_known(judge, substep->before.x), v = equations_known(judge, substep->before.v),
                 v1 = equations_known(judge, substep->after.v), mean = SUM(judge, {half, &v}, {half, &v1}),
                 x1 = SUM(judge, {one, &x}, {judge->h, &mean}), x_rest = SUM(judge, {one, &x}, {quarter, &v}),
                 v_rest = SUM(judge, {half, &v});
    equations_position(judge, "x_{n+1} of the midpoint rule", &x1, substep->after.x);
    const Solve solve = {.equation = "v_{n+1} of the midpoint rule",
                         .A = one,
                         .q = judge->h,
                         .t = middle(judge),
                         .cx = equations_reach(judge, quarter),
                         .cv = half,
                         .rest = &v,
                         .x = &x_rest,
                         .v = &v_rest,
                         .guess = &v};
    equations_solved(judge, &solve, &v1);
}

// The unknown is not stored. The kernel has p_{n+1} = w + (h/2) F = 2 w - p_n, rounded once: w is their mean, but for
// half of that rounding.
static Vector mean_velocity(const Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    Vector                    w;
    for (size_t i = 0; i < judge->n; ++i) {
        const long double p = substep->before.v[i], p1 = substep->after.v[i];
        w.i[i] = (Ball){0.5L * (p + p1), 0.5L * judge->u * fabsl(p1)};
    }
    return w;
}

// Kharevych et al. 2006; Degletagne 2015, section 4.2 with alpha = 1/2: the mean velocity w of the step balances
// w = p_n + (h/2) F at its middle, x_n + (h/2) w.
void families_variational_implicit(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const Ball                part = ball_mul(judge->u, half, judge->h);
    const Vector              w = mean_velocity(judge), x = equations_known(judge, substep->before.x),
                 p = equations_known(judge, substep->before.v), x1 = SUM(judge, {one, &x}, {judge->h, &w});
    equations_equal(judge, "x_{n+1} = x_n + h w, w the mean of p_n and p_{n+1}", &x1, substep->after.x);
    const Solve solve = {.equation = "w = p_n + (h/2) F at mid-step",
                         .A = one,
                         .q = part,
                         .t = middle(judge),
                         .cx = part,
                         .cv = one,
                         .rest = &p,
                         .x = &x,
                         .guess = &p};
    equations_solved(judge, &solve, &w);
}

// Newmark 1959 at beta 0, gamma 1/2, with Rayleigh damping by mass in the acceleration: A = a(t, x, v) - r_m v,
// x1 = x + h v + (h^2/2) A and v1 = v + (h/2) (A + A1). It is section 6 of Degletagne 2015 at full steps.
static Vector damped(const Judge *judge, Ball t, const Vector *x, const Vector *v)
{
    const Vector a = equations_acceleration(judge, t, x, v);
    return SUM(judge, {one, &a}, {negative(equations_parameter(judge, "r_m")), v});
}

void families_central_difference(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const Roundoff            u = judge->u;
    const Ball                part = ball_mul(u, half, judge->h);
    const Vector x = equations_known(judge, substep->before.x), v = equations_known(judge, substep->before.v),
                 v1 = equations_known(judge, substep->after.v), A = damped(judge, judge->t, &x, &v),
                 x1 = SUM(judge, {one, &x}, {judge->h, &v}, {ball_mul(u, judge->h, part), &A});
    equations_equal(judge, "x_{n+1} of central differences", &x1, substep->after.x);
    // The kernel asks for the force at the position that it stores.
    const Vector there = substep->accepted ? equations_known(judge, substep->after.x) : x1,
                 kicked = SUM(judge, {one, &v}, {part, &A});
    const Solve solve = {.equation = "v_{n+1} of central differences",
                         .A = ball_add(u, one, ball_mul(u, part, equations_parameter(judge, "r_m"))),
                         .q = part,
                         .t = ball_add(u, judge->t, judge->h),
                         .cx = zero,
                         .cv = one,
                         .rest = &kicked,
                         .x = &there,
                         .guess = &v};
    equations_solved(judge, &solve, &v1);
}
