// rosenbrock -- linear stages: the derivatives where a substep begins, and the equation of a stage by one matrix.
#include "reference/walk.h"

#include "reference/eigen.h"

#include <math.h>
#include <string.h>

static double power_of_two_below(double x)
{
    return ldexp(1.0, ilogb(x));
}

// The change of the acceleration with one component, of a column by differences.
//   x, v    where the substep begins
//   moved   the component, in one of them
static void take_column(MethodWalk *walk, const double *x, const double *v, double *moved, double size, double *column)
{
    const Step        *step = walk->step;
    const NewtonRules *rules = step->rules;
    const size_t       n = step->problem->dofs;
    const double       t = step_time(step, step->t), here = *moved,
                 way = rules->widen * (rules->cube_root_stencil ? 0x1p-17 : 0x1p-26) * power_of_two_below(size);
    const bool central = rules->jacobian == JACOBIAN_CENTRAL;
    double     ahead[REFERENCE_DOFS], behind[REFERENCE_DOFS];
    memcpy(behind, step->now->own[step->method->a], sizeof behind);
    *moved = here + way;
    step->problem->acceleration(t, x, v, step->params, ahead);
    *moved = here - way;
    if (central)
        step->problem->acceleration(t, x, v, step->params, behind);
    *moved = here;
    for (size_t i = 0; i < n; ++i)
        column[i * n] = (ahead[i] - behind[i]) / (central ? 2.0 * way : way);
}

// The slope at t of the cubic through the acceleration there and at three times later in the substep.
static void differentiate_time(MethodWalk *walk)
{
    const Step   *step = walk->step;
    const double  weights[] = {18.0 / 6.0, -9.0 / 6.0, 2.0 / 6.0}, spacing = 0x1p-10 * power_of_two_below(step->h);
    const double *now = step->now->own[step->method->a];
    double        a[REFERENCE_DOFS];
    memset(walk->derivatives.in_time, 0, sizeof walk->derivatives.in_time);
    for (int k = 0; k < 3; ++k) {
        step->problem->acceleration(step_time(step, step->t + (k + 1) * spacing), step->now->x, step->now->v,
                                    step->params, a);
        for (size_t i = 0; i < step->problem->dofs; ++i)
            walk->derivatives.in_time[i] += weights[k] * (a[i] - now[i]) / spacing;
    }
    walk->tally->residual_evaluations += 3;
}

static void differentiate(MethodWalk *walk)
{
    const Step  *step = walk->step;
    const State *now = step->now;
    Derivatives *derivatives = &walk->derivatives;
    const size_t n = step->problem->dofs;
    State        moved = *now;
    double       size_x[REFERENCE_DOFS], size_v[REFERENCE_DOFS];
    if (step->rules->jacobian == JACOBIAN_ANALYTIC) {
        step->problem->jacobian(step_time(step, step->t), now->x, now->v, step->params, derivatives->in_x,
                                derivatives->in_v);
        return;
    }
    step_sizes(step, size_x, size_v);
    memset(derivatives->in_x, 0, sizeof derivatives->in_x);
    for (size_t j = 0; j < n; ++j) {
        take_column(walk, moved.x, moved.v, &moved.v[j], size_v[j], &derivatives->in_v[j]);
        if (!step->problem->first_order)
            take_column(walk, moved.x, moved.v, &moved.x[j], size_x[j], &derivatives->in_x[j]);
    }
    // Kernels evaluate columns together that share no row.
    const uint64_t sides = step->rules->jacobian == JACOBIAN_CENTRAL ? 2 : 1, both = step->problem->first_order ? 1 : 2;
    walk->tally->residual_evaluations += sides * both * step->rules->differences;
}

// The condition number of the matrix, which each solve of the substep has.
static void note_condition(const MethodWalk *walk, const double *matrix, bool first, bool solved)
{
    Tally       *tally = walk->tally;
    const double condition =
        walk->step->rules->conditions ? eigen_condition(walk->step->problem->dofs, matrix) : (double)NAN;
    if (first && (isnan(tally->condition_max) || condition > tally->condition_max))
        tally->condition_max = condition;
    if (!solved)
        return;
    tally->condition_last = condition;
    tally->condition_log_sum += log(condition);
}

// The acceleration is linear about the beginning: A u = rest + q (a + a_t (t' - t) + a_x (x - x_n + cx u) + a_v (v -
// v_n
// + cv u)).
SolveEnd rosenbrock_solve(MethodWalk *walk, const EquationLine *line, bool first)
{
    const Step        *step = walk->step;
    const State       *now = step->now;
    const Derivatives *derivatives = &walk->derivatives;
    const size_t       n = step->problem->dofs;
    const double       A = walk->numbers[line->A], q = walk->numbers[line->q], cx = walk->numbers[line->cx],
                 cv = walk->numbers[line->cv], later = walk_line_time(walk, line) - step->t;
    const double *rest = walk_vector(walk, line->rest), *x = walk_vector(walk, line->x),
                 *v = walk_vector(walk, line->v), *a = now->own[step->method->a];
    double *u = walk->vectors[line->target], matrix[REFERENCE_DOFS * REFERENCE_DOFS];
    Tally  *tally = walk->tally;
    if (first) {
        differentiate_time(walk);
        differentiate(walk);
        ++tally->jacobians;
    }
    for (size_t i = 0; i < n; ++i) {
        double rate = a[i] + derivatives->in_time[i] * later;
        for (size_t j = 0; j < n; ++j) {
            const double in_x = derivatives->in_x[i * n + j], in_v = derivatives->in_v[i * n + j];
            rate += in_x * (x[j] - now->x[j]) + in_v * (v[j] - now->v[j]);
            matrix[i * n + j] = (i == j ? A : 0.0) - q * (cx * in_x + cv * in_v);
        }
        u[i] = rest[i] + q * rate;
    }
    const bool known = eigen_all_finite(n, u), solved = known && eigen_solve(n, matrix, u),
               finite = solved && eigen_all_finite(n, u);
    tally->updates += solved;
    tally->residual_evaluations += solved;
    note_condition(walk, matrix, first, finite);
    tally->accepted_solves += finite;
    tally->failed_solves += !finite;
    return finite ? SOLVE_ACCEPTED : known && !solved ? SOLVE_SINGULAR : SOLVE_NOT_FINITE;
}
