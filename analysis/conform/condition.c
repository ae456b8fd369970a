// condition -- singular values, and how far a kernel's may be from them.
#include "analysis/conform/condition.h"

#include "gauges/ball.h"
#include "reference/eigen.h"
#include "reference/problem.h"

#include <math.h>

// With the singular values' sum and difference as hypotenuses, which lose no digits near 1.
static long double of_two(size_t stride, const long double *m)
{
    const long double a = m[0], b = m[1], c = m[stride], d = m[stride + 1];
    const long double sum = hypotl(a + d, b - c) + hypotl(a - d, b + c), det = fabsl(a * d - b * c);
    return sum * sum / (4.0L * det);
}

static long double of_many(size_t n, size_t stride, const long double *m)
{
    double matrix[REFERENCE_DOFS * REFERENCE_DOFS];
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            matrix[i * n + j] = (double)m[i * stride + j];
    return eigen_condition(n, matrix);
}

static long double fourth_power(long double x)
{
    return x * x * (x * x);
}

void condition_bound(size_t n, size_t stride, const long double *matrix, const long double *off, long double u,
                     long double limit, long double width, bool closed, long double bounds[2])
{
    // Rotations of a column in 30 sweeps, 8 roundings each, and the angle at which they end; LAPACK's own in double.
    const long double own =
        n == 2 && closed ? 8.0L * u : (long double)n * (30.0L * 8.0L + 4.0L) * u + 0x1p-53L * 32.0L * n;
    long double size = 0.0L, moved = 0.0L;
    bounds[0] = bounds[1] = 1.0L;
    if (n == 1)
        return;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            size += matrix[i * stride + j] * matrix[i * stride + j];
            moved += off[i * stride + j] * off[i * stride + j];
        }
    size = sqrtl(size);
    bounds[1] = INFINITY;
    // Fourth powers stand in the closed form, squares elsewhere.
    if (!isfinite(size) || !(fourth_power(size * width * n) < limit) || !(size > 0.0L))
        return;
    const long double number = n == 2 ? of_two(stride, matrix) : of_many(n, stride, matrix);
    // Relative to the largest singular value, which is at least that part of the Frobenius norm.
    const long double part = (sqrtl(moved) + own * size) * sqrtl((long double)n) / size, least = 1.0L / number - part;
    bounds[0] = larger_of(1.0L - 16.0L * u, (1.0L - part) / (1.0L / number + part) * (1.0L - 16.0L * u));
    bounds[1] = least > 0.0L ? (1.0L + part) / least * (1.0L + 16.0L * u) : INFINITY;
}
