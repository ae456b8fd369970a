// walk -- lines of equations as loops over components; the equation of a solve as residual and Jacobian.
#include "reference/walk.h"

#include "expression/evaluate.h"
#include "reference/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double zero[REFERENCE_DOFS] = {0};

const double *walk_vector(const MethodWalk *walk, size_t vector)
{
    return vector == EQUATIONS_NONE ? zero : walk->vectors[vector];
}

static double leaf(const void *user, size_t index)
{
    const MethodWalk *walk = user;
    const Step       *step = walk->step;
    if (!equations_leaf(step->method->card, &index))
        return step->parameters[index];
    switch (index) {
    case EQUATIONS_H: return step->h;
    case EQUATIONS_H_EARLIER: return step->spacing;
    case EQUATIONS_STARTER: return step->start == START_TRAPEZOIDAL ? 0.0 : 1.0;
    default: return walk->numbers[index - EQUATIONS_OWN];
    }
}

double step_time(const Step *step, double t)
{
    return step->below > 0.0 ? fmin(fmax(t, step->from), step->below) : t;
}

double walk_line_time(const MethodWalk *walk, const EquationLine *line)
{
    return expression_evaluate(line->time, walk->step->t, leaf, walk);
}

double walk_time(const MethodWalk *walk, const EquationLine *line)
{
    return step_time(walk->step, walk_line_time(walk, line));
}

static void accelerate(const MethodWalk *walk, const EquationLine *line, double *a)
{
    const Step *step = walk->step;
    step->problem->acceleration(walk_time(walk, line), walk_vector(walk, line->x), walk_vector(walk, line->v),
                                step->params, a);
}

static void add_up(const MethodWalk *walk, const EquationLine *line, double *sum)
{
    const size_t n = walk->step->problem->dofs;
    memset(sum, 0, n * sizeof *sum);
    for (size_t k = 0; k < line->count; ++k) {
        const double  factor = walk->numbers[line->terms[k].factor];
        const double *vector = walk->vectors[line->terms[k].vector];
        for (size_t i = 0; i < n; ++i)
            sum[i] += factor * vector[i];
    }
}

// The shortest time in which a coordinate moves by its own size, or, where no coordinate both moves and is not 0, in
// which a velocity changes by its own size.
static double own_time(size_t n, const double *x, const double *v, const double *a)
{
    double moved = INFINITY, changed = INFINITY;
    for (size_t i = 0; i < n; ++i) {
        if (v[i] != 0.0 && x[i] != 0.0)
            moved = fmin(moved, fabs(x[i] / v[i]));
        if (v[i] != 0.0 && a[i] != 0.0)
            changed = fmin(changed, fabs(v[i] / a[i]));
    }
    return moved < INFINITY ? moved : changed < INFINITY ? changed : 1.0;
}

// K v, the change of the force along v, by a central difference.
static void stiffen(const MethodWalk *walk, const EquationLine *line, double *Kv)
{
    const Step   *step = walk->step;
    const size_t  n = step->problem->dofs;
    const double *x = walk_vector(walk, line->x), *v = walk_vector(walk, line->v), t = walk_time(walk, line);
    double        a[REFERENCE_DOFS], moved[REFERENCE_DOFS] = {0}, later[REFERENCE_DOFS], sooner[REFERENCE_DOFS];
    step->problem->acceleration(t, x, v, step->params, a);
    const double way = step->rules->relative
                           ? 0x1p-17 * own_time(n, x, v, a)
                           : cbrt(DBL_EPSILON) * fmax(eigen_inf_norm(n, x), 1.0) / fmax(eigen_inf_norm(n, v), 1.0);
    for (size_t i = 0; i < n; ++i)
        moved[i] = x[i] + way * v[i];
    step->problem->acceleration(t, moved, v, step->params, later);
    for (size_t i = 0; i < n; ++i)
        moved[i] = x[i] - way * v[i];
    step->problem->acceleration(t, moved, v, step->params, sooner);
    for (size_t i = 0; i < n; ++i)
        Kv[i] = -(later[i] - sooner[i]) / (2.0 * way);
}

// Acceleration of a solve by its equation; where the equation does not weigh it, by the force.
static void balance(const MethodWalk *walk, const EquationLine *line, double *a)
{
    const EquationLine *solve = &walk->part->lines[line->of];
    const double        A = walk->numbers[solve->A], q = walk->numbers[solve->q];
    const double       *u = walk_vector(walk, solve->target), *rest = walk_vector(walk, solve->rest);
    if (q == 0.0) {
        accelerate(walk, line, a);
        return;
    }
    for (size_t i = 0; i < walk->step->problem->dofs; ++i)
        a[i] = (A * u[i] - rest[i]) / q;
}

bool walk_part(MethodWalk *walk, SolveEnd *end)
{
    const EquationPart *part = walk->part;
    const double       *last = NULL;
    for (size_t k = 0; k < part->number_count; ++k) {
        const double given = equations_given_number(part, k, walk->step->parameters);
        walk->numbers[k] = isnan(given) ? expression_evaluate(part->numbers[k], (double)NAN, leaf, walk) : given;
    }
    for (size_t k = 0; k < part->line_count; ++k) {
        const EquationLine *line = &part->lines[k];
        double             *target = walk->vectors[line->target];
        switch (line->kind) {
        case EQUATION_SUM: add_up(walk, line, target); break;
        case EQUATION_FORCE: accelerate(walk, line, target); break;
        case EQUATION_STIFF: stiffen(walk, line, target); break;
        case EQUATION_SOLVED: balance(walk, line, target); break;
        case EQUATION_SOLVE:
            if (last)
                memcpy(target, last, REFERENCE_DOFS * sizeof *target);
            *end = walk->step->method->card->solver == SOLVER_ROSENBROCK ? rosenbrock_solve(walk, line, last == NULL)
                                                                         : walk_solve(walk, line, last != NULL);
            if (*end != SOLVE_ACCEPTED)
                return false;
            last = target;
            break;
        }
    }
    return true;
}
