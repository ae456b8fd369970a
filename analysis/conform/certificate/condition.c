// condition -- singular values, and how far a kernel's may be from them.
#include "analysis/conform/certificate/condition.h"

#include "analysis/conform/certificate/sizes.h"
#include "reference/eigen.h"
#include "reference/problem.h"

// With the singular values' sum and difference as hypotenuses, which lose no digits near 1.
static long double of_two(const Matrix32 m)
{
    const long double a = m[0][0], b = m[0][1], c = m[1][0], d = m[1][1];
    const long double sum = hypotl(a + d, b - c) + hypotl(a - d, b + c), det = fabsl(a * d - b * c);
    return sum * sum / (4.0L * det);
}

static long double of_many(size_t n, const Matrix32 m)
{
    double matrix[REFERENCE_DOFS * REFERENCE_DOFS];
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            matrix[i * n + j] = (double)m[i][j];
    return eigen_condition(n, matrix);
}

static long double fourth_power(long double x)
{
    return x * x * (x * x);
}

// How far the entries may be off: by their own error, and by the iterate's, from their change on the way to it.
static void find_off(const Judge *judge, const Iterate *matrix, const Iterate *from, Matrix32 off)
{
    const size_t n = judge->n;
    long double  way = 0.0L, moved = 0.0L;
    for (size_t j = 0; from && j < n; ++j) {
        way = larger_of(way, fabsl(matrix->u.i[j].at - from->u.i[j].at) / matrix->size[j]);
        moved = larger_of(moved, matrix->moved[j] / matrix->size[j]);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            off[i][j] = matrix->error[i][j];
            if (from && moved > 0.0L)
                off[i][j] += way > moved ? fabsl(matrix->J[i][j] - from->J[i][j]) * moved / way : INFINITY;
        }
}

// The kernel has the matrix times this: undivided differences of a common width may overflow.
static long double width_of(const Judge *judge, const Solve *solve, const Iterate *matrix)
{
    Sizes widths;
    sizes_widths(judge, solve, &matrix->u, matrix->first, &matrix->f, &widths);
    return judge->substep->newton->jacobian == JACOBIAN_ANALYTIC || sizes_relative(judge) ? 1.0L
                                                                                          : 2.0L * widths.most[0];
}

void condition_bound(const Judge *judge, const Solve *solve, const Iterate *matrix, const Iterate *from,
                     long double *bounds)
{
    const size_t   n = judge->n;
    const Roundoff u = judge->u;
    const bool     closed = n == 2 && !judge->substep->reference;
    // Rotations of a column in 30 sweeps, 8 roundings each, and the angle at which they end; LAPACK's own in double.
    const long double own = closed ? 8.0L * u : (long double)n * (30.0L * 8.0L + 4.0L) * u + 0x1p-53L * 32.0L * n;
    long double       size = 0.0L, moved = 0.0L;
    Matrix32          off;
    bounds[0] = bounds[1] = 1.0L;
    if (n == 1)
        return;
    find_off(judge, matrix, from, off);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            size += matrix->J[i][j] * matrix->J[i][j];
            moved += off[i][j] * off[i][j];
        }
    size = sqrtl(size);
    bounds[1] = INFINITY;
    // Fourth powers stand in the closed form, squares elsewhere.
    if (!isfinite(size) || !(fourth_power(size * width_of(judge, solve, matrix) * n) < equations_limit(judge)) ||
        !(size > 0.0L))
        return;
    const long double number = n == 2 ? of_two(matrix->J) : of_many(n, matrix->J);
    // Relative to the largest singular value, which is at least that part of the Frobenius norm.
    const long double part = (sqrtl(moved) + own * size) * sqrtl((long double)n) / size, least = 1.0L / number - part;
    bounds[0] = larger_of(1.0L - 16.0L * u, (1.0L - part) / (1.0L / number + part) * (1.0L - 16.0L * u));
    bounds[1] = least > 0.0L ? (1.0L + part) / least * (1.0L + 16.0L * u) : INFINITY;
}
