// runge_kutta -- explicit Runge-Kutta methods on y = (x, v), y' = (v, a(t, x, v)), from their tableaus.
#include "reference/method.h"

#include <math.h>
#include <stddef.h>

enum { MOST_STAGES = 7 };

// Butcher's tableau: stage k is taken at t + c[k] h, at the state a[k][0] k_1 + a[k][1] k_2 + ... times h away.
typedef struct Tableau {
    size_t stages;
    double c[MOST_STAGES], a[MOST_STAGES][MOST_STAGES], b[MOST_STAGES];
} Tableau;

// Runge 1895: the midpoint rule.
static const Tableau midpoint = {.stages = 2, .c = {0.0, 0.5}, .a = {[1] = {0.5}}, .b = {0.0, 1.0}};

// Kutta 1901.
static const Tableau classical = {
    .stages = 4,
    .c = {0.0, 0.5, 0.5, 1.0},
    .a = {[1] = {0.5}, [2] = {0.0, 0.5}, [3] = {0.0, 0.0, 1.0}},
    .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
};

// Dormand and Prince 1980, table 2. The seventh stage is the end of the step: it serves only the error estimate and the
// first stage of the next one.
static const Tableau dormand_prince = {
    .stages = 7,
    .c = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0},
    .a = {[1] = {1.0 / 5.0},
          [2] = {3.0 / 40.0, 9.0 / 40.0},
          [3] = {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
          [4] = {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
          [5] = {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
          [6] = {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}},
    .b = {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
};

// Its order 5 minus its order 4 (Hairer, Norsett and Wanner 1993, table II.5.2).
static const double dormand_prince_error[] = {
    71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0,
};

typedef struct Slope {
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
} Slope;

// The state reached from the present along the slopes so weighed.
static State along(const Step *step, const Slope *slopes, const double *weights, size_t count)
{
    State state = *step->now;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        double x = 0.0, v = 0.0;
        for (size_t k = 0; k < count; ++k) {
            x += weights[k] * slopes[k].x[i];
            v += weights[k] * slopes[k].v[i];
        }
        state.x[i] += step->h * x;
        state.v[i] += step->h * v;
    }
    return state;
}

// y' at stages `first` and after.
static void take_slopes(const Step *step, const Tableau *tableau, size_t first, Slope *slopes)
{
    for (size_t k = first; k < tableau->stages; ++k) {
        State at = along(step, slopes, tableau->a[k], k);
        for (size_t i = 0; i < step->problem->dofs; ++i)
            slopes[k].x[i] = at.v[i];
        step->problem->acceleration(step->t + tableau->c[k] * step->h, at.x, at.v, step->params, slopes[k].v);
    }
}

static SolveEnd take_step(const Step *step, const Tableau *tableau, State *next)
{
    Slope slopes[MOST_STAGES] = {0};
    take_slopes(step, tableau, 0, slopes);
    *next = along(step, slopes, tableau->b, tableau->stages);
    return SOLVE_ACCEPTED;
}

SolveEnd rk2_step(const Step *step, Tally *tally, State *next)
{
    (void)tally;
    return take_step(step, &midpoint, next);
}

SolveEnd rk4_step(const Step *step, Tally *tally, State *next)
{
    (void)tally;
    return take_step(step, &classical, next);
}

SolveEnd dopri5_step(const Step *step, Tally *tally, State *next)
{
    (void)tally;
    return take_step(step, &dormand_prince, next);
}

void dopri5_adaptive_weigh(const MethodValues *values, Weights *weights)
{
    weights->error = (ErrorWeights){
        .relative = method_value(values, "rtol"),
        .absolute = method_value(values, "atol"),
    };
}

// |error| over what is permitted of y, that came from y_n; not a number where one of these is none.
static double over_permitted(const Step *step, double error, double size, double before, double after)
{
    const ErrorWeights *w = &step->weights->error;
    return fabs(error) / (w->absolute * size + w->relative * fmax(fabs(before), fabs(after)));
}

// The largest that a component has been, a 512th forgotten each time; the first time also what it is moved by, or 1
// where it is at rest.
static double grown(double size, double now, double moved)
{
    size = size == 0.0 ? fabs(moved) : size * (511.0 / 512.0);
    size = fmax(size, fabs(now));
    return size == 0.0 ? 1.0 : size;
}

static void grow_sizes(const Step *step, State *next)
{
    const State *now = step->now;
    const double h = step->h;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        next->size_x[i] = grown(now->size_x[i], now->x[i], h * fmax(fabs(now->v[i]), h * fabs(now->a[i])));
        next->size_v[i] = grown(now->size_v[i], now->v[i], h * now->a[i]);
    }
}

// The larger, and not a number where either is none.
static double worse(double a, double b)
{
    return isnan(a) || a > b ? a : b;  // a comparison with NaN chooses b
}

double dopri5_trial(const Step *step, State *next)
{
    const State *now = step->now;
    size_t       n = step->problem->dofs;
    Slope        slopes[MOST_STAGES] = {0};
    for (size_t i = 0; i < n; ++i) {
        slopes[0].x[i] = now->v[i];
        slopes[0].v[i] = now->a[i];
    }
    take_slopes(step, &dormand_prince, 1, slopes);
    *next = along(step, slopes, dormand_prince.b, dormand_prince.stages);
    grow_sizes(step, next);
    double worst = 0.0;
    for (size_t i = 0; i < n; ++i) {
        double x = 0.0, v = 0.0;
        for (size_t k = 0; k < dormand_prince.stages; ++k) {
            x += dormand_prince_error[k] * slopes[k].x[i];
            v += dormand_prince_error[k] * slopes[k].v[i];
        }
        if (!step->problem->first_order)
            worst = worse(worst, over_permitted(step, step->h * x, next->size_x[i], now->x[i], next->x[i]));
        worst = worse(worst, over_permitted(step, step->h * v, next->size_v[i], now->v[i], next->v[i]));
        next->a[i] = slopes[dormand_prince.stages - 1].v[i];
    }
    return worst;
}
