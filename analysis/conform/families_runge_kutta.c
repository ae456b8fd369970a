// families_runge_kutta -- equations of explicit Runge-Kutta methods, from their tableaus; an error estimate's
// decisions.
//
// With y = (x, v) and y' = (v, a(t, x, v)): k_i = y'(t + c_i h, y + h (a_i1 k_1 + a_i2 k_2 + ...)), y_{n+1} = y_n + h
// (b_1 k_1 + b_2 k_2 + ...).
#include "analysis/conform/families.h"

#include <float.h>

enum { MOST_STAGES = 7 };

typedef struct ButcherTableau {
    size_t      stages;
    long double c[MOST_STAGES], a[MOST_STAGES][MOST_STAGES], b[MOST_STAGES];
} ButcherTableau;

// Runge 1895.
static const ButcherTableau midpoint = {.stages = 2, .c = {0.0L, 0.5L}, .a = {[1] = {0.5L}}, .b = {0.0L, 1.0L}};

// Kutta 1901.
static const ButcherTableau classical = {
    .stages = 4,
    .c = {0.0L, 0.5L, 0.5L, 1.0L},
    .a = {[1] = {0.5L}, [2] = {0.0L, 0.5L}, [3] = {0.0L, 0.0L, 1.0L}},
    .b = {1.0L / 6.0L, 2.0L / 6.0L, 2.0L / 6.0L, 1.0L / 6.0L},
};

// Dormand and Prince 1980, table 2; Hairer, Norsett and Wanner 1993, table II.5.2.
static const ButcherTableau dormand_prince = {
    .stages = 6,
    .c = {0.0L, 0.2L, 0.3L, 0.8L, 8.0L / 9.0L, 1.0L},
    .a = {[1] = {0.2L},
          [2] = {3.0L / 40.0L, 9.0L / 40.0L},
          [3] = {44.0L / 45.0L, -56.0L / 15.0L, 32.0L / 9.0L},
          [4] = {19372.0L / 6561.0L, -25360.0L / 2187.0L, 64448.0L / 6561.0L, -212.0L / 729.0L},
          [5] = {9017.0L / 3168.0L, -355.0L / 33.0L, 46732.0L / 5247.0L, 49.0L / 176.0L, -5103.0L / 18656.0L}},
    .b = {35.0L / 384.0L, 0.0L, 500.0L / 1113.0L, 125.0L / 192.0L, -2187.0L / 6784.0L, 11.0L / 84.0L},
};

// The same table's weights of order 4, which weigh the slope at the end of the step too.
static const long double of_order_4[MOST_STAGES] = {
    5179.0L / 57600.0L, 0.0L,        7571.0L / 16695.0L, 393.0L / 640.0L, -92097.0L / 339200.0L,
    187.0L / 2100.0L,   1.0L / 40.0L};

static const Ball one = {1.0L, 0.0L};

// k_1, k_2, ... in x and in v.
typedef struct Slopes {
    Vector x[MOST_STAGES], v[MOST_STAGES];
} Slopes;

// The weighted sum of slopes.
static Vector mean(const Judge *judge, size_t count, const long double *weights, const Vector *slopes)
{
    Term   terms[MOST_STAGES];
    size_t used = 0;
    for (size_t k = 0; k < count; ++k)
        if (weights[k] != 0.0L)
            terms[used++] = (Term){ball_rounded(judge->u, weights[k], 0.0L), &slopes[k]};
    return equations_sum(judge, used, terms);
}

// y + h times that.
static void along(const Judge *judge, size_t count, const long double *weights, const Slopes *slopes, Vector *x,
                  Vector *v)
{
    const Vector x0 = equations_known(judge, judge->substep->before.x),
                 v0 = equations_known(judge, judge->substep->before.v), dx = mean(judge, count, weights, slopes->x),
                 dv = mean(judge, count, weights, slopes->v);
    *x = SUM(judge, {one, &x0}, {judge->h, &dx});
    *v = SUM(judge, {one, &v0}, {judge->h, &dv});
}

// The slopes after the first, then y_{n+1}.
static void take_stages(const Judge *judge, const ButcherTableau *tableau, Slopes *slopes, Vector *x1, Vector *v1)
{
    const Roundoff u = judge->u;
    for (size_t k = 1; k < tableau->stages; ++k) {
        const Ball c = tableau->c[k] == 1.0L ? one : ball_rounded(u, tableau->c[k], 0.0L);
        Vector     x;
        along(judge, k, tableau->a[k], slopes, &x, &slopes->x[k]);
        slopes->v[k] =
            equations_acceleration(judge, ball_add(u, judge->t, ball_mul(u, c, judge->h)), &x, &slopes->x[k]);
    }
    along(judge, tableau->stages, tableau->b, slopes, x1, v1);
}

static void runge_kutta(Judge *judge, const ButcherTableau *tableau)
{
    const CertificateSubstep *substep = judge->substep;
    const Vector              x = equations_known(judge, substep->before.x);
    Slopes                    slopes;
    Vector                    x1, v1;
    slopes.x[0] = equations_known(judge, substep->before.v);
    slopes.v[0] = equations_acceleration(judge, judge->t, &x, &slopes.x[0]);
    take_stages(judge, tableau, &slopes, &x1, &v1);
    equations_position(judge, "x_{n+1} of the Runge-Kutta tableau", &x1, substep->after.x);
    equations_equal(judge, "v_{n+1} of the Runge-Kutta tableau", &v1, substep->after.v);
}

void families_rk2(Judge *judge)
{
    runge_kutta(judge, &midpoint);
}

void families_rk4(Judge *judge)
{
    runge_kutta(judge, &classical);
}

void families_dopri5(Judge *judge)
{
    runge_kutta(judge, &dormand_prince);
}

// Demands that the substep ends its step where what was proposed for it reaches the end, and nowhere else. judge->t and
// judge->h become the substep's own.
static void place(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const CertificateControl *control = &substep->control;
    const Roundoff            u = judge->u;
    const Ball                reached = ball(control->reached), proposed = ball(control->proposed);
    const Ball                left = control->reached == 0.0 ? judge->h : ball_sub(u, judge->h, reached);
    const bool                cut = proposed.at >= left.at;
    judge->t = ball_add(u, judge->t, reached);
    judge->h = cut ? left : proposed;
    // The kernel's rounded rest of the step may lie on the other side.
    if (fabsl(proposed.at - left.at) <= left.off)
        judge->h.off = left.off;
    if (!substep->accepted) {
        equations_number(judge, "the time that a rejected substep stays at", 0, reached, control->next_reached);
    } else if (control->ended) {
        equations_below(judge, "a substep at the end of its step", 0, (Ball){left.at - proposed.at, left.off}, 0.0L);
        equations_number(judge, "the time at the end of the step", 0, ball(0.0L), control->next_reached);
    } else {
        equations_below(judge, "a substep within its step", 0, (Ball){proposed.at - left.at + LDBL_MIN, left.off},
                        0.0L);
        equations_number(judge, "the time reached", 0, ball_add(u, reached, judge->h), control->next_reached);
    }
}

// The error over what is permitted, the largest component's; its bounds are not about `at` alone, since another
// component may be the largest.
typedef struct Estimate {
    long double least, at, most;
    size_t      dof;           // of the component that may be the largest
    bool        finite, open;  // a number; the kernel's may be none though it is
} Estimate;

// Hairer, Norsett and Wanner 1993, eq. II.4.10: |y - y^| over Atol + Rtol max(|y_0|, |y_1|), Atol in sizes of y.
static void add_component(const Judge *judge, size_t dof, Ball difference, Ball scale, double before, Ball after,
                          Estimate *estimate)
{
    const Roundoff u = judge->u;
    const Ball     old = ball(fabs(before)), new = {fabsl(after.at), after.off};
    const Ball     size = {larger_of(old.at, new.at), new.off},
               permitted = ball_add(u, ball_mul(u, equations_parameter(judge, "atol"), scale),
                                    ball_mul(u, equations_parameter(judge, "rtol"), size));
    Ball share = ball_div(u, (Ball){fabsl(difference.at), difference.off}, permitted);
    if (isnan(share.off))
        share.off = INFINITY;
    estimate->finite = estimate->finite && isfinite(share.at);
    estimate->least = larger_of(estimate->least, share.at - share.off);
    estimate->at = larger_of(estimate->at, share.at);
    if (share.at + share.off > estimate->most) {
        estimate->most = share.at + share.off;
        estimate->dof = dof;
    }
}

// The larger of a number that is as it is and another.
static Ball larger_ball(long double a, Ball b)
{
    return (Ball){larger_of(a, b.at), a > b.at + b.off ? 0.0L : b.off};
}

// The size of a component: the largest that it was where substeps began, of which a 512th is forgotten in each. The
// first time it may also be what the substep moves it by, and is 1 where that is 0.
static Ball size_of(Roundoff u, double kept, double now, Ball moved)
{
    const long double here = fabs(now);
    if (kept > 0.0)
        return larger_ball(here, ball_rounded(u, 511.0L / 512.0L * kept, 0.0L));
    const Ball first = larger_ball(here, moved);
    return first.at > 0.0L ? first : ball(1.0L);
}

static void find_sizes(const Judge *judge, Vector *x, Vector *v)
{
    const CertificateState *before = &judge->substep->before;
    const Roundoff          u = judge->u;
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball a = ball_mul(u, judge->h, ball(fabs(before->own[0][i]))),
                   speed = {larger_of(fabs(before->v[i]), a.at), a.off};
        const bool first_order = judge->substep->problem->first_order;
        x->i[i] = size_of(u, before->own[1][i], first_order ? 0.0 : before->x[i], ball_mul(u, judge->h, speed));
        v->i[i] = size_of(u, before->own[2][i], before->v[i], a);
    }
}

// Fifth order minus fourth. The seventh slope is that of the new state, (x1, v1) with a1.
static Estimate find_error(const Judge *judge, Slopes *slopes, const Vector *x1, const Vector *v1, const Vector *a1,
                           const Vector *size_x, const Vector *size_v)
{
    const CertificateState *before = &judge->substep->before;
    long double             weights[MOST_STAGES];
    Estimate                estimate = {.finite = true};
    for (size_t k = 0; k < MOST_STAGES; ++k)
        weights[k] = dormand_prince.b[k] - of_order_4[k];
    slopes->x[MOST_STAGES - 1] = *v1;
    slopes->v[MOST_STAGES - 1] = *a1;
    const Vector dx = mean(judge, MOST_STAGES, weights, slopes->x), dv = mean(judge, MOST_STAGES, weights, slopes->v),
                 ex = SUM(judge, {judge->h, &dx}), ev = SUM(judge, {judge->h, &dv});
    for (size_t i = 0; i < judge->n; ++i) {
        if (!judge->substep->problem->first_order)
            add_component(judge, i, ex.i[i], size_x->i[i], before->x[i], x1->i[i], &estimate);
        add_component(judge, i, ev.i[i], size_v->i[i], before->v[i], v1->i[i], &estimate);
    }
    return estimate;
}

// The size proposed for the next substep after an error: h min(facmax, max(facmin, fac error^(-1/5))) with fac 0.9 and
// facmin 1/5 (eq. II.4.13), facmax 5, or 1 where the substep was not taken. What was proposed before the end of the
// step cut it is not forgotten, and no substep is longer than a step.
static long double proposal(const Judge *judge, long double error, bool finite)
{
    const CertificateSubstep *substep = judge->substep;
    const CertificateControl *control = &substep->control;
    const long double         most = substep->accepted ? 5.0L : 1.0L;
    const long double         factor = finite ? smaller_of(most, larger_of(0.2L, 0.9L * powl(error, -0.2L))) : 0.2L;
    const long double         suited = judge->h.at * factor;
    return smaller_of(substep->h, substep->accepted && control->ended ? larger_of(suited, control->proposed) : suited);
}

// The kernel's power is exp(log(error) (-1/5)): what the logarithm, the fifth and the product are off stands in the
// exponent, 5 roundings of it; exp, 0.9 and the products are 8 of the result.
static void demand_proposal(Judge *judge, const Estimate *error)
{
    const long double at = proposal(judge, error->at, error->finite),
                      spread = error->finite ? larger_of(proposal(judge, error->least, true) - at,
                                                         at - proposal(judge, error->most, true))
                                             : 0.0L;
    const long double logarithm = error->finite && error->at > 0.0L ? fabsl(logl(larger_of(error->at, 1e-10L))) : 0.0L;
    if (error->open && judge->substep->control.next_proposed == (double)(0.2L * judge->h.at))
        return;
    const Ball next = {at, spread + judge->u * at * (8.0L + logarithm) + 5.0L * judge->h.off};
    equations_number(judge, "the size proposed next", error->dof, next, judge->substep->control.next_proposed);
}

// Dormand and Prince's pair; the error is the largest over the components of what is permitted. A substep is taken
// where it is at most 1, and else nothing changes but the size proposed next.
void families_dopri5_adaptive(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const CertificateState   *before = &substep->before, *after = &substep->after;
    Slopes                    slopes;
    Vector                    x1, v1;
    place(judge);
    slopes.x[0] = equations_known(judge, before->v);
    slopes.v[0] = equations_known(judge, before->own[0]);
    take_stages(judge, &dormand_prince, &slopes, &x1, &v1);
    if (substep->accepted) {
        equations_position(judge, "x_{n+1} of the Runge-Kutta tableau", &x1, after->x);
        equations_equal(judge, "v_{n+1} of the Runge-Kutta tableau", &v1, after->v);
        x1 = equations_known(judge, after->x);
        v1 = equations_known(judge, after->v);
    }
    const Vector a1 = equations_acceleration(judge, ball_add(judge->u, judge->t, judge->h), &x1, &v1);
    Vector       size_x, size_v;
    find_sizes(judge, &size_x, &size_v);
    Estimate error = find_error(judge, &slopes, &x1, &v1, &a1, &size_x, &size_v);
    // A substep that was rejected because its error is NaN must have a NaN in the error, or on the way to it.
    const bool lost = substep->end_said && substep->end == CERTIFICATE_NOT_FINITE;
    if (lost && !*judge->overflow && error.finite && error.most < equations_limit(judge))
        equations_fail(judge, "an error that is a number", error.at, equations_limit(judge));
    if (substep->end_said && !lost && !error.finite)
        equations_fail(judge, "an error that is not finite", error.at, 0.0L);
    error.open = *judge->overflow;
    if (substep->accepted) {
        equations_equal(judge, "a_{n+1} = accel(t_{n+1}, x_{n+1}, v_{n+1})", &a1, after->own[0]);
        equations_position(judge, "the size of x", &size_x, after->own[1]);
        equations_equal(judge, "the size of v", &size_v, after->own[2]);
        equations_below(judge, "the error of a substep that was taken", error.dof,
                        (Ball){error.finite ? error.at : NAN, error.at - error.least}, 1.0L);
    } else {
        for (size_t i = 0; i < judge->n; ++i) {
            equations_number(judge, "x_n, where a substep was rejected", i, ball(before->x[i]), after->x[i]);
            equations_number(judge, "v_n, where a substep was rejected", i, ball(before->v[i]), after->v[i]);
            equations_number(judge, "a_n, where a substep was rejected", i, ball(before->own[0][i]), after->own[0][i]);
        }
        if (error.finite && !error.open)
            equations_below(judge, "the error of a substep that was rejected", error.dof,
                            (Ball){-error.at, error.most - error.at}, -1.0L);
    }
    demand_proposal(judge, &error);
}
