// midpoint -- the implicit midpoint rule, solved for the end of the step or, as variational integrator, for its middle.
//
// Hairer, Lubich and Wanner 2006, section II.1; Kharevych et al. 2006. One map, two unknowns: v_{n+1}, and the velocity
// (x_{n+1} - x_n)/h of the step.
#include "reference/balance.h"

#include <string.h>

// f = u - v - along a(t + h/2, x + reach[0] v + reach[1] u, share[0] v + share[1] u).
typedef struct Middle {
    const Step *step;
    double      along;
    double      reach[2], share[2];
} Middle;

// Where the acceleration is taken.
static void place(const void *context, const double *u, double *x, double *v)
{
    const Middle *m = context;
    const State  *now = m->step->now;
    for (size_t i = 0; i < m->step->problem->dofs; ++i) {
        x[i] = now->x[i] + m->reach[0] * now->v[i] + m->reach[1] * u[i];
        v[i] = m->share[0] * now->v[i] + m->share[1] * u[i];
    }
}

static double row(const void *context, size_t i, double u, double a)
{
    const Middle *m = context;
    return u - m->step->now->v[i] - m->along * a;
}

static double slope(const void *context, double same, double dadx, double dadv)
{
    const Middle *m = context;
    return same - m->along * (m->reach[1] * dadx + m->share[1] * dadv);
}

// u: the guess is v_n in either unknown.
static SolveEnd solve(const Middle *m, Tally *tally, double *u)
{
    const Step   *step = m->step;
    const Balance balance = {step, m, step->t + step->h / 2.0, place, row, slope, false};
    memcpy(u, step->now->v, REFERENCE_DOFS * sizeof *u);
    return balance_solve(&balance, (Equation){.identity = 1.0, .stiffness_weight = m->reach[1]}, tally, u);
}

SolveEnd implicit_midpoint_step(const Step *step, Tally *tally, State *next)
{
    double   h = step->h, u[REFERENCE_DOFS];
    Middle   m = {.step = step, .along = h, .reach = {h / 4.0, h / 4.0}, .share = {0.5, 0.5}};
    SolveEnd end = solve(&m, tally, u);
    *next = *step->now;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        next->x[i] += h / 2.0 * (step->now->v[i] + u[i]);
        next->v[i] = u[i];
    }
    return end;
}

// The discrete Euler-Lagrange equations of the midpoint quadrature, masses divided out: p is v. Half the step's impulse
// leads from the old momentum to the velocity of the step, the other half from there to the new momentum.
SolveEnd variational_implicit_step(const Step *step, Tally *tally, State *next)
{
    double   h = step->h, u[REFERENCE_DOFS];
    Middle   m = {.step = step, .along = h / 2.0, .reach = {0.0, h / 2.0}, .share = {0.0, 1.0}};
    SolveEnd end = solve(&m, tally, u);
    *next = *step->now;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        next->x[i] += h * u[i];
        next->v[i] = 2.0 * u[i] - step->now->v[i];
    }
    return end;
}
