// theta -- the theta family: the trapezoidal rule blended with BDF2 (theta2) or with backward Euler (theta1).
//
// Wu 2018, sections 2.3 and 2.3.3. Both have the shape x1 = X + c u, u = W + c a(t + h, x1, u) in the unknown u = v1.
#include "reference/eigen.h"
#include "reference/method.h"

#include <math.h>
#include <string.h>

// Section 2.3.1: the first step, and the first half of a split one, is theta1 just above the trapezoidal rule.
static double starter(double theta, bool trapezoidal)
{
    return trapezoidal ? 0.5 : 0.5 + theta / 50.0;
}

void theta2_weigh(const MethodValues *values, Weights *weights)
{
    double theta = method_value(values, "theta");
    weights->theta = (ThetaWeights){theta, starter(theta, values->start == START_TRAPEZOIDAL)};
}

void bdf2_weigh(const MethodValues *values, Weights *weights)
{
    weights->theta = (ThetaWeights){1.0, starter(1.0, values->start == START_TRAPEZOIDAL)};
}

void theta1_weigh(const MethodValues *values, Weights *weights)
{
    weights->theta = (ThetaWeights){NAN, method_value(values, "theta1")};
}

void trapezoidal_weigh(const MethodValues *values, Weights *weights)
{
    (void)values;
    weights->theta = (ThetaWeights){NAN, 0.5};
}

void backward_euler_weigh(const MethodValues *values, Weights *weights)
{
    (void)values;
    weights->theta = (ThetaWeights){NAN, 1.0};
}

// What is known before the solve: x1 = X + c u and v1 = W + c a1.
typedef struct Known {
    const Step *step;
    double      c;
    double      X[REFERENCE_DOFS], W[REFERENCE_DOFS];
} Known;

// Eq. (14): the step has only the present to go by.
static void first_order(const Step *step, const double *a, Known *known)
{
    const State *now = step->now;
    double       theta1 = step->weights->theta.theta1, h = step->h;
    known->c = h * theta1;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        known->X[i] = now->x[i] + h * (1.0 - theta1) * now->v[i];
        known->W[i] = now->v[i] + h * (1.0 - theta1) * a[i];
    }
}

// Eq. (12), with the terms in v1 and a1 gathered: (1 - theta) h/2 + (theta/3) 2 h = h (1/2 + theta/6).
static void second_order(const Step *step, const double *a, Known *known)
{
    const State *now = step->now, *previous = step->previous;
    double       theta = step->weights->theta.theta, h = step->h;
    known->c = h * (0.5 + theta / 6.0);
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        known->X[i] = now->x[i] + (1.0 - theta) * (0.5 * h) * now->v[i] + theta / 3.0 * (now->x[i] - previous->x[i]);
        known->W[i] = now->v[i] + (1.0 - theta) * (0.5 * h) * a[i] + theta / 3.0 * (now->v[i] - previous->v[i]);
    }
}

static void position(const Known *known, const double *u, double *x)
{
    for (size_t i = 0; i < known->step->problem->dofs; ++i)
        x[i] = known->X[i] + known->c * u[i];
}

static void residual(const void *context, const double *u, double *f)
{
    const Known *known = context;
    const Step  *step = known->step;
    double       x[REFERENCE_DOFS] = {0}, a[REFERENCE_DOFS];
    position(known, u, x);
    step->problem->acceleration(step->t + step->h, x, u, step->params, a);
    for (size_t i = 0; i < step->problem->dofs; ++i)
        f[i] = u[i] - known->W[i] - known->c * a[i];
}

static void jacobian(const void *context, const double *u, double *matrix)
{
    const Known *known = context;
    const Step  *step = known->step;
    size_t       n = step->problem->dofs;
    double       c = known->c, x[REFERENCE_DOFS] = {0};
    double       dadx[REFERENCE_DOFS * REFERENCE_DOFS], dadv[REFERENCE_DOFS * REFERENCE_DOFS];
    position(known, u, x);
    step->problem->jacobian(step->t + step->h, x, u, step->params, dadx, dadv);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            matrix[i * n + j] = (i == j ? 1.0 : 0.0) - c * c * dadx[i * n + j] - c * dadv[i * n + j];
}

static double extent(const void *context, const double *u)
{
    const Step *step = ((const Known *)context)->step;
    size_t      n = step->problem->dofs;
    (void)u;
    return inf_norm(n, step->now->x) + step->h * inf_norm(n, step->now->v);
}

SolveEnd theta_step(const Step *step, Tally *tally, State *next)
{
    double a[REFERENCE_DOFS];
    Known  known = {.step = step};
    step->problem->acceleration(step->t, step->now->x, step->now->v, step->params, a);
    if (step->previous)
        second_order(step, a, &known);
    else
        first_order(step, a, &known);

    Equation equation = {
        .n = step->problem->dofs,
        .context = &known,
        .residual = residual,
        .jacobian = jacobian,
        .extent = extent,
        .unit = 1.0,
        .identity = 1.0,
        .stiffness_weight = known.c,
    };
    *next = *step->now;
    SolveEnd end = newton_solve(&equation, step->rules, tally, next->v);
    position(&known, next->v, next->x);
    return end;
}
