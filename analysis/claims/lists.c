// lists -- functions of lists, each by its name in one table.
#include "analysis/claims/lists.h"

#include "analysis/linear/matrix.h"
#include "base/sort.h"
#include "expression/evaluate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static double is_nan(double x)
{
    return isnan(x) ? 1.0 : 0.0;
}

static double is_finite(double x)
{
    return isfinite(x) ? 1.0 : 0.0;
}

// Functions that make one number of a list.

static double find_max(const double *x, size_t count)
{
    double most = x[0];
    for (size_t i = 1; i < count; ++i)
        most = x[i] <= most || isnan(most) ? most : x[i];
    return most;
}

static double find_min(const double *x, size_t count)
{
    double least = x[0];
    for (size_t i = 1; i < count; ++i)
        least = x[i] >= least || isnan(least) ? least : x[i];
    return least;
}

static double find_fmax(const double *x, size_t count)
{
    double most = x[0];
    for (size_t i = 1; i < count; ++i)
        most = fmax(most, x[i]);
    return most;
}

static double count_true(const double *x, size_t count)
{
    size_t held = 0;
    for (size_t i = 0; i < count; ++i)
        held += x[i] != 0.0;
    return (double)held;
}

static double are_all(const double *x, size_t count)
{
    return count_true(x, count) == (double)count ? 1.0 : 0.0;
}

static double count_leading(const double *x, size_t count)
{
    size_t held = 0;
    while (held < count && x[held] != 0.0)
        ++held;
    return (double)held;
}

static double find_first(const double *x, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (x[i] != 0.0)
            return (double)i;
    return -1.0;
}

static double find_nearest(const double *x, size_t count)
{
    size_t near = 0;
    for (size_t i = 1; i < count; ++i)
        near = fabs(x[i]) < fabs(x[near]) ? i : near;
    return (double)near;
}

// The median of the elements that are not NaN.
static double find_median(const double *x, size_t count)
{
    double *sorted = malloc((count + 1) * sizeof *sorted), median = (double)NAN;
    size_t  found = 0;
    for (size_t i = 0; sorted && i < count; ++i)
        if (!isnan(x[i]))
            sorted[found++] = x[i];
    if (found > 0) {
        sort_numbers(sorted, found);
        median = 0.5 * (sorted[(found - 1) / 2] + sorted[found / 2]);
    }
    free(sorted);
    return median;
}

// The square matrix of these entries; missing entries are NaN.
static Matrix make_matrix(const double *x, size_t count)
{
    Matrix matrix = {.n = 1};
    while (matrix.n < MATRIX_MOST && matrix.n * matrix.n < count)
        ++matrix.n;
    for (size_t i = 0; i < matrix.n * matrix.n; ++i)
        matrix.a[i / matrix.n][i % matrix.n] = i < count ? x[i] : (double)NAN;
    return matrix;
}

static double find_radius(const double *x, size_t count)
{
    return matrix_radius(make_matrix(x, count));
}

static double find_determinant(const double *x, size_t count)
{
    return matrix_determinant(make_matrix(x, count));
}

// Functions that make a list of a list. The last argument of maxs, mins and from is k.

static size_t find_inverse(const double *x, size_t count, double *out)
{
    const Matrix inverse = matrix_inverse(make_matrix(x, count));
    for (size_t i = 0; i < 4 && count == 4; ++i)
        out[i] = inverse.a[i / 2][i % 2];
    return count == 4 ? 4 : 0;
}

static size_t find_rises(const double *x, size_t count, double *out)
{
    for (size_t i = 0; i + 1 < count; ++i)
        out[i] = x[i + 1] - x[i];
    return count - 1;
}

// k, or 0 where it is not one: the list is then one number shorter than the arguments.
static size_t find_part(const double *x, size_t count)
{
    const double k = x[count - 1];
    return k >= 1.0 && k <= (double)(count - 1) ? (size_t)k : 0;
}

static size_t cut_front(const double *x, size_t count, double *out)
{
    const size_t k = find_part(x, count), left = k > 0 ? count - 1 - k : 0;
    memcpy(out, x + k, left * sizeof *out);
    return left;
}

// Of zeta, x0, v0 and t: the classical Runge-Kutta method in so many steps that more change nothing.
static size_t find_pendulum(const double *arguments, size_t count, double *out)
{
    enum { FINE = 4000 };
    static const double share[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    if (count != 4)
        return 0;
    const double zeta = arguments[0], h = arguments[3] / FINE;
    double       x = arguments[1], v = arguments[2];
    for (int n = 0; n < FINE; ++n) {
        double dx = 0.0, dv = 0.0, sum_x = 0.0, sum_v = 0.0;
        for (int stage = 0; stage < 4; ++stage) {
            const double at_x = x + share[stage] * h * dx, at_v = v + share[stage] * h * dv;
            dx = at_v;
            dv = -sin(at_x) - 2.0 * zeta * at_v;
            sum_x += weight[stage] * dx;
            sum_v += weight[stage] * dv;
        }
        x += h / 6.0 * sum_x;
        v += h / 6.0 * sum_v;
    }
    out[0] = x;
    out[1] = v;
    return 2;
}

static const struct {
    const char *name;
    double (*each)(double x);
    double (*one)(const double *x, size_t count);
    size_t (*list)(const double *x, size_t count, double *out);
    bool parts;  // of every k neighbours
} functions[] = {{"log2", .each = log2},
                 {"ceil", .each = ceil},
                 {"isnan", .each = is_nan},
                 {"isfinite", .each = is_finite},
                 {"max", .one = find_max},
                 {"min", .one = find_min},
                 {"fmax", .one = find_fmax},
                 {"count", .one = count_true},
                 {"all", .one = are_all},
                 {"first", .one = find_first},
                 {"leading", .one = count_leading},
                 {"nearest", .one = find_nearest},
                 {"spectral_radius", .one = find_radius},
                 {"determinant", .one = find_determinant},
                 {"inverse", .list = find_inverse},
                 {"rises", .list = find_rises},
                 {"from", .list = cut_front},
                 {"maxs", .one = find_fmax, .parts = true},
                 {"mins", .one = find_min, .parts = true},
                 {"counts", .one = count_true, .parts = true},
                 {"medians", .one = find_median, .parts = true},
                 {"pendulum", .list = find_pendulum}};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static size_t apply_each(int function, const double *x, size_t count, double *out)
{
    if (function == FUNCTION_COUNT || expression_arguments(function) != 1)
        return 0;
    for (size_t i = 0; i < count; ++i)
        out[i] = evaluate_call(function, x[i], 0.0);
    return count;
}

size_t lists_apply(const char *name, const double *x, size_t count, double *out)
{
    size_t f = 0;
    while (f < FUNCTIONS && strcmp(functions[f].name, name) != 0)
        ++f;
    if (f == FUNCTIONS)
        return apply_each(expression_function(name, strlen(name)), x, count, out);
    if (count == 0)
        return 0;
    if (functions[f].list)
        return functions[f].list(x, count, out);
    const size_t size = functions[f].parts ? find_part(x, count) : functions[f].one ? count : 1;
    const size_t parts = size > 0 ? (count - functions[f].parts) / size : 0;
    for (size_t i = 0; i < parts; ++i)
        out[i] = functions[f].one ? functions[f].one(x + i * size, size) : functions[f].each(x[i]);
    return parts;
}
