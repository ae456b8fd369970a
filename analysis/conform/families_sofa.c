// families_sofa -- equations of methods that take one update in place of a solve, with Rayleigh damping in the matrix.
//
// Degletagne 2015 (SOFA), with the masses divided out. F is all of the force but the Rayleigh damping, asked at the old
// time and velocity, and linear in the position about x_n: F(x_n + d) = F - K d.
#include "analysis/conform/families.h"

static const Ball zero = {0.0L, 0.0L}, one = {1.0L, 0.0L}, half = {0.5L, 0.0L};

// Section 2.2: v1 - v = h (F - h K v1 - r_k K v1 - r_m v1).
static void euler_residual(const Judge *judge, const void *context, const Vector *v1, Vector *f)
{
    (void)context;
    const Roundoff u = judge->u;
    const Ball     r_m = equations_parameter(judge, "r_m"), r_k = equations_parameter(judge, "r_k");
    const Vector   x = equations_known(judge, judge->substep->before.x),
                 v = equations_known(judge, judge->substep->before.v),
                 ahead = SUM(judge, {one, &x}, {judge->h, v1}, {r_k, v1}),
                 force = equations_acceleration(judge, judge->t, &ahead, &v);
    *f = SUM(judge, {one, v1}, {ball(-1.0L), &v}, {ball_sub(u, zero, judge->h), &force},
             {ball_mul(u, judge->h, r_m), v1});
}

void families_sofa_euler(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const Vector x = equations_known(judge, substep->before.x), v1 = equations_known(judge, substep->after.v),
                 x1 = SUM(judge, {one, &x}, {judge->h, &v1});
    Vector rest;
    for (size_t i = 0; i < judge->n; ++i)
        rest.i[i] = zero;
    equations_equal(judge, "x_{n+1} = x_n + h v_{n+1}", &x1, substep->after.x);
    const Solve solve = {
        .equation = "v_{n+1} of linearised backward Euler", .scale = 1.0L, .guess = &rest, .residual = euler_residual};
    equations_linear(judge, &solve, &rest, &v1);
}

// Newmark's rule (Newmark 1959) with a trial u for the new acceleration.
static void newmark(const Judge *judge, const Vector *u, Vector *x1, Vector *v1)
{
    const Roundoff unit = judge->u;
    const Ball     beta = equations_parameter(judge, "beta"), gamma = equations_parameter(judge, "gamma"),
               square = ball_mul(unit, judge->h, judge->h);
    const Vector x = equations_known(judge, judge->substep->before.x),
                 v = equations_known(judge, judge->substep->before.v),
                 a = equations_known(judge, judge->substep->before.own[0]);
    *x1 = SUM(judge, {one, &x}, {judge->h, &v}, {ball_mul(unit, square, ball_sub(unit, half, beta)), &a},
              {ball_mul(unit, square, beta), u});
    *v1 = SUM(judge, {one, &v}, {ball_mul(unit, judge->h, ball_sub(unit, one, gamma)), &a},
              {ball_mul(unit, judge->h, gamma), u});
}

// Where the force is asked, linear about x_n: K moves x_n to x1, and r_k K is damping.
static Vector ahead_of(const Judge *judge, const Vector *x1, const Vector *v1)
{
    return SUM(judge, {one, x1}, {equations_parameter(judge, "r_k"), v1});
}

// Section 3: a1 = F - K (x1 - x) - r_k K v1 - r_m v1.
static void newmark_residual(const Judge *judge, const void *context, const Vector *u, Vector *f)
{
    (void)context;
    const Vector v = equations_known(judge, judge->substep->before.v);
    Vector       x1, v1;
    newmark(judge, u, &x1, &v1);
    const Vector ahead = ahead_of(judge, &x1, &v1), force = equations_acceleration(judge, judge->t, &ahead, &v);
    *f = SUM(judge, {one, u}, {equations_parameter(judge, "r_m"), &v1}, {ball(-1.0L), &force});
}

// The u at which the force is asked at x_n, where K is taken. How the kernel's is rounded moves only where its
// differences are made, since the update from either leads to the same place.
static Vector newmark_guess(const Judge *judge)
{
    const Roundoff unit = judge->u;
    const Ball     beta = equations_parameter(judge, "beta"), gamma = equations_parameter(judge, "gamma"),
               r_k = equations_parameter(judge, "r_k");
    const Ball reach =
        ball_mul(unit, judge->h, ball_add(unit, ball_mul(unit, judge->h, beta), ball_mul(unit, gamma, r_k)));
    Vector guess = {0}, x1, v1;
    newmark(judge, &guess, &x1, &v1);
    const Vector ahead = ahead_of(judge, &x1, &v1);
    for (size_t i = 0; i < judge->n; ++i)
        guess.i[i] = ball((judge->substep->before.x[i] - ahead.i[i].at) / reach.at);
    return guess;
}

void families_sofa_newmark(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const Vector              u = equations_known(judge, substep->after.own[0]), guess = newmark_guess(judge);
    Vector                    x1, v1;
    newmark(judge, &u, &x1, &v1);
    equations_equal(judge, "x_{n+1} of Newmark's rule", &x1, substep->after.x);
    equations_equal(judge, "v_{n+1} of Newmark's rule", &v1, substep->after.v);
    const Solve solve = {
        .equation = "a_{n+1} of linearised Newmark", .scale = 1.0L, .guess = &guess, .residual = newmark_residual};
    equations_linear(judge, &solve, &guess, &u);
}
