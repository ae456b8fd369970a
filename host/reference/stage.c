// stage -- rows of a stage.
#include "reference/stage.h"

#include "reference/balance.h"

static void place(const void *context, const double *u, double *x, double *v)
{
    const Stage *stage = context;
    for (size_t i = 0; i < stage->step->problem->dofs; ++i) {
        x[i] = stage->X[i] + stage->c * u[i];
        v[i] = u[i];
    }
}

static double row(const void *context, size_t i, double u, double a)
{
    const Stage *stage = context;
    return u - stage->W[i] - stage->c * a;
}

static double slope(const void *context, double same, double dadx, double dadv)
{
    const double c = ((const Stage *)context)->c;
    return same - c * c * dadx - c * dadv;
}

SolveEnd stage_solve(const Stage *stage, Tally *tally, double *x, double *v)
{
    const Balance balance = {stage->step, stage, stage->t, place, row, slope, false};
    SolveEnd      end = balance_solve(&balance, (Equation){.identity = 1.0, .stiffness_weight = stage->c}, tally, v);
    place(stage, v, x, v);
    return end;
}
