// runge_kutta -- the classical Runge-Kutta method on y = (x, v), y' = (v, a(t, x, v)).
#include "reference/method.h"

typedef struct Slope {
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
} Slope;

// The slope at time t + d, at the state reached from the present along `along` (NULL: the present) for a time d.
static Slope slope_at(const Step *step, const Slope *along, double d)
{
    Slope  slope = {0};
    double x[REFERENCE_DOFS] = {0};
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        x[i] = step->now->x[i] + (along ? d * along->x[i] : 0.0);
        slope.x[i] = step->now->v[i] + (along ? d * along->v[i] : 0.0);
    }
    step->problem->acceleration(step->t + d, x, slope.x, step->params, slope.v);
    return slope;
}

SolveEnd rk4_step(const Step *step, Tally *tally, State *next)
{
    (void)tally;
    double h = step->h;
    Slope  k1 = slope_at(step, NULL, 0.0);
    Slope  k2 = slope_at(step, &k1, h / 2.0);
    Slope  k3 = slope_at(step, &k2, h / 2.0);
    Slope  k4 = slope_at(step, &k3, h);
    *next = *step->now;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        next->x[i] += h / 6.0 * (k1.x[i] + 2.0 * k2.x[i] + 2.0 * k3.x[i] + k4.x[i]);
        next->v[i] += h / 6.0 * (k1.v[i] + 2.0 * k2.v[i] + 2.0 * k3.v[i] + k4.v[i]);
    }
    return SOLVE_ACCEPTED;
}
