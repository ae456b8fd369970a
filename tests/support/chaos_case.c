// chaos_case -- points from Philox, their values and expansions.
#include "base/philox.h"
#include "support/chaos_case.h"
#include "support/test.h"

ChaosCase *chaos_case_make(const Distribution *distributions, size_t factor_count, size_t count,
                           ChaosCaseFunction *function, uint64_t seed)
{
    ChaosCase *sample = test_take(1, sizeof *sample);
    sample->y = test_take(count, sizeof(double));
    for (size_t factor = 0; factor < factor_count; ++factor) {
        sample->distributions[factor] = distributions[factor];
        sample->factors[factor] = &sample->distributions[factor];
        sample->columns[factor] = sample->x[factor] = test_take(count, sizeof(double));
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
    return sample;
}

ChaosCase *chaos_case_uniform(size_t factor_count, double a, double b, size_t count, ChaosCaseFunction *function,
                              uint64_t seed)
{
    Distribution distributions[CHAOS_CASE_FACTORS];
    for (size_t i = 0; i < factor_count; ++i)
        distributions[i] = (Distribution){.kind = DISTRIBUTION_UNIFORM, .numbers = {a, b}};
    return chaos_case_make(distributions, factor_count, count, function, seed);
}

Chaos chaos_case_expand(const ChaosData *data, ChaosOptions options)
{
    Chaos chaos = {0};
    assert_fine(chaos_make(data, &options, &chaos, &err));
    return chaos;
}

ChaosEffects chaos_case_effects(const Chaos *chaos)
{
    ChaosEffects effects;
    assert_true(chaos_make_effects(chaos, &arena, &effects, &err));
    return effects;
}

double chaos_case_normal(uint64_t seed, uint64_t i)
{
    return distribution_normal_quantile(philox_unit(philox_bits(seed, i, 1000)));
}
