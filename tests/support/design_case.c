// design_case -- uniform factors and the arena.
#include "support/design_case.h"

#include <math.h>

Distribution design_units[SAMPLING_FACTORS + 1];
Arena        design_arena;

int design_begin(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLING_FACTORS + 1; ++i)
        design_units[i] = (Distribution){.kind = DISTRIBUTION_UNIFORM, .numbers = {0.0, 1.0}};
    return 0;
}

int design_end(void **state)
{
    (void)state;
    arena_free(&design_arena);
    return 0;
}

double design_correlation(const double *a, const double *b, size_t count)
{
    double sums[5] = {0};
    for (size_t i = 0; i < count; ++i) {
        sums[0] += a[i], sums[1] += b[i];
        sums[2] += a[i] * a[i], sums[3] += b[i] * b[i], sums[4] += a[i] * b[i];
    }
    const double n = (double)count;
    return (sums[4] - sums[0] * sums[1] / n) /
           sqrt((sums[2] - sums[0] * sums[0] / n) * (sums[3] - sums[1] * sums[1] / n));
}

double design_chi_square(const int *cells, size_t count, double expected)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i)
        sum += (cells[i] - expected) * (cells[i] - expected) / expected;
    return sum;
}
