// sofa -- implicit methods whose equation is solved by one linear system, with Rayleigh damping in the matrix.
//
// Degletagne 2015, sections 2.2 and 3. F is linearised in the position, F(x + d) = F - K d; whatever velocity the
// problem's own forces depend on is the old one. Since one update from any guess solves a linear equation, the guess
// only says where K is taken: at x_n.
#include "reference/balance.h"
#include "reference/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

void sofa_rayleigh_weigh(const MethodValues *values, Weights *weights)
{
    weights->rayleigh.r_m = method_value(values, "r_m");
    weights->rayleigh.r_k = method_value(values, "r_k");
}

void sofa_newmark_weigh(const MethodValues *values, Weights *weights)
{
    newmark_weigh(values, weights);
    sofa_rayleigh_weigh(values, weights);
}

// The shortest time in which a coordinate moves by what it is, or, where none both is and moves, in which a velocity
// changes so.
static double own_time(const State *state, size_t n)
{
    double moved = INFINITY, changed = INFINITY;
    for (size_t i = 0; i < n; ++i) {
        if (state->v[i] != 0.0 && state->x[i] != 0.0)
            moved = fmin(moved, fabs(state->x[i] / state->v[i]));
        if (state->v[i] != 0.0 && state->a[i] != 0.0)
            changed = fmin(changed, fabs(state->v[i] / state->a[i]));
    }
    return moved < INFINITY ? moved : changed < INFINITY ? changed : 1.0;
}

// Half of the time over which a difference along v is made.
static double half_width(const Step *step, const State *state)
{
    const size_t n = step->problem->dofs;
    if (step->rules->relative)
        return 0x1p-17 * own_time(state, n);
    return cbrt(DBL_EPSILON) * fmax(eigen_inf_norm(n, state->x), 1.0) / fmax(eigen_inf_norm(n, state->v), 1.0);
}

// The motion begins with the acceleration that all forces give, -r_m v and -r_k K v among them; K v is the change of
// the force along v, by a central difference.
void sofa_newmark_start(const Step *step, State *state)
{
    const RayleighWeights *w = &step->weights->rayleigh;
    size_t                 n = step->problem->dofs;
    step->problem->acceleration(0.0, state->x, state->v, step->params, state->a);
    const double time = half_width(step, state);
    double       x[REFERENCE_DOFS] = {0}, later[REFERENCE_DOFS], earlier[REFERENCE_DOFS];
    for (size_t i = 0; i < n; ++i)
        x[i] = state->x[i] + time * state->v[i];
    step->problem->acceleration(0.0, x, state->v, step->params, later);
    for (size_t i = 0; i < n; ++i)
        x[i] = state->x[i] - time * state->v[i];
    step->problem->acceleration(0.0, x, state->v, step->params, earlier);
    for (size_t i = 0; i < n; ++i)
        state->a[i] += w->r_k * (later[i] - earlier[i]) / (2.0 * time) - w->r_m * state->v[i];
}

// inertia u + known - impulse F(x + offset + reach u, v) = 0, masses divided out.
typedef struct Linear {
    const Step *step;
    double      inertia, impulse, reach;
    double      offset[REFERENCE_DOFS], known[REFERENCE_DOFS];
    bool        acceleration;  // is what u is
} Linear;

static void place(const void *context, const double *u, double *x, double *v)
{
    const Linear *linear = context;
    const State  *now = linear->step->now;
    const size_t  n = linear->step->problem->dofs;
    for (size_t i = 0; i < n; ++i)
        x[i] = now->x[i] + linear->offset[i] + linear->reach * u[i];
    memcpy(v, now->v, n * sizeof *v);
}

static double row(const void *context, size_t i, double u, double a)
{
    const Linear *linear = context;
    return linear->inertia * u + linear->known[i] - linear->impulse * a;
}

static double slope(const void *context, double same, double dadx, double dadv)
{
    const Linear *linear = context;
    (void)dadv;
    return same * linear->inertia - linear->impulse * linear->reach * dadx;
}

static SolveEnd solve(const Linear *linear, Tally *tally, double *u)
{
    const Balance balance = {linear->step, linear, linear->step->t, place, row, slope, linear->acceleration};
    return balance_solve(&balance,
                         (Equation){.identity = linear->inertia, .stiffness_weight = linear->reach, .linearised = true},
                         tally, u);
}

// Section 2.2, multiplied out: ((1 + h r_m) M + h (h + r_k) K) v1 = M v + h F.
SolveEnd sofa_euler_step(const Step *step, Tally *tally, State *next)
{
    const RayleighWeights *w = &step->weights->rayleigh;
    double                 h = step->h, u[REFERENCE_DOFS] = {0};
    Linear                 linear = {.step = step, .inertia = 1.0 + h * w->r_m, .impulse = h, .reach = h + w->r_k};
    for (size_t i = 0; i < step->problem->dofs; ++i)
        linear.known[i] = -step->now->v[i];
    SolveEnd end = solve(&linear, tally, u);
    *next = *step->now;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        next->x[i] += h * u[i];
        next->v[i] = u[i];
    }
    return end;
}

// Section 3, with cstVel and cstAcc written out. What K multiplies, beside a1's own part, is the offset: K offset =
// K ((h + r_k) v + h (h (1/2 - beta) + r_k (1 - gamma)) a).
SolveEnd sofa_newmark_step(const Step *step, Tally *tally, State *next)
{
    const RayleighWeights *r = &step->weights->rayleigh;
    const State           *now = step->now;
    double                 beta = step->weights->alpha.beta, gamma = step->weights->alpha.gamma;
    double                 h = step->h, u[REFERENCE_DOFS] = {0};
    Linear                 linear = {
                        .step = step,
                        .inertia = 1.0 + h * gamma * r->r_m,
                        .impulse = 1.0,
                        .reach = h * h * beta + h * gamma * r->r_k,
                        .acceleration = true,
    };
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        linear.offset[i] = (h + r->r_k) * now->v[i] + h * (h * (0.5 - beta) + r->r_k * (1.0 - gamma)) * now->a[i];
        linear.known[i] = r->r_m * (now->v[i] + h * (1.0 - gamma) * now->a[i]);
        u[i] = -linear.offset[i] / linear.reach;
    }
    SolveEnd end = solve(&linear, tally, u);
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        next->x[i] = now->x[i] + h * now->v[i] + 0.5 * h * h * (1.0 - 2.0 * beta) * now->a[i] + h * h * beta * u[i];
        next->v[i] = now->v[i] + h * (1.0 - gamma) * now->a[i] + h * gamma * u[i];
        next->a[i] = u[i];
    }
    return end;
}
