// explicit -- explicit methods for x'' = a(t, x, v), other than Runge-Kutta methods.
#include "reference/method.h"

#include <math.h>

// Fang 2018, eqs. (8) and (9), the latter without its slip: v_n stays.
SolveEnd explicit_euler_step(const Step *step, Tally *tally, State *next)
{
    const State *now = step->now;
    double       a[REFERENCE_DOFS];
    (void)tally;
    step->problem->acceleration(step->t, now->x, now->v, step->params, a);
    *next = *now;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        next->x[i] = now->x[i] + step->h * now->v[i];
        next->v[i] = now->v[i] + step->h * a[i];
    }
    return SOLVE_ACCEPTED;
}

// Fang 2018, eqs. (19) and (20): the new velocity moves x. With r_m it is Degletagne 2015, section 4.1, with F h for F
// and without the factor 2, the masses divided out: p is v.
SolveEnd symplectic_euler_step(const Step *step, Tally *tally, State *next)
{
    const State *now = step->now;
    double       r_m = step->weights->rayleigh.r_m, a[REFERENCE_DOFS];
    (void)tally;
    step->problem->acceleration(step->t, now->x, now->v, step->params, a);
    *next = *now;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        next->v[i] = step->h * a[i] + now->v[i] - step->h * r_m * now->v[i];
        next->x[i] = now->x[i] + step->h * next->v[i];
    }
    return SOLVE_ACCEPTED;
}

// Fang 2018, eq. (27).
void chung_lee_weigh(const MethodValues *values, Weights *weights)
{
    weights->alpha = (AlphaWeights){.gamma = 1.5, .beta = method_value(values, "beta")};
}

// Fang 2018, eqs. (23)-(25): a_{n+1} is the acceleration at t_n.
SolveEnd chung_lee_step(const Step *step, Tally *tally, State *next)
{
    const State *now = step->now;
    double       gamma = step->weights->alpha.gamma, gamma_hat = 1.0 - gamma;
    double       beta = step->weights->alpha.beta, beta_hat = 0.5 - beta, h = step->h;
    (void)tally;
    step->problem->acceleration(step->t, now->x, now->v, step->params, next->a);
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        next->v[i] = now->v[i] + h * (gamma_hat * now->a[i] + gamma * next->a[i]);
        next->x[i] = now->x[i] + h * now->v[i] + h * h * (beta_hat * now->a[i] + beta * next->a[i]);
    }
    return SOLVE_ACCEPTED;
}

// Swope et al. 1982, eqs. (4) and (7). A force that depends on velocity has the one predicted by a_n.
SolveEnd velocity_verlet_step(const Step *step, Tally *tally, State *next)
{
    const State *now = step->now;
    double       h = step->h, predicted[REFERENCE_DOFS] = {0};
    (void)tally;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        next->x[i] = now->x[i] + h * now->v[i] + h * h / 2.0 * now->a[i];
        predicted[i] = now->v[i] + h * now->a[i];
    }
    step->problem->acceleration(step->t + h, next->x, predicted, step->params, next->a);
    for (size_t i = 0; i < step->problem->dofs; ++i)
        next->v[i] = now->v[i] + h / 2.0 * (now->a[i] + next->a[i]);
    return SOLVE_ACCEPTED;
}

// Drift, kick, drift over a time d from t. A force that depends on velocity has the one in the middle of the kick, by
// the explicit midpoint rule.
static void leap(const Step *step, double t, double d, State *state)
{
    size_t n = step->problem->dofs;
    double a[REFERENCE_DOFS], half_kicked[REFERENCE_DOFS] = {0};
    for (size_t i = 0; i < n; ++i)
        state->x[i] += d / 2.0 * state->v[i];
    step->problem->acceleration(t + d / 2.0, state->x, state->v, step->params, a);
    for (size_t i = 0; i < n; ++i)
        half_kicked[i] = state->v[i] + d / 2.0 * a[i];
    step->problem->acceleration(t + d / 2.0, state->x, half_kicked, step->params, a);
    for (size_t i = 0; i < n; ++i) {
        state->v[i] += d * a[i];
        state->x[i] += d / 2.0 * state->v[i];
    }
}

// Yoshida 1990, eqs. (2.11) and (2.12): three leaps, the middle one backwards, whose errors of third order cancel.
SolveEnd yoshida4_step(const Step *step, Tally *tally, State *next)
{
    double w1 = 1.0 / (2.0 - cbrt(2.0)), w0 = 1.0 - 2.0 * w1, h = step->h;
    (void)tally;
    *next = *step->now;
    leap(step, step->t, w1 * h, next);
    leap(step, step->t + w1 * h, w0 * h, next);
    leap(step, step->t + (w1 + w0) * h, w1 * h, next);
    return SOLVE_ACCEPTED;
}
