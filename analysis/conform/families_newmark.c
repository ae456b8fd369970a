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

// Newmark's rule with a trial u for the new acceleration (Newmark 1959; eq. 3 and 4).
static void newmark(const Judge *judge, Ball beta, Ball gamma, const Vector *u, Vector *x1, Vector *v1)
{
    const Roundoff unit = judge->u;
    const Vector   x = equations_known(judge, judge->substep->before.x),
                 v = equations_known(judge, judge->substep->before.v),
                 a = equations_known(judge, judge->substep->before.own[0]);
    const Ball square = ball_mul(unit, judge->h, judge->h);
    *x1 = SUM(judge, {one, &x}, {judge->h, &v}, {ball_mul(unit, square, ball_sub(unit, half, beta)), &a},
              {ball_mul(unit, square, beta), u});
    *v1 = SUM(judge, {one, &v}, {ball_mul(unit, judge->h, ball_sub(unit, one, gamma)), &a},
              {ball_mul(unit, judge->h, gamma), u});
}

// Eq. 5 with eq. 6 to 9: the force at the state between the old one, of weight alpha_f, and the new.
static void balance(const Judge *judge, const void *context, const Vector *u, Vector *f)
{
    const Alpha   *w = context;
    const Roundoff unit = judge->u;
    const Vector   x = equations_known(judge, judge->substep->before.x),
                 v = equations_known(judge, judge->substep->before.v),
                 a = equations_known(judge, judge->substep->before.own[0]);
    const Ball part = ball_sub(unit, one, w->alpha_f), t = ball_add(unit, judge->t, ball_mul(unit, part, judge->h));
    Vector     x1, v1;
    newmark(judge, w->beta, w->gamma, u, &x1, &v1);
    const Vector xf = SUM(judge, {part, &x1}, {w->alpha_f, &x}), vf = SUM(judge, {part, &v1}, {w->alpha_f, &v});
    const Vector force = equations_acceleration(judge, t, &xf, &vf);
    *f = SUM(judge, {ball_sub(unit, one, w->alpha_m), u}, {w->alpha_m, &a}, {ball(-1.0L), &force});
}

static void alpha(Judge *judge, Alpha w)
{
    const CertificateSubstep *substep = judge->substep;
    const Roundoff            unit = judge->u;
    const Vector u = equations_known(judge, substep->after.own[0]), a = equations_known(judge, substep->before.own[0]);
    const Ball   part = ball_sub(unit, one, w.alpha_f);
    const long double h = judge->h.at;
    const Vector      beside = SUM(judge, {w.alpha_m, &a});
    Vector            x1, v1;
    newmark(judge, w.beta, w.gamma, &u, &x1, &v1);
    equations_equal(judge, "x_{n+1} of Newmark's rule", &x1, substep->after.x);
    equations_equal(judge, "v_{n+1} of Newmark's rule", &v1, substep->after.v);
    const Solve solve = {.equation = "the equation of motion within the step",
                         .A = ball_sub(unit, one, w.alpha_m),
                         .q = one,
                         .cx = ball_mul(unit, ball_mul(unit, part, w.beta), ball_mul(unit, judge->h, judge->h)),
                         .cv = ball_mul(unit, ball_mul(unit, part, w.gamma), judge->h),
                         .extent =
                             equations_size(judge, substep->before.x) + h * equations_size(judge, substep->before.v),
                         .reach = 0.5L * h * h,
                         .old = equations_size(judge, substep->before.own[0]),
                         .known = &beside,
                         .scale = substep->newton->scaled_residual ? judge->h.at : 1.0L,
                         .guess = &a,
                         .residual = balance,
                         .context = &w};
    equations_solved(judge, &solve, &u);
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
