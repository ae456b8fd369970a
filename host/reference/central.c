// central -- central differences with half-step velocities, damping taken at the whole steps.
//
// Degletagne 2015, section 6, with a half kick at either end: v is the velocity at t_n, which the force, where it
// depends on velocity, makes the solution of an equation.
#include "reference/balance.h"

#include <string.h>

typedef struct Kick {
    const Step *step;
    double      x[REFERENCE_DOFS];  // at the end of the step
    double      v[REFERENCE_DOFS];  // in its middle
} Kick;

static void place(const void *context, const double *u, double *x, double *v)
{
    const Kick  *kick = context;
    const size_t bytes = kick->step->problem->dofs * sizeof *x;
    memcpy(x, kick->x, bytes);
    memcpy(v, u, bytes);
}

static double inertia(const Step *step)
{
    return 1.0 + step->h * step->weights->rayleigh.r_m / 2.0;
}

// u = v_{n+1/2} + (h/2) (a(t + h, x1, u) - r_m u)
static double row(const void *context, size_t i, double u, double a)
{
    const Kick *kick = context;
    return inertia(kick->step) * u - kick->v[i] - kick->step->h / 2.0 * a;
}

static double slope(const void *context, double same, double dadx, double dadv)
{
    const Step *step = ((const Kick *)context)->step;
    (void)dadx;
    return same * inertia(step) - step->h / 2.0 * dadv;
}

SolveEnd central_difference_step(const Step *step, Tally *tally, State *next)
{
    const State  *now = step->now;
    double        h = step->h, r_m = step->weights->rayleigh.r_m, a[REFERENCE_DOFS];
    Kick          kick = {.step = step};
    const Balance balance = {step, &kick, step->t + h, place, row, slope, false};
    step->problem->acceleration(step->t, now->x, now->v, step->params, a);
    *next = *now;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        kick.v[i] = now->v[i] + h / 2.0 * (a[i] - r_m * now->v[i]);
        kick.x[i] = now->x[i] + h * kick.v[i];
        next->x[i] = kick.x[i];
    }
    // x1 is known before: no stiffness_weight.
    return balance_solve(&balance, (Equation){.identity = inertia(step), .known = kick.v}, tally, next->v);
}
