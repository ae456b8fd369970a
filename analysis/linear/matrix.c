// matrix -- determinant and inverse of small matrices, and numbers derived from their eigenvalues.
#include "analysis/linear/matrix.h"

#include "reference/eigen.h"

#include <math.h>

double matrix_determinant(Matrix m)
{
    return m.a[0][0] * m.a[1][1] - m.a[0][1] * m.a[1][0];
}

Matrix matrix_inverse(Matrix m)
{
    const double det = matrix_determinant(m);
    return (Matrix){2, {{m.a[1][1] / det, -m.a[0][1] / det}, {-m.a[1][0] / det, m.a[0][0] / det}}};
}

// The eigenvalues of a matrix, as eigen_values() gives them.
static bool find_eigenvalues(const Matrix *m, double *real, double *imaginary, double *condition, double *norm)
{
    double packed[MATRIX_MOST * MATRIX_MOST] = {0};
    for (size_t i = 0; i < m->n; ++i)
        for (size_t j = 0; j < m->n; ++j)
            packed[i * m->n + j] = m->a[i][j];
    return eigen_values(m->n, packed, real, imaginary, condition, norm);
}

Mode matrix_mode(Matrix m, double omega_h)
{
    double real[MATRIX_MOST], imaginary[MATRIX_MOST], modulus = -1.0;
    Mode   mode = {(double)NAN, (double)NAN, (double)NAN};
    if (!find_eigenvalues(&m, real, imaginary, NULL, NULL))
        return mode;
    mode.radius = 0.0;
    for (size_t i = 0; i < m.n; ++i) {
        const double size = hypot(real[i], imaginary[i]);
        mode.radius = fmax(mode.radius, size);
        // Rounding makes two equal real eigenvalues a pair sqrt(u) apart.
        if (!(imaginary[i] > 1e-7 * size) || size <= modulus)
            continue;
        const double angle = atan2(imaginary[i], real[i]);
        modulus = size;
        mode.damping_ratio = -log(size) / angle;
        mode.period_error = omega_h / angle - 1.0;
    }
    return mode;
}

double matrix_radius(Matrix m)
{
    return matrix_mode(m, 0.0).radius;
}

bool matrix_is_stable(Matrix m, double slack)
{
    return matrix_is_within(m, 1e-10 * slack, slack);
}

bool matrix_is_within(Matrix m, double excess, double slack)
{
    double real[MATRIX_MOST], imaginary[MATRIX_MOST], condition[MATRIX_MOST], norm;
    if (!find_eigenvalues(&m, real, imaginary, condition, &norm))
        return false;
    // The entries of a kernel's matrix are off by a few roundoffs. k eigenvalues that coincide move by the k-th root of
    // an error, where the first order knows no bound.
    const double error = 16.0 * 0x1p-53 * norm, apart = 10.0 * pow(error, 1.0 / (double)m.n);
    for (size_t i = 0; i < m.n; ++i) {
        size_t together = 0;
        for (size_t j = 0; j < m.n; ++j)
            together += hypot(real[i] - real[j], imaginary[i] - imaginary[j]) <= apart;
        double moved = error * condition[i];
        if (together > 1)
            moved = fmin(moved, pow(error, 1.0 / (double)together));
        if (!(hypot(real[i], imaginary[i]) <= 1.0 + excess + slack * moved))
            return false;
    }
    return true;
}
