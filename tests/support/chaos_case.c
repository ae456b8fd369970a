// chaos_case -- points from Philox, their values and expansions.
#include "base/philox.h"
#include "support/chaos_case.h"
#include "support/test.h"

static const double choices[] = {1, 2, 4, 8};
const Distribution  chaos_case_mixed[CHAOS_CASE_FACTORS] = {
     {.kind = DISTRIBUTION_UNIFORM, .numbers = {-1, 3}},
     {.kind = DISTRIBUTION_LOGUNIFORM, .numbers = {1e-3, 10}},
     {.kind = DISTRIBUTION_NORMAL, .numbers = {5, 2}},
     {.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {0, 1, -1, 2}},
     {.kind = DISTRIBUTION_LOGNORMAL, .numbers = {0, 0.5}},
     {.kind = DISTRIBUTION_TRIANGULAR, .numbers = {0, 1, 5}},
     {.kind = DISTRIBUTION_BETA, .numbers = {2, 5, 0, 1}},
     {.kind = DISTRIBUTION_CHOICE, .values = choices, .value_count = 4},
     {.kind = DISTRIBUTION_INTEGER, .numbers = {1, 6}},
};

double chaos_case_first_two(const double *x)
{
    return x[0] + 2.0 * x[1];
}

double chaos_case_exponential(const double *x)
{
    return exp(x[0]);
}

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
