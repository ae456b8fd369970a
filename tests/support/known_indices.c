// known_indices -- Ishigami's function, Sobol's g function, and their indices.
#include "support/known_indices.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

double known_indices_ishigami(const double *u, size_t d)
{
    double x[3];
    (void)d;
    for (size_t i = 0; i < 3; ++i)
        x[i] = PI * (2.0 * u[i] - 1.0);
    return sin(x[0]) + 7.0 * sin(x[1]) * sin(x[1]) + 0.1 * x[2] * x[2] * x[2] * x[2] * sin(x[0]);
}

KnownIndices known_indices_of_ishigami(void)
{
    const double a = 7.0, b = 0.1, p4 = pow(PI, 4), p8 = p4 * p4;
    const double v1 = 0.5 * pow(1.0 + b * p4 / 5.0, 2), v2 = a * a / 8.0, v13 = b * b * p8 * 8.0 / 225.0;
    const double v = v1 + v2 + v13;
    KnownIndices known = {.first = {v1 / v, v2 / v, 0.0}, .total = {(v1 + v13) / v, v2 / v, v13 / v}};
    known.second[0][2] = v13 / v;
    return known;
}

static const double g_a[KNOWN_INDICES_FACTORS] = {0, 1, 4.5, 9, 99, 99, 99, 99};

double known_indices_g(const double *u, size_t d)
{
    double product = 1.0;
    for (size_t i = 0; i < d; ++i)
        product *= (fabs(4.0 * u[i] - 2.0) + g_a[i]) / (1.0 + g_a[i]);
    return product;
}

// Each factor has mean 1 and variance 1 / (3 (1 + a)^2).
KnownIndices known_indices_of_g(size_t d)
{
    double       v[KNOWN_INDICES_FACTORS], product = 1.0;
    KnownIndices known = {0};
    for (size_t i = 0; i < d; ++i) {
        v[i] = 1.0 / (3.0 * (1.0 + g_a[i]) * (1.0 + g_a[i]));
        product *= 1.0 + v[i];
    }
    for (size_t i = 0; i < d; ++i) {
        known.first[i] = v[i] / (product - 1.0);
        known.total[i] = v[i] * product / (1.0 + v[i]) / (product - 1.0);
        for (size_t j = i + 1; j < d; ++j)
            known.second[i][j] = v[i] * v[j] / (product - 1.0);
    }
    return known;
}
