// eigenvalues -- LAPACKE behind one call.
#include "reference/eigenvalues.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

bool eigenvalues_find(size_t n, const double *matrix, double *real, double *imaginary)
{
    double           copy[EIGENVALUES_MOST * EIGENVALUES_MOST], none;
    const lapack_int order = (lapack_int)n;
    // LAPACKE would take a NaN for a wrong argument, and not see an infinity.
    for (size_t i = 0; i < n * n; ++i)
        if (!isfinite(matrix[i]))
            return false;
    memcpy(copy, matrix, n * n * sizeof *copy);
    return LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', order, copy, order, real, imaginary, &none, 1, &none, 1) == 0;
}
