// eigen -- solves, singular values and eigenvalues by LAPACKE.
#include "reference/eigen.h"

#include "reference/problem.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

double eigen_inf_norm(size_t count, const double *vector)
{
    double norm = 0.0;
    for (size_t i = 0; i < count; ++i)
        norm = fmax(norm, fabs(vector[i]));
    return norm;
}

bool eigen_all_finite(size_t count, const double *vector)
{
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(vector[i]))
            return false;
    return true;
}

bool eigen_solve(size_t n, const double *matrix, double *right)
{
    return eigen_solve_all(n, 1, matrix, right);
}

bool eigen_solve_all(size_t n, size_t count, const double *matrix, double *right)
{
    double     factors[REFERENCE_DOFS * REFERENCE_DOFS];
    lapack_int rows[REFERENCE_DOFS];
    // Elimination carries an element that is not finite to the last pivot.
    if (!eigen_all_finite(n * n, matrix))
        return false;
    // By columns LAPACKE makes no copies of its own, and a finite matrix needs no check.
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            factors[j * n + i] = matrix[i * n + j];
    lapack_int order = (lapack_int)n;
    if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, order, (lapack_int)count, factors, order, rows, right, order) != 0)
        return false;
    for (size_t i = 0; i < n; ++i)
        if (!isfinite(factors[i * n + i]))
            return false;
    return true;
}

void eigen_pivots(size_t n, const double *matrix, double *pivots)
{
    double     factors[REFERENCE_DOFS * REFERENCE_DOFS];
    lapack_int rows[REFERENCE_DOFS];
    memcpy(factors, matrix, n * n * sizeof *factors);
    const lapack_int order = (lapack_int)n;
    LAPACKE_dgetrf(LAPACK_ROW_MAJOR, order, order, factors, order, rows);
    for (size_t i = 0; i < n; ++i)
        pivots[i] = factors[i * n + i];
}

double eigen_condition(size_t n, const double *matrix)
{
    double columns[REFERENCE_DOFS * REFERENCE_DOFS], sigma[REFERENCE_DOFS], report[6];
    if (n == 1)
        return 1.0;
    if (!eigen_all_finite(n * n, matrix))
        return NAN;
    // Read by columns the matrix is its transpose, which has the same singular values.
    memcpy(columns, matrix, n * n * sizeof *columns);
    lapack_int order = (lapack_int)n;
    if (LAPACKE_dgesvj(LAPACK_COL_MAJOR, 'G', 'N', 'N', order, order, columns, order, sigma, 0, NULL, 1, report) != 0)
        return NAN;
    // sigma is in descending order; the common factor that LAPACK may take out to avoid overflow cancels in the ratio.
    return sigma[n - 1] > 0.0 ? sigma[0] / sigma[n - 1] : (double)INFINITY;
}

bool eigen_values(size_t n, const double *matrix, double *real, double *imaginary, double *condition, double *norm)
{
    enum { MOST = EIGEN_VALUES_MOST };
    double           copy[MOST * MOST], left[MOST * MOST], right[MOST * MOST];
    double           scale[MOST], size, alignment[MOST], separation[MOST];
    const char       wanted = condition ? 'V' : 'N';
    const lapack_int order = (lapack_int)n;
    lapack_int       low, high;
    // LAPACKE would take a NaN for a wrong argument, and not see an infinity.
    if (!eigen_all_finite(n * n, matrix))
        return false;
    memcpy(copy, matrix, n * n * sizeof *copy);
    // Balancing would take entries that are zero but for rounding for small ones, and scale them up.
    if (LAPACKE_dgeevx(LAPACK_ROW_MAJOR, condition ? 'N' : 'B', wanted, wanted, condition ? 'E' : 'N', order, copy,
                       order, real, imaginary, left, order, right, order, &low, &high, scale, &size, alignment,
                       separation) != 0)
        return false;
    // An eigenvalue moves by the error over the cosine between its left and right eigenvectors.
    for (size_t i = 0; condition && i < n; ++i)
        condition[i] = 1.0 / alignment[i];
    if (condition)
        *norm = size;
    return true;
}
