// balance -- residual and Jacobian from a method's formulas.
#include "reference/balance.h"

#include "reference/eigen.h"

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

double balance_extent(const Step *step)
{
    size_t n = step->problem->dofs;
    return eigen_inf_norm(n, step->now->x) + step->h * eigen_inf_norm(n, step->now->v);
}

static double extent(const void *context, const double *u)
{
    (void)u;
    return balance_extent(((const Balance *)context)->step);
}

SolveEnd balance_solve(const Balance *balance, Equation rest, Tally *tally, double *u)
{
    rest.n = balance->step->problem->dofs;
    rest.context = balance;
    rest.residual = residual;
    rest.jacobian = jacobian;
    // The state of a first-order system stands in v, and nothing depends on x; what u is small of is what its row has
    // without it.
    double known[REFERENCE_DOFS];
    if (balance->step->problem->first_order) {
        rest.stiffness_weight = 0.0;
        rest.known = known;
        for (size_t i = 0; i < rest.n; ++i)
            known[i] = balance->row(balance->context, i, 0.0, 0.0);
    }
    if (!rest.extent)
        rest.extent = extent;
    return newton_solve(&rest, balance->step->rules, tally, u);
}
