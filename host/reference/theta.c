// theta -- the theta family: the trapezoidal rule blended with BDF2 (theta2) or with backward Euler (theta1).
//
// Wu 2018, sections 2.3 and 2.3.3. Both have the shape x1 = X + c u, u = W + c a(t + h, x1, u) in the unknown u = v1.
#include "reference/stage.h"

#include <math.h>

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

// Eq. (14): the step has only the present to go by.
static void first_order(const Step *step, const double *a, Stage *stage)
{
    const State *now = step->now;
    double       theta1 = step->weights->theta.theta1, h = step->h;
    stage->c = h * theta1;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        stage->X[i] = now->x[i] + h * (1.0 - theta1) * now->v[i];
        stage->W[i] = now->v[i] + h * (1.0 - theta1) * a[i];
    }
}

// Eq. (12), its second part being BDF2 for an earlier point at another spacing (Hairer, Norsett and Wanner 1993,
// section III.5): with r = h/spacing, y1 - y = r^2/(1 + 2 r) (y - y_prev) + (1 + r)/(1 + 2 r) h y1'. At r = 1 these
// weights are the 1/3 and 2/3 of eq. (11), and the terms in v1 and a1 gather to h (1/2 + theta/6).
static void second_order(const Step *step, const double *a, Stage *stage)
{
    const State *now = step->now, *previous = step->previous;
    double       theta = step->weights->theta.theta, h = step->h, r = h / step->spacing;
    double       trapezoid = (1.0 - theta) * 0.5 * h, back = theta * r * r / (1.0 + 2.0 * r);
    stage->c = trapezoid + theta * h * (1.0 + r) / (1.0 + 2.0 * r);
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        stage->X[i] = now->x[i] + trapezoid * now->v[i] + back * (now->x[i] - previous->x[i]);
        stage->W[i] = now->v[i] + trapezoid * a[i] + back * (now->v[i] - previous->v[i]);
    }
}

SolveEnd theta_step(const Step *step, Tally *tally, State *next)
{
    double a[REFERENCE_DOFS];
    Stage  stage = {.step = step, .t = step->t + step->h};
    step->problem->acceleration(step->t, step->now->x, step->now->v, step->params, a);
    if (step->previous)
        second_order(step, a, &stage);
    else
        first_order(step, a, &stage);
    *next = *step->now;
    // v1 as the explicit Euler method would have it, in place of v.
    for (size_t i = 0; step->rules->extrapolated && i < step->problem->dofs; ++i)
        next->v[i] += step->h * a[i];
    return stage_solve(&stage, tally, next->x, next->v);
}
