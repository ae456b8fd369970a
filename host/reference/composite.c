// composite -- two solves per step: the trapezoidal rule to an inner point, then a rule over three points.
//
// Bathe and Baig 2005, Noh and Bathe 2019; Bank et al. 1985. y' = F(y) with y = (x, v) throughout.
#include "reference/stage.h"

#include <math.h>

// Noh and Bathe 2019 with the splitting ratio that gives both solves the same matrix:
// y1 = y + h (q0 y' + q1 y_g' + q2 y1').
void bathe_weigh(const MethodValues *values, Weights *weights)
{
    double rho = method_value(values, "rho_inf");
    double g = 2.0 / (2.0 + sqrt(2.0 + 2.0 * rho));
    double q1 = (rho + 1.0) / (2.0 * g * (rho - 1.0) + 4.0);
    weights->composite = (CompositeWeights){
        .split = g,
        .of_x = {1.0, 0.0},
        .of_v = {(g - 1.0) * q1 + 0.5, q1, 0.5 - g * q1},
    };
}

// BDF2 over t, t + g h, t + h: g (2 - g) y1 = y_g - (1 - g)^2 y + g (1 - g) h y1'.
void tr_bdf2_weigh(const MethodValues *values, Weights *weights)
{
    double g = method_value(values, "gamma"), rest = 1.0 - g;
    weights->composite = (CompositeWeights){
        .split = g,
        .of_x = {-rest * rest / (g * (2.0 - g)), 1.0 / (g * (2.0 - g))},
        .of_v = {0.0, 0.0, rest / (2.0 - g)},
    };
}

static SolveEnd to_inner_point(const Step *step, const double *a, Tally *tally, State *inner)
{
    const State *now = step->now;
    double       part = step->weights->composite.split * step->h;
    Stage        stage = {.step = step, .t = step->t + part, .c = part / 2.0};
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        stage.X[i] = now->x[i] + part / 2.0 * now->v[i];
        stage.W[i] = now->v[i] + part / 2.0 * a[i];
    }
    *inner = *now;
    return stage_solve(&stage, tally, inner->x, inner->v);
}

static SolveEnd to_end(const Step *step, const double *a, const State *inner, Tally *tally, State *next)
{
    const CompositeWeights *w = &step->weights->composite;
    const State            *now = step->now;
    double                  h = step->h, inner_a[REFERENCE_DOFS];
    Stage                   stage = {.step = step, .t = step->t + h, .c = h * w->of_v[2]};
    step->problem->acceleration(step->t + w->split * h, inner->x, inner->v, step->params, inner_a);
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        stage.X[i] =
            w->of_x[0] * now->x[i] + w->of_x[1] * inner->x[i] + h * (w->of_v[0] * now->v[i] + w->of_v[1] * inner->v[i]);
        stage.W[i] =
            w->of_x[0] * now->v[i] + w->of_x[1] * inner->v[i] + h * (w->of_v[0] * a[i] + w->of_v[1] * inner_a[i]);
    }
    *next = *inner;
    return stage_solve(&stage, tally, next->x, next->v);
}

SolveEnd composite_step(const Step *step, Tally *tally, State *next)
{
    State  inner;
    double a[REFERENCE_DOFS];
    step->problem->acceleration(step->t, step->now->x, step->now->v, step->params, a);
    SolveEnd end = to_inner_point(step, a, tally, &inner);
    return end == SOLVE_ACCEPTED ? to_end(step, a, &inner, tally, next) : end;
}
