// families_composite -- equations of one-step methods of two solves: the trapezoidal rule, then a second formula.
//
// Either stage is certified by its own equations, the inner point (x_g, v_g) being part of the kernel's state. The
// reference does not show it: the first stage is then followed to where it may end.
#include "analysis/conform/families.h"
#include "analysis/conform/updates.h"

static const Ball zero = {0.0L, 0.0L}, one = {1.0L, 0.0L}, half = {0.5L, 0.0L}, two = {2.0L, 0.0L};

// The first stage ends at t + g h. The second is y1 = old y + inner y_g + h (q0 y' + q1 y_g' + q2 y1'); each derivative
// without a weight is left out.
typedef struct Composite {
    Ball g, old, inner, q0, q1, q2;
    bool slopes;  // the second formula has y' and y_g'
} Composite;

// Noh and Bathe 2019: gamma for equal stiffness matrices of the stages, which is (2 - sqrt(2 + 2 rho))/(1 - rho), or
// 1/2 at rho = 1. Its numerator loses digits near 1, which one step of Newton's method on the condition itself, (1 -
// rho) gamma^2 - 4 gamma + 2 = 0, gives back.
static Ball splitting_ratio(Roundoff u, Ball rho)
{
    const long double apart = 1.0L - rho.at;
    long double       gamma = apart == 0.0L ? 0.5L : (2.0L - sqrtl(2.0L + 2.0L * rho.at)) / apart;
    gamma -= (apart * gamma * gamma - 4.0L * gamma + 2.0L) / (2.0L * apart * gamma - 4.0L);
    // As many roundings as the formula has operations: a product, a sum and a root below, a sum, a quotient.
    return ball_rounded(u, gamma, 4.0L * BALL_ROUNDINGS * u * gamma);
}

// q1 of Noh and Bathe 2019; q0 and q2 from what consistency and second order ask: q0 + q1 + q2 = 1 and
// gamma q1 + q2 = 1/2.
static Composite noh_bathe(const Judge *judge)
{
    const Roundoff u = judge->u;
    const Ball     rho = equations_parameter(judge, "rho_inf"), g = splitting_ratio(u, rho);
    const Ball     below = ball_add(u, ball_mul(u, ball_mul(u, two, g), ball_sub(u, rho, one)), ball(4.0L));
    Composite      w = {.g = g, .old = one, .inner = zero, .slopes = true};
    w.q1 = ball_div(u, ball_add(u, rho, one), below);
    w.q2 = ball_sub(u, half, ball_mul(u, g, w.q1));
    w.q0 = ball_sub(u, ball_sub(u, one, w.q1), w.q2);
    return w;
}

// Bank et al. 1985, the BDF2 formula on t, t + gamma h, t + h: with b = 1 - gamma and c = 2 - gamma,
// y1 = (y_g - b^2 y)/(gamma c) + (b/c) h y1'.
static Composite bank(const Judge *judge)
{
    const Roundoff u = judge->u;
    const Ball     g = equations_parameter(judge, "gamma"), b = ball_sub(u, one, g), c = ball_sub(u, two, g),
               product = ball_mul(u, g, c);
    return (Composite){.g = g,
                       .old = ball_sub(u, zero, ball_div(u, ball_mul(u, b, b), product)),
                       .inner = ball_div(u, one, product),
                       .q2 = ball_div(u, b, c)};
}

// What a stage solves: y1 = rest + c y1', y = (x, v), for v1.
typedef struct CompositeStage {
    Ball   t, c;
    Vector x, v;  // rest
} CompositeStage;

static Solve solve_of(const Judge *judge, const CompositeStage *stage, const Vector *guess, const char *equation)
{
    return (Solve){.equation = equation,
                   .A = one,
                   .q = stage->c,
                   .t = stage->t,
                   .cx = equations_reach(judge, stage->c),
                   .cv = one,
                   .rest = &stage->v,
                   .x = &stage->x,
                   .guess = guess};
}

// What a stage gives must be what its equations ask; of a substep that failed, `v` is where it may have ended.
static void judge_stage(Judge *judge, const CompositeStage *stage, const Vector *guess, const Vector *v,
                        const double *x, const char *const words[2])
{
    const Vector x1 = equations_ahead(judge, &stage->x, stage->c, v);
    const Solve  solve = solve_of(judge, stage, guess, words[1]);
    equations_position(judge, words[0], &x1, x);
    equations_solved(judge, &solve, v);
}

// The second stage, from the inner point (xg, vg) at a time.
static CompositeStage second_stage(const Judge *judge, const Composite *w, Ball inner, const Vector *a,
                                   const Vector *xg, const Vector *vg)
{
    const CertificateState *before = &judge->substep->before;
    const Roundoff          u = judge->u;
    const Vector            x = equations_known(judge, before->x), v = equations_known(judge, before->v);
    CompositeStage          second = {.t = ball_add(u, judge->t, judge->h),
                                      .c = ball_mul(u, w->q2, judge->h),
                                      .x = SUM(judge, {w->old, &x}, {w->inner, xg}),
                                      .v = SUM(judge, {w->old, &v}, {w->inner, vg})};
    if (w->slopes) {
        const Vector ag = equations_acceleration(judge, inner, xg, vg);
        const Ball   c0 = ball_mul(u, w->q0, judge->h), c1 = ball_mul(u, w->q1, judge->h);
        second.x = SUM(judge, {one, &second.x}, {c0, &v}, {c1, vg});
        second.v = SUM(judge, {one, &second.v}, {c0, a}, {c1, &ag});
    }
    return second;
}

// What the first stage of a substep that failed had found is not kept, but it can be found again.
static void composite(Judge *judge, Composite w)
{
    static const char *const  words[2][2] = {{"x_{n+g} of the trapezoidal rule", "v_{n+g} of the trapezoidal rule"},
                                             {"x_{n+1} of the second stage", "v_{n+1} of the second stage"}};
    const CertificateSubstep *substep = judge->substep;
    const Roundoff            u = judge->u;
    const Ball                reach = ball_mul(u, w.g, judge->h), trapezoid = ball_mul(u, half, reach);
    const Vector         x = equations_known(judge, substep->before.x), v = equations_known(judge, substep->before.v);
    const Vector         a = equations_acceleration(judge, judge->t, &x, &v);
    const CompositeStage first = {.t = ball_add(u, judge->t, reach),
                                  .c = trapezoid,
                                  .x = SUM(judge, {one, &x}, {trapezoid, &v}),
                                  .v = SUM(judge, {one, &v}, {trapezoid, &a})};
    const double        *inner = substep->after.own[0];
    Vector               xg, vg;
    if (inner) {
        xg = equations_known(judge, inner);
        vg = equations_known(judge, substep->after.own[1]);
        judge_stage(judge, &first, &v, &vg, inner, words[0]);
    } else {
        const Solve solve = solve_of(judge, &first, &v, words[0][1]);
        equations_follow(judge, &solve);
    }
    if (!inner || !substep->accepted) {
        if (judge->solve_count == 0 || !judge->solves[0].accepted)
            return;
        vg = judge->solves[0].u;
        xg = equations_ahead(judge, &first.x, first.c, &vg);
    }
    const CompositeStage second = second_stage(judge, &w, first.t, &a, &xg, &vg);
    const Vector         v1 = equations_known(judge, substep->after.v);
    judge_stage(judge, &second, &vg, &v1, substep->after.x, words[1]);
}

void families_bathe(Judge *judge)
{
    composite(judge, noh_bathe(judge));
}

void families_tr_bdf2(Judge *judge)
{
    composite(judge, bank(judge));
}
