// triangle -- rows turned into a triangular factor, and what follows from it.
#include "analysis/fit/triangle.h"

#include <math.h>
#include <string.h>

void triangle_add(double *triangle, size_t k, double *row)
{
    const size_t width = k + 1;
    for (size_t j = 0; j < width; ++j) {
        double *of = triangle + j * width;
        if (row[j] == 0.0)
            continue;
        const double length = hypot(of[j], row[j]), c = of[j] / length, s = row[j] / length;
        of[j] = length;
        for (size_t i = j + 1; i < width; ++i) {
            const double above = of[i], below = row[i];
            of[i] = c * above + s * below;
            row[i] = c * below - s * above;
        }
    }
}

double triangle_squares(const double *triangle, size_t k)
{
    double sum = 0.0;
    for (size_t i = 0; i <= k; ++i)
        sum += triangle[i * (k + 1) + k] * triangle[i * (k + 1) + k];
    return sum;
}

double triangle_squares_at(const double *triangle, size_t k, const double *s)
{
    double sum = triangle[k * (k + 1) + k] * triangle[k * (k + 1) + k];
    for (size_t i = 0; i < k; ++i) {
        const double *row = triangle + i * (k + 1);
        double        number = row[k];
        for (size_t j = i; j < k; ++j)
            number += row[j] * s[j];
        sum += number * number;
    }
    return sum;
}

double triangle_gradient(const double *triangle, size_t k, size_t j)
{
    double sum = 0.0;
    for (size_t i = 0; i <= j; ++i)
        sum += triangle[i * (k + 1) + j] * triangle[i * (k + 1) + k];
    return sum;
}

double triangle_length(const double *triangle, size_t k, size_t j)
{
    double length = 0.0;
    for (size_t i = 0; i <= j; ++i)
        length = hypot(length, triangle[i * (k + 1) + j]);
    return length;
}

// The free columns as a triangle of their own; the others, by their elements of s, are added to the right side.
static size_t take_free(const double *triangle, size_t k, const bool *free, const double *s, size_t *places,
                        double *taken)
{
    size_t count = 0;
    double row[TRIANGLE_MOST + 1];
    for (size_t j = 0; j < k; ++j)
        if (free[j])
            places[count++] = j;
    memset(taken, 0, triangle_size(count) * sizeof *taken);
    for (size_t i = 0; i < k; ++i) {
        const double *of = triangle + i * (k + 1);
        for (size_t c = 0; c < count; ++c)
            row[c] = of[places[c]];
        row[count] = of[k];
        for (size_t j = 0; j < k; ++j)
            row[count] += free[j] ? 0.0 : of[j] * s[j];
        triangle_add(taken, count, row);
    }
    return count;
}

void triangle_solve(const double *triangle, size_t k, double damping, const double *scale, const bool *free, double *s)
{
    double       taken[(TRIANGLE_MOST + 1) * (TRIANGLE_MOST + 1)], row[TRIANGLE_MOST + 1];
    size_t       places[TRIANGLE_MOST];
    const size_t count = take_free(triangle, k, free, s, places, taken), width = count + 1;
    for (size_t c = 0; c < count && damping > 0.0; ++c) {
        memset(row, 0, sizeof row);
        row[c] = sqrt(damping) * scale[places[c]];
        triangle_add(taken, count, row);
    }
    for (size_t c = count; c-- > 0;) {
        double number = -taken[c * width + count];
        for (size_t j = c + 1; j < count; ++j)
            number -= taken[c * width + j] * s[places[j]];
        s[places[c]] = taken[c * width + c] > 0.0 ? number / taken[c * width + c] : 0.0;
    }
}

// One-sided Jacobi rotations: columns of `a` become orthogonal, `v` collects the rotations. J. Demmel and K. Veselic,
// Jacobi's method is more accurate than QR, SIAM J. Matrix Anal. Appl. 13 (1992) 1204-1245.
static void make_orthogonal(double *a, double *v, size_t n)
{
    enum { SWEEPS = 60 };
    bool turned = true;
    for (int sweep = 0; sweep < SWEEPS && turned; ++sweep) {
        turned = false;
        for (size_t p = 0; p < n; ++p)
            for (size_t q = p + 1; q < n; ++q) {
                double pp = 0.0, qq = 0.0, pq = 0.0;
                for (size_t i = 0; i < n; ++i) {
                    pp += a[i * n + p] * a[i * n + p];
                    qq += a[i * n + q] * a[i * n + q];
                    pq += a[i * n + p] * a[i * n + q];
                }
                if (fabs(pq) <= 1e-15 * sqrt(pp * qq) || pq == 0.0)
                    continue;
                turned = true;
                const double zeta = (qq - pp) / (2.0 * pq), t = copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta)),
                             c = 1.0 / hypot(1.0, t), s = c * t;
                for (size_t i = 0; i < n; ++i) {
                    const double x = a[i * n + p], y = a[i * n + q], vx = v[i * n + p], vy = v[i * n + q];
                    a[i * n + p] = c * x - s * y;
                    a[i * n + q] = s * x + c * y;
                    v[i * n + p] = c * vx - s * vy;
                    v[i * n + q] = s * vx + c * vy;
                }
            }
    }
}

void triangle_spectrum(const double *triangle, size_t k, const bool *free, double *values, double *vectors)
{
    double a[TRIANGLE_MOST * TRIANGLE_MOST] = {0}, v[TRIANGLE_MOST * TRIANGLE_MOST] = {0}, sizes[TRIANGLE_MOST];
    bool   taken[TRIANGLE_MOST] = {false};
    for (size_t j = 0; j < k; ++j) {
        const double length = triangle_length(triangle, k, j);
        v[j * k + j] = 1.0;
        for (size_t i = 0; i <= j && free[j] && length > 0.0; ++i)
            a[i * k + j] = triangle[i * (k + 1) + j] / length;
    }
    make_orthogonal(a, v, k);
    for (size_t j = 0; j < k; ++j) {
        sizes[j] = free[j] ? 0.0 : -1.0;
        for (size_t i = 0; i < k && free[j]; ++i)
            sizes[j] = hypot(sizes[j], a[i * k + j]);
    }
    for (size_t row = 0; row < k; ++row) {
        size_t largest = k;
        for (size_t j = 0; j < k; ++j)
            if (!taken[j] && (largest == k || sizes[j] > sizes[largest]))
                largest = j;
        taken[largest] = true;
        values[row] = fmax(sizes[largest], 0.0);
        for (size_t i = 0; i < k; ++i)
            vectors[row * k + i] = v[i * k + largest];
    }
}

size_t triangle_invert(const double *triangle, size_t k, const bool *free, double part, double *inverse,
                       double *vectors)
{
    double lengths[TRIANGLE_MOST], values[TRIANGLE_MOST];
    size_t left_out = 0;
    triangle_spectrum(triangle, k, free, values, vectors);
    memset(inverse, 0, k * k * sizeof *inverse);
    for (size_t j = 0, i = 0; j < k; ++j) {
        lengths[j] = triangle_length(triangle, k, j);
        if (free[j])
            left_out += !(values[i++] > part * values[0]);
    }
    for (size_t i = 0; i < k && values[i] > part * values[0]; ++i)
        for (size_t a = 0; a < k; ++a)
            for (size_t b = 0; b < k; ++b)
                if (free[a] && free[b] && lengths[a] > 0.0 && lengths[b] > 0.0)
                    inverse[a * k + b] +=
                        vectors[i * k + a] * vectors[i * k + b] / (values[i] * values[i] * lengths[a] * lengths[b]);
    return left_out;
}
