// balance -- residual and Jacobian from a method's formulas.
#include "reference/balance.h"

#include <math.h>

static void residual(const void *context, const double *u, double *f)
{
    const Balance *balance = context;
    const Step    *step = balance->step;
    double         x[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0}, a[REFERENCE_DOFS];
    balance->place(balance->context, u, x, v);
    step->problem->acceleration(balance->t, x, v, step->params, a);
    for (size_t i = 0; i < step->problem->dofs; ++i)
        f[i] = balance->row(balance->context, i, u[i], a[i]);
}

static void jacobian(const void *context, const double *u, double *matrix)
{
    const Balance *balance = context;
    const Step    *step = balance->step;
    size_t         n = step->problem->dofs;
    double         x[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0};
    double         dadx[REFERENCE_DOFS * REFERENCE_DOFS], dadv[REFERENCE_DOFS * REFERENCE_DOFS];
    balance->place(balance->context, u, x, v);
    step->problem->jacobian(balance->t, x, v, step->params, dadx, dadv);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            matrix[i * n + j] = balance->slope(balance->context, i == j ? 1.0 : 0.0, dadx[i * n + j], dadv[i * n + j]);
}

double balance_extent(const Step *step, size_t i)
{
    return fabs(step->now->x[i]) + step->h * fabs(step->now->v[i]);
}

static void extent(const void *context, const double *u, double *sizes)
{
    const Step *step = ((const Balance *)context)->step;
    (void)u;
    for (size_t i = 0; i < step->problem->dofs; ++i)
        sizes[i] = balance_extent(step, i);
}

static void extent_of_accelerations(const void *context, const double *u, double *sizes)
{
    const Step *step = ((const Balance *)context)->step;
    extent(context, u, sizes);
    for (size_t i = 0; i < step->problem->dofs; ++i)
        sizes[i] += 0.5 * step->h * step->h * fmax(fabs(step->now->a[i]), fabs(u[i]));
}

static void velocity(const void *context, const double *u, double *v)
{
    const Balance *balance = context;
    double         x[REFERENCE_DOFS] = {0};
    balance->place(balance->context, u, x, v);
}

static void rest(const void *context, double *x)
{
    const Balance *balance = context;
    const double   zero[REFERENCE_DOFS] = {0};
    double         v[REFERENCE_DOFS] = {0};
    balance->place(balance->context, zero, x, v);
}

SolveEnd balance_solve(const Balance *balance, Equation equation, Tally *tally, double *u)
{
    equation.n = balance->step->problem->dofs;
    equation.context = balance;
    equation.residual = residual;
    equation.jacobian = jacobian;
    equation.velocity = velocity;
    equation.rest = rest;
    equation.remembered = balance->step->now->scale;
    // The state of a first-order system stands in v, and nothing depends on x; what u is small of is what its row has
    // without it.
    double known[REFERENCE_DOFS];
    if (balance->step->problem->first_order) {
        equation.stiffness_weight = 0.0;
        equation.known = known;
        for (size_t i = 0; i < equation.n; ++i)
            known[i] = balance->row(balance->context, i, 0.0, 0.0);
    }
    equation.extent = balance->acceleration ? extent_of_accelerations : extent;
    equation.acceleration = balance->acceleration;
    equation.duration = balance->acceleration ? balance->step->h : 1.0;
    return newton_solve(&equation, balance->step->rules, tally, u);
}
