// least_squares -- QR with column pivoting by LAPACKE.
#include "analysis/sensitivity/least_squares.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

// Results of the factorisation, between the steps of a fit.
typedef struct Factors {
    double     *triangle;  // [column][column], by columns: R, then its inverse
    double     *scales;    // [column]: of the reflections
    double     *products;  // [column]: Q' values
    lapack_int *pivots;    // [column], from 1
} Factors;

static bool take_room(Arena *arena, LeastSquares *fit, Factors *factors, Error *err)
{
    const size_t rows = fit->rows, columns = fit->columns;
    fit->order = arena_take(arena, columns, sizeof *fit->order, err);
    fit->coefficients = fit->order ? arena_take(arena, columns, sizeof(double), err) : NULL;
    fit->leverages = fit->coefficients ? arena_take(arena, rows, sizeof(double), err) : NULL;
    fit->orthogonal = fit->leverages ? arena_take(arena, columns * rows, sizeof(double), err) : NULL;
    fit->inverse = fit->orthogonal ? arena_take(arena, columns * columns, sizeof(double), err) : NULL;
    factors->triangle = fit->inverse ? arena_take(arena, columns * columns, sizeof(double), err) : NULL;
    factors->scales = factors->triangle ? arena_take(arena, columns, sizeof(double), err) : NULL;
    factors->products = factors->scales ? arena_take(arena, columns, sizeof(double), err) : NULL;
    factors->pivots = factors->products ? arena_take(arena, columns, sizeof(lapack_int), err) : NULL;
    return factors->pivots != NULL;
}

// Replaces the matrix in fit->orthogonal by its factors, and finds the rank.
static bool factorise(LeastSquares *fit, const Factors *factors, Error *err)
{
    const size_t     rows = fit->rows, columns = fit->columns, least = rows < columns ? rows : columns;
    const lapack_int m = (lapack_int)rows, n = (lapack_int)columns;
    const lapack_int info =
        LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, n, fit->orthogonal, m, factors->pivots, factors->scales);
    if (info != 0)
        return fail(err, ERROR_INTERNAL, "dgeqp3 of a %zu x %zu matrix fails with %d", rows, columns, (int)info);
    const double smallest = (double)rows * DBL_EPSILON * fabs(fit->orthogonal[0]);
    while (fit->rank < least && fabs(fit->orthogonal[fit->rank * rows + fit->rank]) > smallest)
        ++fit->rank;
    for (size_t j = 0; j < columns; ++j)
        fit->order[j] = (size_t)factors->pivots[j] - 1;
    if (fit->rank < columns)
        return fail(err, ERROR_INPUT, "%zu rows determine only %zu of %zu coefficients", rows, fit->rank, columns);
    return true;
}

// Q in place of the reflections, and the inverse of R.
static bool unfold(LeastSquares *fit, const Factors *factors, Error *err)
{
    const size_t     rows = fit->rows, columns = fit->columns;
    const lapack_int m = (lapack_int)rows, n = (lapack_int)columns;
    for (size_t j = 0; j < columns; ++j)
        memcpy(&factors->triangle[j * columns], &fit->orthogonal[j * rows], (j + 1) * sizeof(double));
    lapack_int info = LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'U', 'N', n, factors->triangle, n);
    if (info == 0)
        info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, n, n, fit->orthogonal, m, factors->scales);
    if (info != 0)
        return fail(err, ERROR_INTERNAL, "LAPACK fails with %d for a %zu x %zu matrix", (int)info, rows, columns);
    for (size_t i = 0; i < columns; ++i)
        for (size_t j = i; j < columns; ++j)
            fit->inverse[fit->order[i] * columns + j] = factors->triangle[j * columns + i];
    return true;
}

static void find_coefficients(LeastSquares *fit, const double *values, double *products)
{
    const size_t rows = fit->rows, columns = fit->columns;
    for (size_t j = 0; j < columns; ++j) {
        const double *q = &fit->orthogonal[j * rows];
        for (size_t i = 0; i < rows; ++i) {
            products[j] += q[i] * values[i];
            fit->leverages[i] += q[i] * q[i];
        }
    }
    for (size_t c = 0; c < columns; ++c)
        for (size_t j = 0; j < columns; ++j)
            fit->coefficients[c] += fit->inverse[c * columns + j] * products[j];
    for (size_t i = 0; i < rows; ++i)
        fit->leverages[i] = fmin(fit->leverages[i], 1.0);
}

bool least_squares_find(size_t rows, size_t columns, const double *matrix, const double *values, Arena *arena,
                        LeastSquares *fit, Error *err)
{
    Factors factors;
    *fit = (LeastSquares){.rows = rows, .columns = columns};
    if (rows == 0 || columns == 0)
        return fail(err, ERROR_INPUT, "%zu rows and %zu columns make no fit", rows, columns);
    if (!take_room(arena, fit, &factors, err))
        return false;
    memcpy(fit->orthogonal, matrix, columns * rows * sizeof(double));
    if (!factorise(fit, &factors, err) || !unfold(fit, &factors, err))
        return false;
    find_coefficients(fit, values, factors.products);
    return true;
}
