// eigenvalues -- eigenvalues by LAPACKE.
#include "reference/eigenvalues.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { MOST = EIGENVALUES_MOST };

bool eigenvalues_find(size_t n, const double *matrix, double *real, double *imaginary, double *condition, double *norm)
{
    double           copy[MOST * MOST], left[MOST * MOST], right[MOST * MOST];
    double           scale[MOST], size, alignment[MOST], separation[MOST];
    const char       wanted = condition ? 'V' : 'N';
    const lapack_int order = (lapack_int)n;
    lapack_int       low, high;
    // LAPACKE would take a NaN for a wrong argument, and not see an infinity.
    for (size_t i = 0; i < n * n; ++i)
        if (!isfinite(matrix[i]))
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
