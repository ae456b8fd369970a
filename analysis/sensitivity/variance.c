// variance -- the sums of the base samples, kept in bundles.
#include "analysis/sensitivity/variance.h"

#include "analysis/sensitivity/variance_sums.h"

size_t variance_role_count(size_t factor_count, bool second_order)
{
    return 2 + (second_order ? 2 : 1) * factor_count;
}

size_t variance_pair(size_t factor_count, size_t i, size_t j)
{
    return i * (2 * factor_count - i - 1) / 2 + j - i - 1;
}

bool variance_make(size_t factor_count, bool second_order, uint64_t base_count, size_t bundle_limit, Arena *arena,
                   Variance *variance, Error *err)
{
    const size_t limit = bundle_limit ? bundle_limit : VARIANCE_BUNDLES;
    if (factor_count == 0)
        return fail(err, ERROR_INPUT, "a design without factors has no sensitivity indices");
    if (base_count > UINT64_MAX / limit)
        return fail(err, ERROR_INPUT, "%llu base samples are too many", (unsigned long long)base_count);
    *variance = (Variance){.factor_count = factor_count,
                           .role_count = variance_role_count(factor_count, second_order),
                           .bundle_count = base_count < limit ? (size_t)base_count : limit,
                           .sum_count = variance_sums_of(factor_count),
                           .base_count = base_count,
                           .second_order = second_order};
    if (second_order)
        variance->sum_count += factor_count * (factor_count - 1) / 2;
    variance->sums = arena_take(arena, variance->bundle_count, variance->sum_count * sizeof *variance->sums, err);
    return variance->sums != NULL;
}

static bool are_finite(const double *y, size_t count)
{
    size_t i = 0;
    while (i < count && isfinite(y[i]))
        ++i;
    return i == count;
}

static void add_pairs(const Variance *variance, const double *y, double *sums)
{
    const size_t d = variance->factor_count;
    for (size_t i = 0; i < d; ++i) {
        const double q = y[2 + d + i] - variance->centre;
        for (size_t j = i + 1; j < d; ++j)
            *sums++ += q * (y[2 + j] - variance->centre);
    }
}

void variance_add(Variance *variance, uint64_t k, const double *y)
{
    const size_t d = variance->factor_count;
    if (!are_finite(y, variance->role_count))
        return;
    // Any number near the outputs will do: sums of squares then lose few digits. Where A and B are constant, it is
    // exact.
    if (!variance->begun)
        variance->centre = 0.5 * y[0] + 0.5 * y[1];
    variance->begun = true;
    for (size_t i = 0; i < variance->role_count; ++i)
        variance->largest = fmax(variance->largest, fabs(y[i]));
    double      *sums = variance->sums + k * variance->bundle_count / variance->base_count * variance->sum_count;
    const double a = y[0] - variance->centre, b = y[1] - variance->centre;
    sums[SUM_COUNT] += 1.0;
    sums[SUM_A] += a;
    sums[SUM_B] += b;
    sums[SUM_AA] += a * a;
    sums[SUM_BB] += b * b;
    sums[SUM_AB] += a * b;
    for (size_t i = 0; i < d; ++i) {
        double      *own = sums + variance_sums_of(i);
        const double p = y[2 + i] - variance->centre;
        own[SUM_P] += p;
        own[SUM_PP] += p * p;
        own[SUM_Q] += variance->second_order ? y[2 + d + i] - variance->centre : 0.0;
        own[SUM_TOTAL] += (a - p) * (a - p);
        own[SUM_FIRST] += (b - p) * (b - p);
        own[SUM_CROSS] += b * (p - a);
    }
    if (variance->second_order)
        add_pairs(variance, y, sums + variance_sums_of(d));
}
