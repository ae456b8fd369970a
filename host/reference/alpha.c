// alpha -- the generalized-alpha family: Newmark's rule with the equation of motion held inside the step.
//
// Wu 2018, section 2.2; Chung and Hulbert 1993. The force is evaluated at the interpolated state of eqs. (7)-(9), not
// averaged. a_n is the method's own sequence: eq. (5) makes it an approximation of x'' at a shifted time, and it is
// never re-evaluated.
#include "reference/balance.h"

#include <math.h>
#include <string.h>

// The parameters below eq. (9).
void generalized_alpha_weigh(const MethodValues *values, Weights *weights)
{
    double        rho_inf = method_value(values, "rho_inf");
    AlphaWeights *w = &weights->alpha;
    w->alpha_m = (2.0 * rho_inf - 1.0) / (rho_inf + 1.0);
    w->alpha_f = rho_inf / (rho_inf + 1.0);
    w->gamma = 0.5 - w->alpha_m + w->alpha_f;
    w->beta = 0.25 * (1.0 - w->alpha_m + w->alpha_f) * (1.0 - w->alpha_m + w->alpha_f);
}

// Newmark 1959: the equation of motion holds at the end of the step.
void newmark_weigh(const MethodValues *values, Weights *weights)
{
    weights->alpha = (AlphaWeights){
        .alpha_m = 0.0,
        .alpha_f = 0.0,
        .gamma = method_value(values, "gamma"),
        .beta = method_value(values, "beta"),
    };
}

// Hilber, Hughes and Taylor 1977: alpha <= 0 holds the force back, not the inertia.
void hht_alpha_weigh(const MethodValues *values, Weights *weights)
{
    double alpha = method_value(values, "alpha");
    weights->alpha = (AlphaWeights){
        .alpha_m = 0.0,
        .alpha_f = -alpha,
        .gamma = 0.5 - alpha,
        .beta = 0.25 * (1.0 - alpha) * (1.0 - alpha),
    };
}

// Wood, Bossak and Zienkiewicz 1980: alpha <= 0 weighs the old acceleration, the force is at the end of the step.
void wbz_alpha_weigh(const MethodValues *values, Weights *weights)
{
    double alpha = method_value(values, "alpha");
    weights->alpha = (AlphaWeights){
        .alpha_m = alpha,
        .alpha_f = 0.0,
        .gamma = 0.5 - alpha,
        .beta = 0.25 * (1.0 - alpha) * (1.0 - alpha),
    };
}

// Eqs. (3) and (4): the end of the step for a trial a_{n+1} = u.
static void newmark_rule(const Step *step, const double *u, State *end)
{
    const AlphaWeights *w = &step->weights->alpha;
    const State        *now = step->now;
    double              h = step->h;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        end->x[i] = now->x[i] + h * now->v[i] + h * h * ((0.5 - w->beta) * now->a[i] + w->beta * u[i]);
        end->v[i] = now->v[i] + h * ((1.0 - w->gamma) * now->a[i] + w->gamma * u[i]);
        end->a[i] = u[i];
    }
}

// Eqs. (7) and (8): where the force is evaluated.
static void place(const void *context, const double *u, double *x, double *v)
{
    const Step *step = context;
    double      alpha_f = step->weights->alpha.alpha_f;
    State       end;
    newmark_rule(step, u, &end);
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        x[i] = (1.0 - alpha_f) * end.x[i] + alpha_f * step->now->x[i];
        v[i] = (1.0 - alpha_f) * end.v[i] + alpha_f * step->now->v[i];
    }
}

// Eq. (5) with (6), divided by the mass.
static double row(const void *context, size_t i, double u, double a)
{
    const Step *step = context;
    double      alpha_m = step->weights->alpha.alpha_m;
    return (1.0 - alpha_m) * u + alpha_m * step->now->a[i] - a;
}

// By the chain rule through eqs. (3), (4), (7) and (8).
static double slope(const void *context, double same, double dadx, double dadv)
{
    const Step         *step = context;
    const AlphaWeights *w = &step->weights->alpha;
    double              h = step->h;
    return same * (1.0 - w->alpha_m) - (1.0 - w->alpha_f) * (w->beta * h * h * dadx + w->gamma * h * dadv);
}

// How many accelerations lie before a_n at the distance of the step to be taken.
static size_t count_earlier(const Step *step)
{
    return step->rules->extrapolated && step->now->spacing == step->h ? step->now->earlier_count : 0;
}

// Lagrange's polynomial through the accelerations at t, t - h and so on, at t + h: its weights are binomial
// coefficients with alternating signs.
static void guess(const Step *step, double *u)
{
    static const double weights[REFERENCE_EARLIER + 1][REFERENCE_EARLIER + 1] = {{1.0}, {2.0, -1.0}, {3.0, -3.0, 1.0}};
    const State        *now = step->now;
    const size_t        count = count_earlier(step);
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        u[i] = weights[count][0] * now->a[i];
        for (size_t k = 0; k < count; ++k)
            u[i] += weights[count][k + 1] * now->earlier[k][i];
    }
}

// What the next guess may be extrapolated from.
static void remember(const Step *step, State *next)
{
    const size_t count = count_earlier(step), bytes = sizeof next->earlier[0];
    for (size_t k = REFERENCE_EARLIER; --k > 0;)
        memcpy(next->earlier[k], step->now->earlier[k - 1], bytes);
    memcpy(next->earlier[0], step->now->a, bytes);
    next->earlier_count = count < REFERENCE_EARLIER ? count + 1 : count;
    next->spacing = step->h;
}

// Eq. (9): the time of the force.
SolveEnd alpha_step(const Step *step, Tally *tally, State *next)
{
    const AlphaWeights *w = &step->weights->alpha;
    double              u[REFERENCE_DOFS];
    const Balance       balance = {step, step, step->t + (1.0 - w->alpha_f) * step->h, place, row, slope, true};
    const Equation      rest = {
             .identity = 1.0 - w->alpha_m,
             .stiffness_weight = (1.0 - w->alpha_f) * w->beta * step->h * step->h,
    };
    guess(step, u);
    SolveEnd end = balance_solve(&balance, rest, tally, u);
    newmark_rule(step, u, next);
    if (step->rules->extrapolated)
        remember(step, next);
    return end;
}
