// families_sofa -- equations of methods that take one update in place of a solve, with Rayleigh damping in the matrix.
//
// Degletagne 2015 (SOFA), with the masses divided out. F is all of the force but the Rayleigh damping, asked at the old
// time and velocity, and linear in the position about x_n: F(x_n + d) = F - K d.
#include "analysis/conform/families.h"

static const Ball zero = {0.0L, 0.0L}, one = {1.0L, 0.0L}, half = {0.5L, 0.0L};

// Section 2.2: v1 - v = h (F - h K v1 - r_k K v1 - r_m v1).
void families_sofa_euler(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const Roundoff            u = judge->u;
    const Ball                r_m = equations_parameter(judge, "r_m"), r_k = equations_parameter(judge, "r_k");
    const Vector x = equations_known(judge, substep->before.x), v = equations_known(judge, substep->before.v),
                 v1 = equations_known(judge, substep->after.v), x1 = SUM(judge, {one, &x}, {judge->h, &v1});
    Vector still;
    for (size_t i = 0; i < judge->n; ++i)
        still.i[i] = zero;
    equations_equal(judge, "x_{n+1} = x_n + h v_{n+1}", &x1, substep->after.x);
    const Solve solve = {.equation = "v_{n+1} of linearised backward Euler",
                         .A = ball_add(u, one, ball_mul(u, judge->h, r_m)),
                         .q = judge->h,
                         .t = judge->t,
                         .cx = ball_add(u, judge->h, r_k),
                         .cv = zero,
                         .rest = &v,
                         .x = &x,
                         .v = &v,
                         .guess = &still};
    equations_linear(judge, &solve, &still, &v1);
}

// Section 3: a1 = F - K (x1 - x) - r_k K v1 - r_m v1, x1 and v1 by Newmark's rule (Newmark 1959) with the unknown u for
// a1. The force is asked at x1 + r_k v1, linear about x_n: K moves x_n to x1, and r_k K is damping.
//
// The guess is the u at which it is asked at x_n, where K is taken. How the kernel's is rounded moves only where its
// differences are made, since the update from either leads to the same place.
void families_sofa_newmark(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const Roundoff            unit = judge->u;
    const Ball                beta = equations_parameter(judge, "beta"), gamma = equations_parameter(judge, "gamma"),
               r_m = equations_parameter(judge, "r_m"), r_k = equations_parameter(judge, "r_k"), h = judge->h,
               square = ball_mul(unit, h, h), per_x = ball_mul(unit, square, beta), per_v = ball_mul(unit, h, gamma),
               reach = ball_add(unit, per_x, ball_mul(unit, r_k, per_v));
    const Vector x = equations_known(judge, substep->before.x), v = equations_known(judge, substep->before.v),
                 a = equations_known(judge, substep->before.own[0]), u = equations_known(judge, substep->after.own[0]),
                 x_old = SUM(judge, {one, &x}, {h, &v}, {ball_mul(unit, square, ball_sub(unit, half, beta)), &a}),
                 v_old = SUM(judge, {one, &v}, {ball_mul(unit, h, ball_sub(unit, one, gamma)), &a}),
                 x1 = equations_ahead(judge, &x_old, per_x, &u), v1 = equations_ahead(judge, &v_old, per_v, &u),
                 ahead = equations_ahead(judge, &x_old, r_k, &v_old),
                 rest = SUM(judge, {ball_sub(unit, zero, r_m), &v_old});
    Vector guess;
    for (size_t i = 0; i < judge->n; ++i)
        guess.i[i] = ball((x.i[i].at - ahead.i[i].at) / reach.at);
    equations_equal(judge, "x_{n+1} of Newmark's rule", &x1, substep->after.x);
    equations_equal(judge, "v_{n+1} of Newmark's rule", &v1, substep->after.v);
    const Solve solve = {.equation = "a_{n+1} of linearised Newmark",
                         .A = ball_add(unit, one, ball_mul(unit, r_m, per_v)),
                         .q = one,
                         .t = judge->t,
                         .cx = reach,
                         .cv = zero,
                         .rest = &rest,
                         .x = &ahead,
                         .v = &v,
                         .acceleration = true,
                         .guess = &guess};
    equations_linear(judge, &solve, &guess, &u);
}
