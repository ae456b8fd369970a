// newton -- Newton's iteration, until the residual is small or the failure rule ends it.
#include "reference/newton.h"

#include "reference/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The reference computes in double whatever the plan's precision: these are double's.
static const double machine_epsilon = DBL_EPSILON;      // 2^-52
static const double unit_roundoff = DBL_EPSILON / 2.0;  // 2^-53

static void evaluate(const Equation *equation, Tally *tally, const double *u, double *f)
{
    equation->residual(equation->context, u, f);
    ++tally->residual_evaluations;
}

// The Jacobian by differences, a column per unknown, with the stencil of section 2.1.1, which max(., 1) keeps from
// vanishing with u.
static void difference_jacobian(const Equation *equation, const NewtonRules *rules, Tally *tally, const double *u,
                                const double *f, double *matrix)
{
    size_t n = equation->n;
    double root = rules->cube_root_stencil ? cbrt(machine_epsilon) : sqrt(machine_epsilon);
    double s = rules->widen * root * fmax(eigen_inf_norm(n, u), 1.0);
    double moved[REFERENCE_DOFS], ahead[REFERENCE_DOFS], behind[REFERENCE_DOFS];
    for (size_t column = 0; column < n; ++column) {
        memcpy(moved, u, n * sizeof *moved);
        moved[column] = u[column] + s;
        evaluate(equation, tally, moved, ahead);
        if (rules->jacobian == JACOBIAN_CENTRAL) {
            moved[column] = u[column] - s;
            evaluate(equation, tally, moved, behind);
        }
        for (size_t row = 0; row < n; ++row)
            matrix[row * n + column] = rules->jacobian == JACOBIAN_CENTRAL ? (ahead[row] - behind[row]) / (2.0 * s)
                                                                           : (ahead[row] - f[row]) / s;
    }
}

static double form_jacobian(const Equation *equation, const NewtonRules *rules, Tally *tally, const double *u,
                            const double *f, double *matrix)
{
    if (rules->jacobian == JACOBIAN_ANALYTIC)
        equation->jacobian(equation->context, u, matrix);
    else
        difference_jacobian(equation, rules, tally, u, f, matrix);
    ++tally->jacobians;
    double condition = rules->conditions ? eigen_condition(equation->n, matrix) : (double)NAN;
    if (isnan(tally->condition_max) || condition > tally->condition_max)
        tally->condition_max = condition;
    return condition;
}

// What rounding alone may leave in row i of the residual. The force's derivative along the row is what the Jacobian has
// beside its identity.
static double floor_of_row(const Equation *equation, const double *u, const double *matrix, size_t i)
{
    size_t n = equation->n;
    double row = 0.0, known = equation->known ? fabs(equation->known[i]) : 0.0;
    for (size_t j = 0; j < n; ++j)
        row += fabs(matrix[i * n + j] - (i == j ? equation->identity : 0.0));
    // A position that does not move leaves the velocity as what the force depends on.
    double force = equation->stiffness_weight != 0.0
                       ? row / equation->stiffness_weight * equation->extent(equation->context, u)
                       : row * eigen_inf_norm(n, u) + known;
    return 4.0 * unit_roundoff * (force + fabs(u[i]));
}

// The floor guard: whether no row of the residual is larger than the tolerance or than its rounding.
static bool at_floor(const Equation *equation, const NewtonRules *rules, Tally *tally, const double *u, const double *f,
                     const double *matrix)
{
    double largest = 0.0;  // of |f_i| over what row i may have
    for (size_t i = 0; i < equation->n; ++i) {
        double floor = floor_of_row(equation, u, matrix, i);
        largest = fmax(largest, fabs(f[i]) / fmax(floor, rules->tolerance / equation->unit));
    }
    decisions_note(tally->decisions, largest, 1.0);
    return largest <= 1.0;
}

// Armijo's rule: goes from u as far along Newton's -d as the objective falls by 1e-4 of what its slope promises, trying
// the whole way, a half, a quarter ... Where -d does not lead down it goes along -f. The objective may rise by its own
// rounding, or no update could end at the minimum. False where nothing down to 2^-40 will do.
static bool descend(const Equation *equation, Tally *tally, const double *f, const double *d, double *u)
{
    enum { HALVINGS = 40 };
    static const double promise = 1e-4;
    size_t              n = equation->n;
    double              along[REFERENCE_DOFS], moved[REFERENCE_DOFS] = {0};
    double              slope = 0.0, up = 0.0, down = 0.0;
    for (size_t i = 0; i < n; ++i) {
        along[i] = -d[i];
        double part = equation->masses[i] * f[i] * along[i];
        slope += part;
        up += fmax(part, 0.0);
        down += fmax(-part, 0.0);
    }
    decisions_note(tally->decisions, up, down);
    if (!(slope < 0.0)) {
        slope = 0.0;
        for (size_t i = 0; i < n; ++i) {
            along[i] = -f[i];
            slope -= equation->masses[i] * f[i] * f[i];
        }
    }

    Objective here = equation->objective(equation->context, u);
    double    rounding = 4.0 * machine_epsilon * here.size, s = 1.0;
    for (int halvings = 0; halvings <= HALVINGS; ++halvings, s /= 2.0) {
        for (size_t i = 0; i < n; ++i)
            moved[i] = u[i] + s * along[i];
        Objective there = equation->objective(equation->context, moved);
        decisions_note(tally->decisions, there.value - here.value - promise * s * slope, rounding);
        if (there.value <= here.value + promise * s * slope + rounding) {
            memcpy(u, moved, n * sizeof *u);
            return true;
        }
    }
    return false;
}

// Wu 2018, eq. 2, or that way cut back. False where no part of it will do.
static bool update(const Equation *equation, Tally *tally, const double *f, const double *d, double *u)
{
    ++tally->updates;
    if (equation->objective)
        return descend(equation, tally, f, d, u);
    for (size_t i = 0; i < equation->n; ++i)
        u[i] -= d[i];
    return true;
}

//   f  the residual; NULL: the update could not be made
static void show(const Equation *equation, const Tally *tally, uint64_t update, const double *f, const double *matrix,
                 double condition)
{
    const NewtonWatch *watch = tally->watch;
    if (!watch)
        return;
    const bool finite = f && eigen_all_finite(equation->n, f);
    watch->see(&(NewtonSight){.n = equation->n,
                              .update = update,
                              .residual = finite ? equation->unit * eigen_inf_norm(equation->n, f) : (double)NAN,
                              .matrix = matrix,
                              .condition = condition},
               watch->user);
}

// The updates of one solve, up to acceptance or failure; condition is that of the last Jacobian.
static SolveEnd iterate(const Equation *equation, const NewtonRules *rules, Tally *tally, double *u, double *condition)
{
    size_t n = equation->n;
    double f[REFERENCE_DOFS], d[REFERENCE_DOFS], matrix[REFERENCE_DOFS * REFERENCE_DOFS];
    evaluate(equation, tally, u, f);
    show(equation, tally, 0, f, NULL, NAN);
    if (!eigen_all_finite(n, f))
        return SOLVE_NOT_FINITE;
    double first = equation->unit * eigen_inf_norm(n, f);
    double smallest = INFINITY;  // residual after the first three updates
    for (uint64_t i = 1;; ++i) {
        if (i == 1 || !rules->modified)
            *condition = form_jacobian(equation, rules, tally, u, f, matrix);
        memcpy(d, f, n * sizeof *d);
        const bool solved = eigen_solve(n, matrix, d), updated = solved && update(equation, tally, f, d, u);
        // A search that ends without a step is an update all the same, after which the residual is asked for.
        if (solved)
            evaluate(equation, tally, u, f);
        show(equation, tally, i, updated ? f : NULL, matrix, *condition);
        if (!updated)
            return solved ? SOLVE_FAILED : SOLVE_SINGULAR;
        if (!eigen_all_finite(n, f))
            return SOLVE_NOT_FINITE;
        if (equation->linearised)
            return SOLVE_ACCEPTED;
        double size = equation->unit * eigen_inf_norm(n, f);
        decisions_note(tally->decisions, size, rules->tolerance);
        if (size <= rules->tolerance)
            return SOLVE_ACCEPTED;
        if (rules->floor_guard && at_floor(equation, rules, tally, u, f, matrix)) {
            ++tally->stagnated_solves;
            return SOLVE_ACCEPTED;
        }
        smallest = fmin(smallest, size);
        if (i == 3) {
            decisions_note(tally->decisions, smallest, first);
            if (smallest >= first)
                return SOLVE_FAILED;
        }
        if (i == rules->max_updates)
            return SOLVE_FAILED;
    }
}

SolveEnd newton_solve(const Equation *equation, const NewtonRules *rules, Tally *tally, double *u)
{
    double   condition = NAN;
    SolveEnd end = iterate(equation, rules, tally, u, &condition);
    if (end == SOLVE_ACCEPTED) {
        ++tally->accepted_solves;
        tally->condition_last = condition;
        tally->condition_log_sum += log(condition);
    } else {
        ++tally->failed_solves;
    }
    return end;
}
