// midpoint -- the implicit midpoint rule, solved for the end of the step or, as variational integrator, for its middle.
//
// Hairer, Lubich and Wanner 2006, section II.1; Kharevych et al. 2006. One map, two unknowns: v_{n+1}, and the velocity
// (x_{n+1} - x_n)/h of the step.
#include "reference/eigen.h"
#include "reference/method.h"

#include <string.h>

// f = u - v - along a(t + h/2, x + reach[0] v + reach[1] u, share[0] v + share[1] u).
typedef struct Middle {
    const Step *step;
    double      along;
    double      reach[2], share[2];
} Middle;

// Where the acceleration is taken.
static void middle(const Middle *m, const double *u, double *x, double *v)
{
    const State *now = m->step->now;
    for (size_t i = 0; i < m->step->problem->dofs; ++i) {
        x[i] = now->x[i] + m->reach[0] * now->v[i] + m->reach[1] * u[i];
        v[i] = m->share[0] * now->v[i] + m->share[1] * u[i];
    }
}

static void residual(const void *context, const double *u, double *f)
{
    const Middle *m = context;
    const Step   *step = m->step;
    double        x[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0}, a[REFERENCE_DOFS];
    middle(m, u, x, v);
    step->problem->acceleration(step->t + step->h / 2.0, x, v, step->params, a);
    for (size_t i = 0; i < step->problem->dofs; ++i)
        f[i] = u[i] - step->now->v[i] - m->along * a[i];
}

static void jacobian(const void *context, const double *u, double *matrix)
{
    const Middle *m = context;
    const Step   *step = m->step;
    size_t        n = step->problem->dofs;
    double        x[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0};
    double        dadx[REFERENCE_DOFS * REFERENCE_DOFS], dadv[REFERENCE_DOFS * REFERENCE_DOFS];
    middle(m, u, x, v);
    step->problem->jacobian(step->t + step->h / 2.0, x, v, step->params, dadx, dadv);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            matrix[i * n + j] =
                (i == j ? 1.0 : 0.0) - m->along * (m->reach[1] * dadx[i * n + j] + m->share[1] * dadv[i * n + j]);
}

static double extent(const void *context, const double *u)
{
    const Step *step = ((const Middle *)context)->step;
    size_t      n = step->problem->dofs;
    (void)u;
    return eigen_inf_norm(n, step->now->x) + step->h * eigen_inf_norm(n, step->now->v);
}

// u: the guess is v_n in either unknown.
static SolveEnd solve(const Middle *m, Tally *tally, double *u)
{
    Equation equation = {
        .n = m->step->problem->dofs,
        .context = m,
        .residual = residual,
        .jacobian = jacobian,
        .extent = extent,
        .unit = 1.0,
        .identity = 1.0,
        .stiffness_weight = m->reach[1],
    };
    memcpy(u, m->step->now->v, REFERENCE_DOFS * sizeof *u);
    return newton_solve(&equation, m->step->rules, tally, u);
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
