// design_case -- uniform factors, and numbers of designs.
#include "support/design_case.h"
#include "support/test.h"

Distribution design_units[SAMPLING_FACTORS + 1];

__attribute__((constructor)) static void fill_units(void)
{
    for (size_t i = 0; i < SAMPLING_FACTORS + 1; ++i)
        design_units[i] = (Distribution){.kind = DISTRIBUTION_UNIFORM, .numbers = {0.0, 1.0}};
}

void design_case_make(Sampling *sampling)
{
    const char *reason = sampling_refuses(sampling);
    if (reason)
        fail_msg("refused: %s", reason);
    assert_fine(sampling_make(sampling, &arena, &err));
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
