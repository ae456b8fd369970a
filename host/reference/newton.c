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

// NewtonSizes of a solve's components, where rules are relative; all 1 where they are not.
typedef struct NewtonSizes {
    double rows[REFERENCE_DOFS];     // reference sizes of the residual's rows, in the unit of the unknown
    double columns[REFERENCE_DOFS];  // sizes of the unknowns; powers of two
} NewtonSizes;

static double power_of_two_below(double x)
{
    return x >= DBL_MIN ? ldexp(1.0, ilogb(x)) : 0.0;
}

//   velocity  size of a component's velocity
static double size_of_row(const Equation *equation, const NewtonRules *rules, double velocity)
{
    return rules->relative ? velocity / equation->duration : 1.0;
}

// The velocity at which the force is asked counts where it is larger than the velocities before.
static void size_rows(const Equation *equation, const NewtonRules *rules, const double *u, double *rows)
{
    double v[REFERENCE_DOFS] = {0};
    if (rules->relative)
        equation->velocity(equation->context, u, v);
    for (size_t i = 0; i < equation->n; ++i)
        rows[i] = size_of_row(equation, rules, rules->relative ? fmax(equation->remembered[i], fabs(v[i])) : 1.0);
}

// An unknown's own size, or the change that moves the position or the residual's row by a small part, if one of these
// is larger: as velocities, to powers of two.
static void size_columns(const Equation *equation, const NewtonRules *rules, const double *u, const double *f,
                         NewtonSizes *sizes)
{
    const double least = 0x1p-700, duration = equation->duration, part = 0x1p-17 * duration;
    const double weight = power_of_two_below(fabs(equation->stiffness_weight));
    double       there[REFERENCE_DOFS] = {0};
    if (rules->relative)
        equation->rest(equation->context, there);
    for (size_t i = 0; i < equation->n; ++i) {
        double moved = weight > 0.0 ? part / weight * fabs(there[i]) : 0.0, terms = part * fabs(f[i]) + least,
               own = duration * fmax(equation->own ? fabs(u[i]) : 0.0, sizes->rows[i]);
        sizes->columns[i] =
            rules->relative ? power_of_two_below(fmax(own, fmax(moved, terms))) / power_of_two_below(duration) : 1.0;
    }
}

// The Jacobian by differences, a column per unknown: with the stencil of section 2.1.1, which max(., 1) keeps from
// vanishing with u, or by the sizes of the unknowns. Kernels evaluate columns together that share no row.
static void difference_jacobian(const Equation *equation, const NewtonRules *rules, Tally *tally, const double *u,
                                const double *f, const NewtonSizes *sizes, double *matrix)
{
    size_t n = equation->n;
    double root = rules->cube_root_stencil ? cbrt(machine_epsilon) : sqrt(machine_epsilon);
    double moved[REFERENCE_DOFS], ahead[REFERENCE_DOFS], behind[REFERENCE_DOFS];
    if (rules->relative)
        root = rules->cube_root_stencil ? 0x1p-17 : 0x1p-26;
    for (size_t column = 0; column < n; ++column) {
        double s = rules->widen * root * (rules->relative ? sizes->columns[column] : fmax(eigen_inf_norm(n, u), 1.0));
        memcpy(moved, u, n * sizeof *moved);
        moved[column] = u[column] + s;
        equation->residual(equation->context, moved, ahead);
        if (rules->jacobian == JACOBIAN_CENTRAL) {
            moved[column] = u[column] - s;
            equation->residual(equation->context, moved, behind);
        }
        for (size_t row = 0; row < n; ++row) {
            double slope = rules->jacobian == JACOBIAN_CENTRAL ? (ahead[row] - behind[row]) / (2.0 * s)
                                                               : (ahead[row] - f[row]) / s;
            matrix[row * n + column] = slope;
        }
    }
    tally->residual_evaluations += (rules->jacobian == JACOBIAN_CENTRAL ? 2 : 1) * rules->differences;
}

static double form_jacobian(const Equation *equation, const NewtonRules *rules, Tally *tally, const double *u,
                            const double *f, const NewtonSizes *sizes, double *matrix)
{
    if (rules->jacobian == JACOBIAN_ANALYTIC)
        equation->jacobian(equation->context, u, matrix);
    else
        difference_jacobian(equation, rules, tally, u, f, sizes, matrix);
    ++tally->jacobians;
    double condition = rules->conditions ? eigen_condition(equation->n, matrix) : (double)NAN;
    if (isnan(tally->condition_max) || condition > tally->condition_max)
        tally->condition_max = condition;
    return condition;
}

// Solves for the update. Rows and columns are over the sizes of their components, which choose the pivots.
static bool solve(const Equation *equation, const NewtonSizes *sizes, const double *matrix, double *d)
{
    size_t n = equation->n;
    double scaled[REFERENCE_DOFS * REFERENCE_DOFS], size[REFERENCE_DOFS];
    memcpy(size, sizes->columns, n * sizeof *size);
    for (size_t i = 0; i < n; ++i) {
        d[i] /= size[i];
        for (size_t j = 0; j < n; ++j)
            scaled[i * n + j] = matrix[i * n + j] * (size[j] / size[i]);
    }
    bool solved = eigen_solve(n, scaled, d);
    for (size_t i = 0; i < n; ++i)
        d[i] *= size[i];
    return solved;
}

// Rounding floor of row i of the residual. The force's derivative along the row is the Jacobian without its identity.
//   extent  [n] of the position
static double floor_of_row(const Equation *equation, const double *extent, const double *u, const double *matrix,
                           size_t i)
{
    size_t n = equation->n;
    double force = 0.0;
    for (size_t j = 0; j < n; ++j) {
        double slope = fabs(matrix[i * n + j] - (i == j ? equation->identity : 0.0));
        // Where the position does not move, the force depends on the velocity.
        force +=
            equation->stiffness_weight != 0.0 ? slope * extent[j] / equation->stiffness_weight : slope * fabs(u[j]);
    }
    if (equation->stiffness_weight == 0.0 && equation->known)
        force += fabs(equation->known[i]);
    return 4.0 * unit_roundoff * (force + fabs(u[i]));
}

// The largest of the residual's rows, each over its reference size.
static double worst_row(size_t n, const double *f, const double *of)
{
    double worst = 0.0;
    for (size_t i = 0; i < n; ++i)
        worst = fmax(worst, f[i] == 0.0 ? 0.0 : fabs(f[i]) / of[i]);
    return worst;
}

// The floor guard: whether no row of the residual is larger than the tolerance or than its rounding, by the matrix at
// u.
static bool at_floor(const Equation *equation, const NewtonRules *rules, Tally *tally, const double *u, const double *f,
                     const double *matrix, const NewtonSizes *sizes)
{
    double limits[REFERENCE_DOFS], extent[REFERENCE_DOFS];
    equation->extent(equation->context, u, extent);
    for (size_t i = 0; i < equation->n; ++i)
        limits[i] = fmax(floor_of_row(equation, extent, u, matrix, i), rules->tolerance * sizes->rows[i]);
    double largest = worst_row(equation->n, f, limits);
    decisions_note(tally->decisions, largest, 1.0);
    return largest <= 1.0;
}

// Weights of the residual's rows in the failure rule: the velocities before, or the first residual where these are 0; a
// row where both are 0 counts for nothing.
static void weigh_rows(const Equation *equation, const NewtonRules *rules, const double *first, double *weights)
{
    for (size_t i = 0; i < equation->n && rules->relative; ++i) {
        double before = equation->remembered[i],
               power = power_of_two_below(before > 0.0 ? before : fabs(first[i]) * equation->duration);
        weights[i] = power > 0.0 ? power / equation->duration : INFINITY;
    }
    for (size_t i = 0; i < equation->n && !rules->relative; ++i)
        weights[i] = 1.0;
}

// Armijo's rule: goes from u as far along Newton's -d as the objective falls by 1e-4 of the decrease that its slope
// promises, trying the whole way, a half, a quarter ... Where -d does not lead down it goes along -f. The objective may
// rise by its own rounding, or no update could end at the minimum. False where nothing down to 2^-40 will do.
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

//   f     the residual; NULL: the update could not be made
//   rows  its reference sizes
static void show(const Equation *equation, const Tally *tally, uint64_t update, const double *f, const double *rows,
                 const double *matrix, double condition)
{
    const NewtonWatch *watch = tally->watch;
    if (!watch)
        return;
    const bool finite = f && eigen_all_finite(equation->n, f);
    watch->see(&(NewtonSight){.n = equation->n,
                              .update = update,
                              .residual = finite ? worst_row(equation->n, f, rows) : (double)NAN,
                              .matrix = matrix,
                              .condition = condition},
               watch->user);
}

// The updates of one solve, up to acceptance or failure; condition is that of the last Jacobian.
static SolveEnd iterate(const Equation *equation, const NewtonRules *rules, Tally *tally, double *u, double *condition)
{
    size_t      n = equation->n;
    double      f[REFERENCE_DOFS], d[REFERENCE_DOFS], matrix[REFERENCE_DOFS * REFERENCE_DOFS];
    double      weights[REFERENCE_DOFS];
    NewtonSizes sizes;
    for (size_t i = 0; i < n; ++i)
        sizes.rows[i] = size_of_row(equation, rules, rules->relative ? equation->remembered[i] : 1.0);
    evaluate(equation, tally, u, f);
    show(equation, tally, 0, f, sizes.rows, NULL, NAN);
    if (!eigen_all_finite(n, f))
        return SOLVE_NOT_FINITE;
    weigh_rows(equation, rules, f, weights);
    double first = worst_row(n, f, weights);
    double smallest = INFINITY;  // residual after the first three updates
    size_columns(equation, rules, u, f, &sizes);
    *condition = form_jacobian(equation, rules, tally, u, f, &sizes, matrix);
    for (uint64_t i = 1;; ++i) {
        memcpy(d, f, n * sizeof *d);
        const bool solved = solve(equation, &sizes, matrix, d), updated = solved && update(equation, tally, f, d, u);
        // A search that ends without a step is an update all the same, after which the residual is asked for.
        if (solved)
            evaluate(equation, tally, u, f);
        if (updated)
            size_rows(equation, rules, u, sizes.rows);
        show(equation, tally, i, updated ? f : NULL, sizes.rows, matrix, *condition);
        if (!updated)
            return solved ? SOLVE_FAILED : SOLVE_SINGULAR;
        if (!eigen_all_finite(n, f))
            return SOLVE_NOT_FINITE;
        if (equation->linearised)
            return SOLVE_ACCEPTED;
        double size = worst_row(n, f, sizes.rows);
        decisions_note(tally->decisions, size, rules->tolerance);
        if (size <= rules->tolerance)
            return SOLVE_ACCEPTED;
        // The matrix of the next update has the floor; it is counted where that update is made.
        Tally  next = *tally;
        double next_condition = *condition;
        size_columns(equation, rules, u, f, &sizes);
        if (!rules->modified)
            next_condition = form_jacobian(equation, rules, &next, u, f, &sizes, matrix);
        if (rules->floor_guard && at_floor(equation, rules, tally, u, f, matrix, &sizes)) {
            ++tally->stagnated_solves;
            return SOLVE_ACCEPTED;
        }
        smallest = fmin(smallest, worst_row(n, f, weights));
        if (i == 3) {
            decisions_note(tally->decisions, smallest, first);
            if (smallest >= first)
                return SOLVE_FAILED;
        }
        if (i == rules->max_updates)
            return SOLVE_FAILED;
        *tally = next;
        *condition = next_condition;
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
