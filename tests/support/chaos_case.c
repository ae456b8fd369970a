// chaos_case -- points from Philox, their values and expansions.
#include "base/philox.h"
#include "support/chaos_case.h"
#include "support/test.h"

#include <stdlib.h>

void chaos_case_make(ChaosCase *sample, const Distribution *distributions, size_t factor_count, size_t count,
                     ChaosCaseFunction *function, uint64_t seed)
{
    *sample = (ChaosCase){.y = malloc(count * sizeof(double))};
    assert_non_null(sample->y);
    for (size_t factor = 0; factor < factor_count; ++factor) {
        sample->distributions[factor] = distributions[factor];
        sample->factors[factor] = &sample->distributions[factor];
        sample->columns[factor] = sample->x[factor] = malloc(count * sizeof(double));
        assert_non_null(sample->x[factor]);
        for (size_t i = 0; i < count; ++i)
            sample->x[factor][i] =
                distribution_quantile(&distributions[factor], philox_unit(philox_bits(seed, i, factor)));
    }
    for (size_t i = 0; i < count; ++i) {
        double x[CHAOS_CASE_FACTORS];
        for (size_t factor = 0; factor < factor_count; ++factor)
            x[factor] = sample->x[factor][i];
        sample->y[i] = function(x);
    }
    sample->data = (ChaosData){factor_count, count, sample->factors, sample->columns, sample->y};
}

void chaos_case_free(ChaosCase *sample)
{
    for (size_t factor = 0; factor < CHAOS_CASE_FACTORS; ++factor)
        free(sample->x[factor]);
    free(sample->y);
}

Chaos chaos_case_expand(const ChaosData *data, ChaosOptions options)
{
    Chaos chaos = {0};
    Error err;
    if (!chaos_make(data, &options, &chaos, &err))
        fail_msg("%s", err.message);
    return chaos;
}

ChaosEffects chaos_case_effects(const Chaos *chaos, Arena *arena)
{
    ChaosEffects effects;
    Error        err;
    assert_true(chaos_make_effects(chaos, arena, &effects, &err));
    return effects;
}

void chaos_case_uniform(Distribution *distributions, size_t count, double a, double b)
{
    for (size_t i = 0; i < count; ++i)
        distributions[i] = (Distribution){.kind = DISTRIBUTION_UNIFORM, .numbers = {a, b}};
}

double chaos_case_normal(uint64_t seed, uint64_t i)
{
    return distribution_normal_quantile(philox_unit(philox_bits(seed, i, 1000)));
}
