// linear -- elimination and energies of linear systems.
#include "expression/linear.h"

#include <string.h>

#define AT(matrix, i, j) ((matrix)[(i)*n + (j)])

// The first row of a matrix that differs from its column; n where none does.
static size_t unsymmetric_row(const Node *const *matrix, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < i; ++j)
            if (AT(matrix, i, j) != AT(matrix, j, i))
                return i;
    return n;
}

static bool is_symmetric(const Node *const *matrix, size_t n)
{
    return unsymmetric_row(matrix, n) == n;
}

static bool is_diagonal(const Node *const *matrix, size_t n)
{
    for (size_t i = 0; i < n * n; ++i)
        if (i / n != i % n && !expression_is(matrix[i], 0.0))
            return false;
    return true;
}

static bool is_zero(const Node *const *matrix, size_t n)
{
    for (size_t i = 0; i < n * n; ++i)
        if (!expression_is(matrix[i], 0.0))
            return false;
    return true;
}

// The sum of row i of the matrix times the leaves of a kind.
static const Node *row_times(Expressions *table, const Node *const *matrix, size_t n, size_t i, NodeKind kind)
{
    const Node *sum = expression_number(table, 0.0);
    for (size_t j = 0; j < n; ++j)
        sum = expression_add(table, sum, expression_multiply(table, AT(matrix, i, j), expression_leaf(table, kind, j)));
    return sum;
}

// y' A y / 2 of a symmetric matrix.
static const Node *half_form(Expressions *table, const Node *const *matrix, size_t n, NodeKind kind)
{
    const Node *sum = expression_number(table, 0.0);
    for (size_t i = 0; i < n; ++i)
        sum = expression_add(
            table, sum,
            expression_multiply(table, expression_leaf(table, kind, i), row_times(table, matrix, n, i, kind)));
    return expression_multiply(table, expression_number(table, 0.5), sum);
}

// Solves M a = a in place, M = L D L'. Numbers are computed here, formulas become parts of the kernel.
static bool solve(Expressions *table, const Node *const *mass, size_t n, const Node **a, size_t *row, const char **why)
{
    const Node **lower = arena_take(table->arena, n * n, sizeof *lower, table->err);
    if (!lower)
        return false;
    memcpy(lower, mass, n * n * sizeof *lower);
    for (size_t k = 0; k < n; ++k) {
        const Node *pivot = AT(lower, k, k);
        if (!pivot)
            return false;
        if (pivot->kind == NODE_NUMBER && !(pivot->number > 0.0)) {
            *row = k;
            *why = "the mass matrix is not positive definite";
            return false;
        }
        for (size_t i = k + 1; i < n; ++i) {
            const Node *factor = expression_divide(table, AT(lower, i, k), pivot);
            for (size_t j = k + 1; j <= i; ++j)
                AT(lower, i, j) =
                    expression_subtract(table, AT(lower, i, j), expression_multiply(table, factor, AT(lower, j, k)));
            a[i] = expression_subtract(table, a[i], expression_multiply(table, factor, a[k]));
        }
        // Column k holds M's rest until the rows below have used it.
        for (size_t i = k + 1; i < n; ++i)
            AT(lower, k, i) = AT(lower, i, k);
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; ++j)
            a[k] = expression_subtract(table, a[k], expression_multiply(table, AT(lower, k, j), a[j]));
        a[k] = expression_divide(table, a[k], AT(lower, k, k));
        if (!a[k])
            return false;
    }
    return true;
}

static bool add_energies(const LinearSystem *linear, Expressions *table, System *system)
{
    const size_t n = linear->dofs;
    bool         steady = true, driven = false;
    for (size_t i = 0; i < n; ++i) {
        steady = steady && !expression_uses(linear->force[i], NODE_COORDINATE) &&
                 !expression_uses(linear->force[i], NODE_VELOCITY);
        driven = driven || !expression_is(linear->force[i], 0.0);
    }
    if (!steady || !is_symmetric(linear->stiffness, n))
        return true;
    system->kinetic = half_form(table, linear->mass, n, NODE_VELOCITY);
    system->potential = half_form(table, linear->stiffness, n, NODE_COORDINATE);
    system->energy = expression_add(table, system->kinetic, system->potential);
    if (!is_diagonal(linear->mass, n) || !is_symmetric(linear->damping, n))
        return system->energy != NULL;
    const Node **masses = arena_take(table->arena, n, sizeof *masses, table->err);
    if (!masses)
        return false;
    for (size_t i = 0; i < n; ++i)
        masses[i] = AT(linear->mass, i, i);
    system->masses = masses;
    if (!is_zero(linear->damping, n))
        system->dissipation = half_form(table, linear->damping, n, NODE_VELOCITY);
    if (driven)
        system->drive = (const Node **)linear->force;
    return system->energy && (is_zero(linear->damping, n) || system->dissipation);
}

bool linear_make(const LinearSystem *linear, Expressions *table, System *system, size_t *row, const char **why)
{
    const size_t n = linear->dofs;
    *why = NULL;
    *row = unsymmetric_row(linear->mass, n);
    if (*row < n) {
        *why = "the mass matrix is not symmetric";
        return false;
    }
    system->acceleration = arena_take(table->arena, n, sizeof *system->acceleration, table->err);
    if (!system->acceleration)
        return false;
    for (size_t i = 0; i < n; ++i) {
        const Node *pull =
            expression_subtract(table, linear->force[i], row_times(table, linear->damping, n, i, NODE_VELOCITY));
        system->acceleration[i] =
            expression_subtract(table, pull, row_times(table, linear->stiffness, n, i, NODE_COORDINATE));
        if (!system->acceleration[i])
            return false;
    }
    return solve(table, linear->mass, n, system->acceleration, row, why) && add_energies(linear, table, system);
}

bool linear_make_rate(size_t dofs, const Node *const *matrix, const Node *const *force, Expressions *table,
                      System *system)
{
    system->acceleration = arena_take(table->arena, dofs, sizeof *system->acceleration, table->err);
    for (size_t i = 0; system->acceleration && i < dofs; ++i)
        if (!(system->acceleration[i] =
                  expression_add(table, row_times(table, matrix, dofs, i, NODE_COORDINATE), force[i])))
            return false;
    return system->acceleration != NULL;
}
