// balance -- the equation A u = rest + q accel(t, x + cx u, v + cv u) of a line: residual, Jacobian, guess, objective.
#include "reference/walk.h"

#include <math.h>
#include <string.h>

typedef struct Balance {
    const Step   *step;
    double        t, A, q, cx, cv;
    const double *rest, *x, *v;                                 // [dofs]
    double        mass[REFERENCE_DOFS], force[REFERENCE_DOFS];  // of an objective: masses, and the external force at t
} Balance;

static void place(const Balance *b, const double *u, double *x, double *v)
{
    for (size_t i = 0; i < b->step->problem->dofs; ++i) {
        x[i] = b->x[i] + b->cx * u[i];
        v[i] = b->v[i] + b->cv * u[i];
    }
}

static void residual(const void *context, const double *u, double *f)
{
    const Balance *b = context;
    double         x[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0}, a[REFERENCE_DOFS];
    place(b, u, x, v);
    b->step->problem->acceleration(b->t, x, v, b->step->params, a);
    for (size_t i = 0; i < b->step->problem->dofs; ++i)
        f[i] = b->A * u[i] - b->rest[i] - b->q * a[i];
}

static void jacobian(const void *context, const double *u, double *matrix)
{
    const Balance *b = context;
    const size_t   n = b->step->problem->dofs;
    double         x[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0};
    double         dadx[REFERENCE_DOFS * REFERENCE_DOFS], dadv[REFERENCE_DOFS * REFERENCE_DOFS];
    place(b, u, x, v);
    b->step->problem->jacobian(b->t, x, v, b->step->params, dadx, dadv);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            const size_t ij = i * n + j;
            matrix[ij] = (i == j ? b->A : 0.0) - b->q * (b->cx * dadx[ij] + b->cv * dadv[ij]);
        }
}

static double extent_of(const Step *step, size_t i)
{
    return fabs(step->now->x[i]) + step->h * fabs(step->now->v[i]);
}

static void extent(const void *context, const double *u, double *sizes)
{
    const Step *step = ((const Balance *)context)->step;
    (void)u;
    for (size_t i = 0; i < step->problem->dofs; ++i)
        sizes[i] = extent_of(step, i);
}

static void extent_of_accelerations(const void *context, const double *u, double *sizes)
{
    const Step   *step = ((const Balance *)context)->step;
    const double *a = step->now->own[step->method->a];
    for (size_t i = 0; i < step->problem->dofs; ++i)
        sizes[i] = extent_of(step, i) + 0.5 * step->h * step->h * fmax(fabs(a[i]), fabs(u[i]));
}

static void velocity(const void *context, const double *u, double *v)
{
    double x[REFERENCE_DOFS] = {0};
    place(context, u, x, v);
}

static void rest(const void *context, double *x)
{
    const Balance *b = context;
    memcpy(x, b->x, b->step->problem->dofs * sizeof *x);
}

// Chern 2024 (CSE 291), "Incremental variation" and "Newmark algorithm"; Kane, Marsden, Ortiz and West 2000: with
// x1 = x + h u, |u - w|_M^2/2 + b (U(x1) + h R(x, u) - F(t) . h u), b = q/h. size also holds the effect of rounding the
// position: the force times the position's extent.
static Objective objective(const void *context, const double *u)
{
    const Balance          *b = context;
    const Step             *step = b->step;
    const ReferenceProblem *problem = step->problem;
    const double            h = b->cx;
    double x[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0}, a[REFERENCE_DOFS], inertia = 0.0, work = 0.0,
           rounded = 0.0;
    place(b, u, x, v);
    problem->acceleration(b->t, x, v, step->params, a);
    for (size_t i = 0; i < problem->dofs; ++i) {
        const double off = u[i] - b->rest[i];
        inertia += 0.5 * b->mass[i] * off * off;
        work += b->force[i] * h * u[i];
        rounded += b->mass[i] * fabs(a[i]) * extent_of(step, i);
    }
    const double potential = problem->potential(x, step->params);
    const double lost = problem->dissipation ? h * problem->dissipation(step->now->x, u, step->params) : 0.0;
    return (Objective){
        .value = inertia + b->q / h * (potential + lost - work),
        .size = inertia + b->q / h * (fabs(potential) + fabs(lost) + fabs(work) + rounded),
    };
}

// Lagrange's polynomial through the accelerations at t, t - h and so on, at t + h: its weights are binomial
// coefficients with alternating signs.
static void extrapolate_acceleration(const Step *step, double *u)
{
    static const double weights[REFERENCE_EARLIER + 1][REFERENCE_EARLIER + 1] = {{1.0}, {2.0, -1.0}, {3.0, -3.0, 1.0}};
    const State        *now = step->now;
    const size_t        count = step->rules->extrapolated && now->spacing == step->h ? now->earlier_count : 0;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        u[i] = weights[count][0] * now->own[step->method->a][i];
        for (size_t k = 0; k < count; ++k)
            u[i] += weights[count][k + 1] * now->earlier[k][i];
    }
}

// The velocity as the explicit Euler method would have it, or the old one.
static void guess_velocity(const Step *step, double *u)
{
    double a[REFERENCE_DOFS] = {0};
    if (step->rules->extrapolated)
        step->problem->acceleration(step_time(step, step->t), step->now->x, step->now->v, step->params, a);
    for (size_t i = 0; i < step->problem->dofs; ++i)
        u[i] = step->now->v[i] + step->h * a[i];
}

// One update from any guess solves a linearised equation: the guess only says where it is linearised, at x_n. A line
// search needs one where the objective is a number, and u = 0 stays where the step began.
static void guess(const Balance *b, bool guessed, double *u)
{
    const Step  *step = b->step;
    const Card  *card = step->method->card;
    const size_t n = step->problem->dofs;
    if (card->solver == SOLVER_LINEARISED)
        for (size_t i = 0; i < n; ++i)
            u[i] = (step->now->x[i] - b->x[i]) / b->cx;
    else if (card->unknown == UNKNOWN_ACCELERATION)
        extrapolate_acceleration(step, u);
    else if (!guessed)
        guess_velocity(step, u);
    if (card->solver == SOLVER_LINE_SEARCH && !isfinite(objective(b, u).value))
        memset(u, 0, n * sizeof *u);
}

SolveEnd walk_solve(MethodWalk *walk, const EquationLine *line, bool guessed)
{
    const Step *step = walk->step;
    const Card *card = step->method->card;
    const bool  first_order = step->problem->first_order, acceleration = card->unknown == UNKNOWN_ACCELERATION;
    double     *u = walk->vectors[line->target];
    Balance     b = {.step = step,
                     .t = walk_time(walk, line),
                     .A = walk->numbers[line->A],
                     .q = walk->numbers[line->q],
                     .cx = walk->numbers[line->cx],
                     .cv = walk->numbers[line->cv],
                     .rest = walk_vector(walk, line->rest),
                     .x = walk_vector(walk, line->x),
                     .v = walk_vector(walk, line->v)};
    Equation    equation = {.n = step->problem->dofs,
                            .context = &b,
                            .residual = residual,
                            .jacobian = jacobian,
                            .extent = acceleration ? extent_of_accelerations : extent,
                            .velocity = velocity,
                            .rest = rest,
                            .acceleration = acceleration,
                            .own = step->method->adaptive || acceleration,
                            .duration = acceleration ? step->h : 1.0,
                            .remembered = step->now->scale,
                            .identity = b.A,
                            .stiffness_weight = first_order ? 0.0 : b.cx,
                            .known = first_order || b.cx == 0.0 ? b.rest : NULL,
                            .linearised = card->solver == SOLVER_LINEARISED};
    if (card->solver == SOLVER_LINE_SEARCH) {
        equation.objective = objective;
        equation.masses = b.mass;
        step->problem->masses(step->params, b.mass);
        if (step->problem->drive)
            step->problem->drive(b.t, step->params, b.force);
    }
    guess(&b, guessed, u);
    return newton_solve(&equation, step->rules, walk->tally, u);
}
