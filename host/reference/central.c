// central -- central differences with half-step velocities, damping taken at the whole steps.
//
// Degletagne 2015, section 6, with a half kick at either end: v is the velocity at t_n, which the force, where it
// depends on velocity, makes the solution of an equation.
#include "reference/method.h"

typedef struct Kick {
    const Step *step;
    double      x[REFERENCE_DOFS];  // at the end of the step
    double      v[REFERENCE_DOFS];  // in its middle
} Kick;

// u = v_{n+1/2} + (h/2) (a(t + h, x1, u) - r_m u)
static void residual(const void *context, const double *u, double *f)
{
    const Kick *kick = context;
    const Step *step = kick->step;
    double      r_m = step->weights->rayleigh.r_m, a[REFERENCE_DOFS];
    step->problem->acceleration(step->t + step->h, kick->x, u, step->params, a);
    for (size_t i = 0; i < step->problem->dofs; ++i)
        f[i] = (1.0 + step->h * r_m / 2.0) * u[i] - kick->v[i] - step->h / 2.0 * a[i];
}

static void jacobian(const void *context, const double *u, double *matrix)
{
    const Kick *kick = context;
    const Step *step = kick->step;
    size_t      n = step->problem->dofs;
    double      r_m = step->weights->rayleigh.r_m;
    double      dadx[REFERENCE_DOFS * REFERENCE_DOFS], dadv[REFERENCE_DOFS * REFERENCE_DOFS];
    step->problem->jacobian(step->t + step->h, kick->x, u, step->params, dadx, dadv);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            matrix[i * n + j] = (i == j ? 1.0 + step->h * r_m / 2.0 : 0.0) - step->h / 2.0 * dadv[i * n + j];
}

SolveEnd central_difference_step(const Step *step, Tally *tally, State *next)
{
    const State *now = step->now;
    double       h = step->h, r_m = step->weights->rayleigh.r_m, a[REFERENCE_DOFS];
    Kick         kick = {.step = step};
    Equation     equation = {
            .n = step->problem->dofs,
            .context = &kick,
            .residual = residual,
            .jacobian = jacobian,
            .unit = 1.0,
            .identity = 1.0 + h * r_m / 2.0,
            .stiffness_weight = 0.0,  // x1 is known before
            .known = kick.v,
    };
    step->problem->acceleration(step->t, now->x, now->v, step->params, a);
    *next = *now;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        kick.v[i] = now->v[i] + h / 2.0 * (a[i] - r_m * now->v[i]);
        kick.x[i] = now->x[i] + h * kick.v[i];
        next->x[i] = kick.x[i];
    }
    return newton_solve(&equation, step->rules, tally, next->v);
}
