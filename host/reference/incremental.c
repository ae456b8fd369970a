// incremental -- steps that minimise an incremental potential.
//
// Chern 2024 (CSE 291), "Incremental variation" and "Newmark algorithm"; Kane, Marsden, Ortiz and West 2000. In the
// unknown u = (x1 - x)/h the function is L(u) = |u - w|^2_M / 2 + b (U(x + h u) + h R(x, u) - F(t + h) . h u).
#include "reference/balance.h"

#include <math.h>
#include <string.h>

typedef struct Increment {
    const Step *step;
    double      b;                  // weight of the potential
    double      w[REFERENCE_DOFS];  // the u that is least where there are no forces
    double      mass[REFERENCE_DOFS];
    double      force[REFERENCE_DOFS];  // F(t + h)
} Increment;

// x1 and, in place of its velocity, u.
static void place(const void *context, const double *u, double *x, double *v)
{
    const Step *step = ((const Increment *)context)->step;
    for (size_t i = 0; i < step->problem->dofs; ++i)
        x[i] = step->now->x[i] + step->h * u[i];
    memcpy(v, u, step->problem->dofs * sizeof *v);
}

// size also holds what rounding the position, by its extent, makes of L: the force times that.
static Objective objective(const void *context, const double *u)
{
    const Increment        *increment = ((const Balance *)context)->context;
    const Step             *step = increment->step;
    const ReferenceProblem *problem = step->problem;
    double                  h = step->h, x[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0}, a[REFERENCE_DOFS];
    double                  inertia = 0.0, work = 0.0, rounded = 0.0;
    place(increment, u, x, v);
    problem->acceleration(step->t + h, x, v, step->params, a);
    for (size_t i = 0; i < problem->dofs; ++i) {
        double off = u[i] - increment->w[i];
        inertia += 0.5 * increment->mass[i] * off * off;
        work += increment->force[i] * h * u[i];
        rounded += increment->mass[i] * fabs(a[i]) * balance_extent(step, i);
    }
    double potential = problem->potential(x, step->params);
    double dissipation = problem->dissipation ? h * problem->dissipation(step->now->x, u, step->params) : 0.0;
    return (Objective){
        .value = inertia + increment->b * (potential + dissipation - work),
        .size = inertia + increment->b * (fabs(potential) + fabs(dissipation) + fabs(work) + rounded),
    };
}

// dL/du over the mass.
static double row(const void *context, size_t i, double u, double a)
{
    const Increment *increment = context;
    return u - increment->w[i] - increment->b * increment->step->h * a;
}

static double slope(const void *context, double same, double dadx, double dadv)
{
    const Increment *increment = context;
    const double     h = increment->step->h;
    return same - increment->b * h * (h * dadx + dadv);
}

// Solves for u and moves x; the search needs a guess where L is a number, and u = 0 stays where the step began.
static SolveEnd minimise(Increment *increment, Tally *tally, double *u, State *next)
{
    const Step    *step = increment->step;
    const Balance  balance = {step, increment, step->t + step->h, place, row, slope, false};
    const Equation rest = {
        .identity = 1.0, .stiffness_weight = step->h, .objective = objective, .masses = increment->mass};
    double v[REFERENCE_DOFS];
    step->problem->masses(step->params, increment->mass);
    if (step->problem->drive)
        step->problem->drive(step->t + step->h, step->params, increment->force);
    memcpy(u, step->now->v, REFERENCE_DOFS * sizeof *u);
    if (!isfinite(objective(&balance, u).value))
        memset(u, 0, REFERENCE_DOFS * sizeof *u);
    SolveEnd end = balance_solve(&balance, rest, tally, u);
    *next = *step->now;
    place(increment, u, next->x, v);
    return end;
}

SolveEnd incremental_potential_step(const Step *step, Tally *tally, State *next)
{
    double    u[REFERENCE_DOFS];
    Increment increment = {.step = step, .b = 1.0};
    memcpy(increment.w, step->now->v, sizeof increment.w);
    SolveEnd end = minimise(&increment, tally, u, next);
    memcpy(next->v, u, sizeof u);
    return end;
}

// The prediction is Newmark's for x, and a_{n+1} is what the potential and the dissipation do at (x1, u).
SolveEnd incremental_newmark_step(const Step *step, Tally *tally, State *next)
{
    const State *now = step->now;
    double       beta = step->weights->alpha.beta, gamma = step->weights->alpha.gamma, h = step->h, u[REFERENCE_DOFS];
    Increment    increment = {.step = step, .b = beta};
    for (size_t i = 0; i < step->problem->dofs; ++i)
        increment.w[i] = now->v[i] + h / 2.0 * (1.0 - 2.0 * beta) * now->a[i];
    SolveEnd end = minimise(&increment, tally, u, next);
    // The gradient of the bracket at the minimum, which is the equation itself; where nothing weighs it, the force.
    step->problem->acceleration(step->t + h, next->x, u, step->params, next->a);
    for (size_t i = 0; i < step->problem->dofs && beta > 0.0; ++i)
        next->a[i] = (u[i] - increment.w[i]) / (beta * h);
    for (size_t i = 0; i < step->problem->dofs; ++i)
        next->v[i] = now->v[i] + h * ((1.0 - gamma) * now->a[i] + gamma * next->a[i]);
    return end;
}
