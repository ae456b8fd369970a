// adaptive -- place, error and decision of a substep that an error estimate has chosen.
#include "analysis/conform/certificate/demand.h"

#include <float.h>

void adaptive_place(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const WalkState          *before = &substep->before, *after = &substep->after;
    const Roundoff            u = judge->u;
    const Ball                reached = ball(before->reached), proposed = ball(before->proposed);
    const Ball end = ball(substep->piece_end), left = before->reached == 0.0 ? end : ball_sub(u, end, reached);
    const bool cut = proposed.at >= left.at;
    if (substep->sought > 0.0) {
        judge->t = ball_add(u, judge->t, reached);
        judge->h = ball(substep->sought);
        const Ball to = substep->meets     ? ball(substep->met)
                        : substep->arrives ? (substep->ends_step ? ball(0.0L) : end)
                                           : ball_add(u, reached, judge->h);
        equations_number(judge, "the time reached at an event", 0, substep->accepted ? to : reached, after->reached);
        return;
    }
    judge->t = ball_add(u, judge->t, reached);
    judge->h = cut ? left : proposed;
    // The kernel's rounded rest of the step may lie on the other side.
    if (fabsl(proposed.at - left.at) <= left.off)
        judge->h.off = left.off;
    if (!substep->accepted) {
        equations_number(judge, "the time that a rejected substep stays at", 0, reached, after->reached);
    } else if (substep->arrives) {
        equations_below(judge, "a substep at the end of its step", 0, (Ball){left.at - proposed.at, left.off}, 0.0L);
        equations_number(judge, "the time at the end of the step", 0, substep->ends_step ? ball(0.0L) : end,
                         after->reached);
    } else {
        equations_below(judge, "a substep within its step", 0, (Ball){proposed.at - left.at + LDBL_MIN, left.off},
                        0.0L);
        equations_number(judge, "the time reached", 0, ball_add(u, reached, judge->h), after->reached);
    }
}

// Value of the method's parameter.
static Ball parameter(const Judge *judge, const char *name)
{
    const Card  *method = judge->substep->method;
    const size_t i = card_parameter(method, name);
    return ball(i < method->parameter_count ? judge->substep->parameters[i] : NAN);
}

// The error over the permitted error, of the largest component; its bounds are not about `at` alone, since another
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
               permitted = ball_add(u, ball_mul(u, parameter(judge, "atol"), scale),
                                    ball_mul(u, parameter(judge, "rtol"), size));
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
// first time it may also be the component's change in the substep, and is 1 where that is 0.
static Ball size_of(Roundoff u, double kept, double now, Ball moved)
{
    const long double here = fabs(now);
    if (kept > 0.0)
        return larger_ball(here, ball_rounded(u, 511.0L / 512.0L * kept, 0.0L));
    const Ball first = larger_ball(here, moved);
    return first.at > 0.0L ? first : ball(1.0L);
}

void adaptive_sizes(const Judge *judge, Vector *x, Vector *v)
{
    const WalkState *before = &judge->substep->before;
    const Roundoff   u = judge->u;
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball a = ball_mul(u, judge->h, ball(fabs(equations_own(judge, before, "a")[i]))),
                   speed = {larger_of(fabs(before->v[i]), a.at), a.off};
        const bool first_order = judge->substep->point->problem->first_order;
        x->i[i] = size_of(u, equations_own(judge, before, "size_x")[i], first_order ? 0.0 : before->x[i],
                          ball_mul(u, judge->h, speed));
        v->i[i] = size_of(u, equations_own(judge, before, "size_v")[i], before->v[i], a);
    }
}

static Estimate find_error(const Judge *judge, const Vector *error_x, const Vector *error_v, const Vector *x1,
                           const Vector *v1, const Vector *size_x, const Vector *size_v)
{
    const WalkState *before = &judge->substep->before;
    Estimate         estimate = {.finite = true};
    for (size_t i = 0; i < judge->n; ++i) {
        if (!judge->substep->point->problem->first_order)
            add_component(judge, i, error_x->i[i], size_x->i[i], before->x[i], x1->i[i], &estimate);
        add_component(judge, i, error_v->i[i], size_v->i[i], before->v[i], v1->i[i], &estimate);
    }
    return estimate;
}

// The size below which no substep is tried.
static long double least_size(const Judge *judge)
{
    const bool single = judge->u > 0x1p-40L;
    return fmaxl(judge->substep->h * LEAST_OF_STEP(single), judge->substep->before.reached * LEAST_OF_REACHED(single));
}

// The size proposed for the next substep after an error: h min(facmax, max(facmin, fac error^(-1/order))) with fac 0.9
// and facmin 1/5 (eq. II.4.13), facmax 5, or 1 where the substep was not taken. The size proposed before the end of the
// step cut it is not forgotten, and no substep is longer than a step.
static long double proposal(const Judge *judge, long double error, bool finite)
{
    const CertificateSubstep *substep = judge->substep;
    const WalkState          *before = &substep->before;
    const long double         most = substep->accepted ? 5.0L : 1.0L;
    const long double         root = -1.0L / substep->method->error_order;
    const long double         factor = finite ? smaller_of(most, larger_of(0.2L, 0.9L * powl(error, root))) : 0.2L;
    const long double         suited = larger_of(judge->h.at * factor, least_size(judge));
    return smaller_of(substep->h, substep->accepted && substep->arrives ? larger_of(suited, before->proposed) : suited);
}

// The kernel's power is exp(log(error) (-1/order)): the error of the logarithm, the part and the product stands in the
// exponent, 5 roundings of it; exp, 0.9 and the products are 8 of the result.
static void demand_proposal(Judge *judge, const Estimate *error)
{
    const long double at = proposal(judge, error->at, error->finite),
                      spread = error->finite ? larger_of(proposal(judge, error->least, true) - at,
                                                         at - proposal(judge, error->most, true))
                                             : 0.0L;
    const long double logarithm = error->finite && error->at > 0.0L ? fabsl(logl(larger_of(error->at, 1e-10L))) : 0.0L;
    if (error->open && judge->substep->after.proposed == (double)larger_of(0.2L * judge->h.at, least_size(judge)))
        return;
    const Ball next = {at, spread + judge->u * (at + spread) * (8.0L + logarithm) + 5.0L * judge->h.off};
    equations_number(judge, "the size proposed next", error->dof, next, judge->substep->after.proposed);
}

static void demand_unmoved(Judge *judge)
{
    const WalkState *before = &judge->substep->before, *after = &judge->substep->after;
    const double    *a = equations_own(judge, before, "a"), *a1 = equations_own(judge, after, "a");
    for (size_t i = 0; i < judge->n; ++i) {
        equations_number(judge, "x_n, where a substep was rejected", i, ball(before->x[i]), after->x[i]);
        equations_number(judge, "v_n, where a substep was rejected", i, ball(before->v[i]), after->v[i]);
        equations_number(judge, "a_n, where a substep was rejected", i, ball(a[i]), a1[i]);
    }
}

void adaptive_decide(Judge *judge, const Vector *error_x, const Vector *error_v, const Vector *x1, const Vector *v1)
{
    const CertificateSubstep *substep = judge->substep;
    Vector                    size_x, size_v;
    adaptive_sizes(judge, &size_x, &size_v);
    Estimate error = find_error(judge, error_x, error_v, x1, v1, &size_x, &size_v);
    // A substep that was rejected because its error is NaN must have a NaN in the error, or on the way to it.
    const bool lost = substep->end_said && substep->end == SOLVE_NOT_FINITE;
    if (lost && !*judge->overflow && error.finite && error.most < equations_limit(judge))
        equations_fail(judge, "an error that is a number", error.at, equations_limit(judge));
    if (substep->end_said && !lost && !error.finite)
        equations_fail(judge, "an error that is not finite", error.at, 0.0L);
    error.open = *judge->overflow;
    if (substep->accepted) {
        equations_position(judge, "the size of x", &size_x, equations_own(judge, &substep->after, "size_x"));
        equations_equal(judge, "the size of v", &size_v, equations_own(judge, &substep->after, "size_v"));
        if (substep->sought > 0.0) {  // the substep that it is a part of was taken, and the size behind it stands
            equations_number(judge, "the size proposed before an event", 0, ball(substep->before.proposed),
                             substep->after.proposed);
            return;
        }
        if (substep->after.forced > substep->before.forced)
            equations_below(judge, "the error of a substep that was taken at the least size", error.dof,
                            (Ball){error.finite ? -error.at : NAN, error.most - error.at}, -1.0L);
        else
            equations_below(judge, "the error of a substep that was taken", error.dof,
                            (Ball){error.finite ? error.at : NAN, error.at - error.least}, 1.0L);
    } else {
        demand_unmoved(judge);
        if (judge->h.at + judge->h.off <= least_size(judge) && error.most < equations_limit(judge) && !error.open)
            equations_fail(judge, "a substep of the least size that was rejected", error.at, 1.0L);
        if (error.finite && !error.open)
            equations_below(judge, "the error of a substep that was rejected", error.dof,
                            (Ball){-error.at, error.most - error.at}, -1.0L);
    }
    demand_proposal(judge, &error);
}

void adaptive_unsolved(Judge *judge)
{
    const WalkState *after = &judge->substep->after;
    demand_unmoved(judge);
    equations_number(judge, "a fifth of a substep whose solves failed", 0,
                     larger_ball(least_size(judge), ball_mul(judge->u, ball(0.2L), judge->h)), after->proposed);
}
