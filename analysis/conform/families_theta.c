// families_theta -- equations of the theta family: trapezoidal rule, backward Euler, BDF2 and what lies between.
//
// Wu 2018, eq. 11 to 14. With y = (x, v), a step of first order is y1 = y + h ((1 - w) y' + w y1'), and the
// second-order one is (1 - theta) times the trapezoidal rule and theta times BDF2.
#include "analysis/conform/families.h"

static const Ball one = {1.0L, 0.0L}, half = {0.5L, 0.0L};

// y1 = y + old y' + new y1' + back (y - y_prev).
typedef struct Theta {
    Ball old, new, back;
} Theta;

// Eq. 14.
static Theta first_order(const Judge *judge, Ball weight)
{
    const Roundoff u = judge->u;
    return (Theta){.old = ball_mul(u, judge->h, ball_sub(u, one, weight)), .new = ball_mul(u, judge->h, weight)};
}

// Eq. 12 with BDF2 for unequal steps (Hairer, Norsett and Wanner 1993, section III.5), r = h/spacing; r = 1 is eq. 11.
// Without an earlier state the step is of first order (section 2.3.3): just above the trapezoidal rule, or that rule.
static Theta second_order(const Judge *judge, Ball theta)
{
    const CertificateSubstep *substep = judge->substep;
    const Roundoff            u = judge->u;
    if (!substep->previous)
        return first_order(
            judge, substep->start == START_TRAPEZOIDAL ? half : ball_add(u, half, ball_div(u, theta, ball(50.0L))));
    const Ball r = ball(substep->h / substep->spacing), whole = ball_add(u, one, ball_add(u, r, r)),
               trapezoid = ball_mul(u, ball_mul(u, half, ball_sub(u, one, theta)), judge->h);
    const Ball implicit = ball_mul(u, ball_mul(u, theta, judge->h), ball_div(u, ball_add(u, one, r), whole));
    return (Theta){.old = trapezoid,
                   .new = ball_add(u, trapezoid, implicit),
                   .back = ball_mul(u, theta, ball_div(u, ball_mul(u, r, r), whole))};
}

// What stands in y1 beside the new derivative.
static Vector known(const Judge *judge, const Theta *w, const Vector *y, const Vector *derivative,
                    const double *previous)
{
    if (!previous)
        return SUM(judge, {one, y}, {w->old, derivative});
    const Vector before = equations_known(judge, previous), apart = SUM(judge, {one, y}, {ball(-1.0L), &before});
    return SUM(judge, {one, y}, {w->old, derivative}, {w->back, &apart});
}

// Solved for v1, of which x1 is linear.
static void theta(Judge *judge, Theta w)
{
    const CertificateSubstep *substep = judge->substep;
    const CertificateState   *previous = substep->previous;
    const Vector x = equations_known(judge, substep->before.x), v = equations_known(judge, substep->before.v),
                 v1 = equations_known(judge, substep->after.v), a = equations_acceleration(judge, judge->t, &x, &v),
                 x_rest = known(judge, &w, &x, &v, previous ? previous->x : NULL),
                 v_rest = known(judge, &w, &v, &a, previous ? previous->v : NULL),
                 x1 = equations_ahead(judge, &x_rest, w.new, &v1), euler = SUM(judge, {one, &v}, {judge->h, &a}),
                 *guess = substep->newton->extrapolated ? &euler : &v;
    equations_position(judge, "x_{n+1} of the theta method", &x1, substep->after.x);
    const Solve solve = {.equation = "v_{n+1} of the theta method",
                         .A = one,
                         .q = w.new,
                         .t = ball_add(judge->u, judge->t, judge->h),
                         .cx = equations_reach(judge, w.new),
                         .cv = one,
                         .rest = &v_rest,
                         .x = &x_rest,
                         .guess = guess};
    equations_solved(judge, &solve, &v1);
}

void families_theta2(Judge *judge)
{
    theta(judge, second_order(judge, equations_parameter(judge, "theta")));
}

void families_bdf2(Judge *judge)
{
    theta(judge, second_order(judge, one));
}

void families_theta1(Judge *judge)
{
    theta(judge, first_order(judge, equations_parameter(judge, "theta1")));
}

void families_trapezoidal(Judge *judge)
{
    theta(judge, first_order(judge, half));
}

void families_backward_euler(Judge *judge)
{
    theta(judge, first_order(judge, one));
}
