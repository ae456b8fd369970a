// families_newmark -- equations of methods on Newmark's rule: the alpha family, Rayleigh-damped Newmark, Chung and Lee.
#include "analysis/conform/families.h"

typedef struct Alpha {
    Ball alpha_m, alpha_f, beta, gamma;
} Alpha;

static const Ball one = {1.0L, 0.0L}, half = {0.5L, 0.0L}, two = {2.0L, 0.0L}, quarter = {0.25L, 0.0L};

// Below eq. 9 of Wu 2018; Chung and Hulbert 1993, eq. 17 and 25.
static Alpha from_radius(const Judge *judge)
{
    const Roundoff u = judge->u;
    const Ball     rho = equations_parameter(judge, "rho_inf"), above = ball_add(u, rho, one);
    Alpha          w = {.alpha_m = ball_div(u, ball_sub(u, ball_mul(u, two, rho), one), above),
                        .alpha_f = ball_div(u, rho, above)};
    const Ball     apart = ball_sub(u, w.alpha_f, w.alpha_m), sum = ball_add(u, one, apart);
    w.gamma = ball_add(u, half, apart);
    w.beta = ball_mul(u, quarter, ball_mul(u, sum, sum));
    return w;
}

// Hilber, Hughes and Taylor 1977, eq. 9 (alpha <= 0); Wood, Bossak and Zienkiewicz 1980 with the inertia in its place.
static Alpha from_alpha(const Judge *judge, bool inertia)
{
    const Roundoff u = judge->u;
    const Ball     alpha = equations_parameter(judge, "alpha"), sum = ball_sub(u, one, alpha);
    return (Alpha){.alpha_m = inertia ? alpha : ball(0.0L),
                   .alpha_f = inertia ? ball(0.0L) : ball_sub(u, ball(0.0L), alpha),
                   .gamma = ball_sub(u, half, alpha),
                   .beta = ball_mul(u, quarter, ball_mul(u, sum, sum))};
}

static Alpha from_newmark(const Judge *judge)
{
    return (Alpha){.beta = equations_parameter(judge, "beta"), .gamma = equations_parameter(judge, "gamma")};
}

// The polynomial through the accelerations at t, t - h and t - 2h, as far as there are some, in Newton's form: at t + h
// each of its differences has the weight 1.
static Vector extrapolated(const Judge *judge, const Vector *a)
{
    const CertificateState *before = &judge->substep->before;
    const Ball              minus = {-1.0L, 0.0L};
    if (isnan(before->own[1][0]))
        return *a;
    const Vector earlier = equations_known(judge, before->own[1]), slope = SUM(judge, {one, a}, {minus, &earlier});
    if (isnan(before->own[2][0]))
        return SUM(judge, {one, a}, {one, &slope});
    const Vector first = equations_known(judge, before->own[2]),
                 bend = SUM(judge, {one, &slope}, {minus, &earlier}, {one, &first});
    return SUM(judge, {one, a}, {one, &slope}, {one, &bend});
}

// What the next guess is extrapolated from are the accelerations before the new one.
static void demand_earlier(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    for (size_t k = 1; substep->accepted && !substep->resized && k <= 2; ++k)
        for (size_t i = 0; i < judge->n; ++i) {
            const double kept = substep->after.own[k][i], was = substep->before.own[k - 1][i];
            if (kept != was && !(isnan(kept) && isnan(was)))
                equations_fail(judge, "the accelerations that a guess is extrapolated from", kept, was);
        }
}

// Eq. 5 with eq. 6 to 9: the force at the state between the old one, of weight alpha_f, and the new. The unknown u is
// the new acceleration; x1 and v1 are Newmark's rule (Newmark 1959; eq. 3 and 4).
static void alpha(Judge *judge, Alpha w)
{
    const CertificateSubstep *substep = judge->substep;
    const Roundoff            unit = judge->u;
    const Vector x = equations_known(judge, substep->before.x), v = equations_known(judge, substep->before.v),
                 a = equations_known(judge, substep->before.own[0]), u = equations_known(judge, substep->after.own[0]),
                 guess = substep->newton->extrapolated ? extrapolated(judge, &a) : a;
    const Ball   h = judge->h, square = ball_mul(unit, h, h), part = ball_sub(unit, one, w.alpha_f);
    const Ball   per_x = ball_mul(unit, square, w.beta), per_v = ball_mul(unit, h, w.gamma);
    const Vector x_old = SUM(judge, {one, &x}, {h, &v}, {ball_mul(unit, square, ball_sub(unit, half, w.beta)), &a}),
                 v_old = SUM(judge, {one, &v}, {ball_mul(unit, h, ball_sub(unit, one, w.gamma)), &a}),
                 x1 = equations_ahead(judge, &x_old, per_x, &u), v1 = equations_ahead(judge, &v_old, per_v, &u);
    equations_equal(judge, "x_{n+1} of Newmark's rule", &x1, substep->after.x);
    equations_equal(judge, "v_{n+1} of Newmark's rule", &v1, substep->after.v);
    const Vector xf = SUM(judge, {part, &x_old}, {w.alpha_f, &x}), vf = SUM(judge, {part, &v_old}, {w.alpha_f, &v}),
                 rest = SUM(judge, {ball_sub(unit, ball(0.0L), w.alpha_m), &a});
    const Solve solve = {.equation = "the equation of motion within the step",
                         .A = ball_sub(unit, one, w.alpha_m),
                         .q = one,
                         .t = ball_add(unit, judge->t, ball_mul(unit, part, h)),
                         .cx = ball_mul(unit, part, per_x),
                         .cv = ball_mul(unit, part, per_v),
                         .rest = &rest,
                         .x = &xf,
                         .v = &vf,
                         .acceleration = true,
                         .guess = &guess};
    equations_solved(judge, &solve, &u);
    if (substep->newton->extrapolated)
        demand_earlier(judge);
}

void families_generalized_alpha(Judge *judge)
{
    alpha(judge, from_radius(judge));
}

void families_hht_alpha(Judge *judge)
{
    alpha(judge, from_alpha(judge, false));
}

void families_wbz_alpha(Judge *judge)
{
    alpha(judge, from_alpha(judge, true));
}

void families_newmark(Judge *judge)
{
    alpha(judge, from_newmark(judge));
}
