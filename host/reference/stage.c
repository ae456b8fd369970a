// stage -- residual, Jacobian and rounding of a stage.
#include "reference/stage.h"

#include "reference/eigen.h"

static void position(const Stage *stage, const double *u, double *x)
{
    for (size_t i = 0; i < stage->step->problem->dofs; ++i)
        x[i] = stage->X[i] + stage->c * u[i];
}

static void residual(const void *context, const double *u, double *f)
{
    const Stage *stage = context;
    const Step  *step = stage->step;
    double       x[REFERENCE_DOFS] = {0}, a[REFERENCE_DOFS];
    position(stage, u, x);
    step->problem->acceleration(stage->t, x, u, step->params, a);
    for (size_t i = 0; i < step->problem->dofs; ++i)
        f[i] = u[i] - stage->W[i] - stage->c * a[i];
}

static void jacobian(const void *context, const double *u, double *matrix)
{
    const Stage *stage = context;
    const Step  *step = stage->step;
    size_t       n = step->problem->dofs;
    double       c = stage->c, x[REFERENCE_DOFS] = {0};
    double       dadx[REFERENCE_DOFS * REFERENCE_DOFS], dadv[REFERENCE_DOFS * REFERENCE_DOFS];
    position(stage, u, x);
    step->problem->jacobian(stage->t, x, u, step->params, dadx, dadv);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            matrix[i * n + j] = (i == j ? 1.0 : 0.0) - c * c * dadx[i * n + j] - c * dadv[i * n + j];
}

static double extent(const void *context, const double *u)
{
    const Step *step = ((const Stage *)context)->step;
    size_t      n = step->problem->dofs;
    (void)u;
    return eigen_inf_norm(n, step->now->x) + step->h * eigen_inf_norm(n, step->now->v);
}

SolveEnd stage_solve(const Stage *stage, Tally *tally, double *x, double *v)
{
    Equation equation = {
        .n = stage->step->problem->dofs,
        .context = stage,
        .residual = residual,
        .jacobian = jacobian,
        .extent = extent,
        .unit = 1.0,
        .identity = 1.0,
        .stiffness_weight = stage->c,
    };
    SolveEnd end = newton_solve(&equation, stage->step->rules, tally, v);
    position(stage, v, x);
    return end;
}
