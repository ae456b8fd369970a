// eigen -- solves and singular values by LAPACKE.
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
    double     factors[REFERENCE_DOFS * REFERENCE_DOFS];
    lapack_int rows[REFERENCE_DOFS];
    // Elimination carries an element that is not finite to the last pivot.
    if (!eigen_all_finite(n * n, matrix))
        return false;
    memcpy(factors, matrix, n * n * sizeof *factors);
    lapack_int order = (lapack_int)n;
    if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, order, 1, factors, order, rows, right, 1) != 0)
        return false;
    for (size_t i = 0; i < n; ++i)
        if (!isfinite(factors[i * n + i]))
            return false;
    return true;
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
