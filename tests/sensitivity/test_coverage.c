// test_coverage -- how often the intervals of Saltelli's design hold the true index, over designs of many seeds.
#include "support/design_case.h"

#include "analysis/sensitivity/variance.h"

#include "support/known_indices.h"
#include "support/test.h"

enum {
    ROLES = 2 + 2 * KNOWN_INDICES_FACTORS,
    PAIRS = KNOWN_INDICES_FACTORS * (KNOWN_INDICES_FACTORS - 1) / 2,
    INDICES = 2 * KNOWN_INDICES_FACTORS + PAIRS,
    REPLICATES = 200
};

typedef double Model(const double *u, size_t d);

// How often each index was held: S1 [d], ST [d], S2 [pair].
typedef struct Coverage {
    size_t held[INDICES];
} Coverage;

static void count(const VarianceIndex *found, double truth, size_t *held)
{
    *held += fabs(found->value - truth) <= found->conf;
}

static VarianceIndices find(Model *model, size_t d, uint64_t samples, uint64_t seed)
{
    Sampling        sampling = {.kind = SAMPLING_SALTELLI,
                                .samples = samples,
                                .seed = seed,
                                .second_order = true,
                                .factors = design_units,
                                .factor_count = d};
    Variance        variance;
    VarianceIndices found;
    design_case_make(&sampling);
    assert_true(variance_make(d, true, samples, 0, &arena, &variance, &err));
    for (uint64_t k = 0; k < samples; ++k) {
        double u[KNOWN_INDICES_FACTORS], y[ROLES];
        for (size_t role = 0; role < sampling.roles; ++role) {
            for (size_t i = 0; i < d; ++i)
                u[i] = sampling_value(&sampling, i, k * sampling.roles + role);
            y[role] = model(u, d);
        }
        variance_add(&variance, k, y);
    }
    const VarianceOptions options = {.estimator = VARIANCE_AUTO, .replicates = REPLICATES, .seed = 1};
    assert_true(variance_find(&variance, &options, &arena, &found, &err));
    return found;
}

static Coverage cover(Model *model, const KnownIndices *known, size_t d, uint64_t samples, uint64_t seeds)
{
    Coverage coverage = {0};
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        const VarianceIndices found = find(model, d, samples, seed);
        for (size_t i = 0; i < d; ++i) {
            count(&found.first[i], known->first[i], &coverage.held[i]);
            count(&found.total[i], known->total[i], &coverage.held[d + i]);
            for (size_t j = i + 1; j < d; ++j) {
                const size_t pair = variance_pair(d, i, j);
                count(&found.second[pair], known->second[i][j], &coverage.held[2 * d + pair]);
            }
        }
    }
    return coverage;
}

// Every index is held by a share of the seeds that is no less than `share`, but for four deviations of a binomial
// count.
static void demand(Model *model, const KnownIndices *known, size_t d, uint64_t samples, uint64_t seeds, double share)
{
    const Coverage coverage = cover(model, known, d, samples, seeds);
    const double   n = (double)seeds, least = n * share - 4.0 * sqrt(n * share * (1.0 - share));
    for (size_t i = 0; i < 2 * d + d * (d - 1) / 2; ++i)
        if ((double)coverage.held[i] < least)
            fail_msg("%llu samples of %zu factors, index %zu: held with %zu of %llu seeds, not %.0f",
                     (unsigned long long)samples, d, i, coverage.held[i], (unsigned long long)seeds, least);
}

static void demand_both(uint64_t samples, uint64_t seeds, double share)
{
    const KnownIndices ishigami = known_indices_of_ishigami(), g = known_indices_of_g(KNOWN_INDICES_FACTORS);
    demand(known_indices_ishigami, &ishigami, 3, samples, seeds, share);
    demand(known_indices_g, &g, KNOWN_INDICES_FACTORS, samples, seeds, share);
}

TEST(few_samples_cover_nearly)
{
    demand_both(64, 1000, 0.92);
}

TEST(intervals_cover)
{
    demand_both(256, 500, 0.95);
    demand_both(1024, 100, 0.95);
}
