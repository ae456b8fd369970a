// test_lhs -- Latin hypercubes: one point in each stratum, permutations that differ, and what exchanges make of them.
#include "support/design_case.h"
#include "support/test.h"

#include "design/draw.h"

enum { FACTORS = 6 };

// Values of all factors are shares of the probability.
static Sampling hypercube(uint64_t samples, uint64_t seed, uint64_t optimise)
{
    Sampling sampling = {.kind = SAMPLING_LHS,
                         .samples = samples,
                         .seed = seed,
                         .optimise = optimise,
                         .factors = design_units,
                         .factor_count = FACTORS};
    design_case_make(&sampling);
    assert_true(sampling.point_count == samples && sampling.roles == 1);
    return sampling;
}

static size_t stratum(const Sampling *sampling, size_t factor, uint64_t point)
{
    const double value = sampling_value(sampling, factor, point);
    assert_true(value > 0.0 && value < 1.0);
    return (size_t)(value * (double)sampling->samples);
}

static void check_latin(const Sampling *sampling)
{
    for (size_t f = 0; f < FACTORS; ++f) {
        unsigned char *seen = test_take(sampling->samples, 1);
        for (uint64_t i = 0; i < sampling->samples; ++i)
            ++seen[stratum(sampling, f, i)];
        for (uint64_t i = 0; i < sampling->samples; ++i)
            assert_int_equal(seen[i], 1);
    }
}

static const uint64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 100, 128, 1000, 4096, 4097};

TEST(each_stratum_has_one_point)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (uint64_t seed = 0; seed < 5; ++seed) {
            const Sampling sampling = hypercube(sizes[i], seed * UINT64_C(0x9e3779b97f4a7c15), 0);
            check_latin(&sampling);
        }
}

// Rank correlations of random permutations have the deviation 1/sqrt(n - 1): of factors, of seeds, of a factor with the
// point's number, of neighbours, and of places inside the strata.
TEST(permutations_are_uncorrelated)
{
    enum { COUNT = 1000, COLUMNS = 3 * FACTORS + 1 };
    static double  columns[COLUMNS + FACTORS][COUNT];
    const Sampling here = hypercube(COUNT, 1, 0), other = hypercube(COUNT, 2, 0);
    for (size_t i = 0; i < COUNT; ++i) {
        columns[0][i] = (double)i;
        for (size_t f = 0; f < FACTORS; ++f) {
            const double value = sampling_value(&here, f, i) * COUNT;
            columns[1 + f][i] = floor(value);
            columns[1 + FACTORS + f][i] = value - floor(value);
            columns[1 + 2 * FACTORS + f][i] = (double)stratum(&other, f, i);
            columns[COLUMNS + f][(i + COUNT - 1) % COUNT] = floor(value);
        }
    }
    for (size_t a = 0; a < COLUMNS + FACTORS; ++a)
        for (size_t b = 0; b < a; ++b)
            if (!(fabs(design_correlation(columns[a], columns[b], COUNT)) < 4.5 / sqrt(COUNT - 1.0)))
                fail_msg("columns %zu and %zu: %g", a, b, design_correlation(columns[a], columns[b], COUNT));
}

// Over seeds and factors: strata of two points of a small and of a middling hypercube.
TEST(permutations_are_even_over_seeds)
{
    enum { SEEDS = 2000 };
    const size_t counts[] = {3, 5, 7, 8, 11};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        const size_t n = counts[k];
        int          pairs[121] = {0}, cells[110], found = 0;
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            const Sampling sampling = hypercube(n, seed, 0);
            for (size_t f = 0; f < FACTORS; ++f)
                ++pairs[stratum(&sampling, f, 1) * n + stratum(&sampling, f, n - 1)];
        }
        for (size_t i = 0; i < n * n; ++i)
            if (i / n != i % n)
                cells[found++] = pairs[i];
            else
                assert_int_equal(pairs[i], 0);
        const double freedom = found - 1.0;
        if (!(design_chi_square(cells, (size_t)found, FACTORS * SEEDS / (double)found) <
              freedom + 5.0 * sqrt(2.0 * freedom)))
            fail_msg("%zu points: chi-square %g", n,
                     design_chi_square(cells, (size_t)found, FACTORS * SEEDS / (double)found));
    }
}

static int compare_words(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Far too many points for a table: strata are whole numbers in range, no two the same, half of them low.
TEST(large_hypercubes_are_permutations)
{
    enum { COUNT = 20000 };
    static uint64_t strata[COUNT];
    const uint64_t  samples[] = {UINT64_C(1) << 32, (UINT64_C(1) << 31) + 1, UINT64_C(3000000019)};
    for (size_t k = 0; k < sizeof samples / sizeof *samples; ++k) {
        const Sampling sampling = hypercube(samples[k], 11, 0);
        int            low = 0;
        for (uint64_t i = 0; i < COUNT; ++i) {
            strata[i] = lhs_stratum(&sampling, 4, samples[k] - 1 - i);
            assert_true(strata[i] < samples[k]);
            low += strata[i] < samples[k] / 2;
        }
        qsort(strata, COUNT, sizeof *strata, compare_words);
        for (size_t i = 1; i < COUNT; ++i)
            assert_true(strata[i] != strata[i - 1]);
        assert_true(abs(low - COUNT / 2) < 4 * 71);
    }
}

// Found by inverting the permutation: the last stratum, and so near its upper end that the sum rounds to 2^32.
TEST(the_last_stratum_ends_below_one)
{
    const Sampling sampling = hypercube(UINT64_C(1) << 32, UINT64_C(4912814), 0);
    assert_true(lhs_stratum(&sampling, 0, UINT64_C(3154072277)) == UINT32_MAX);
    assert_true(sampling_value(&sampling, 0, UINT64_C(3154072277)) == 1.0 - 0x1p-53);
}

// The squared centred discrepancy of the middles of the strata (Hickernell 1998, eq. 5.1a), term by term.
static double discrepancy(const Sampling *sampling)
{
    const size_t n = (size_t)sampling->samples;
    double       single = 0.0, twice = 0.0;
    for (size_t i = 0; i < n; ++i) {
        double product = 1.0;
        for (size_t f = 0; f < FACTORS; ++f) {
            const double away = fabs(((double)stratum(sampling, f, i) + 0.5) / (double)n - 0.5);
            product *= 1.0 + away / 2.0 - away * away / 2.0;
        }
        single += product;
        for (size_t j = 0; j < n; ++j) {
            product = 1.0;
            for (size_t f = 0; f < FACTORS; ++f) {
                const double x = ((double)stratum(sampling, f, i) + 0.5) / (double)n,
                             y = ((double)stratum(sampling, f, j) + 0.5) / (double)n;
                product *= 1.0 + fabs(x - 0.5) / 2.0 + fabs(y - 0.5) / 2.0 - fabs(x - y) / 2.0;
            }
            twice += product;
        }
    }
    return pow(13.0 / 12.0, FACTORS) - 2.0 / (double)n * single + twice / (double)(n * n);
}

// No exchange that is kept raises the discrepancy, and none that lowers it is lost: an exchange that was given back is
// tried here by hand.
TEST(each_exchange_lowers_the_discrepancy)
{
    Sampling last = hypercube(12, 3, 0);
    double   before = discrepancy(&last), lowered = 0.0;
    for (uint64_t optimise = 1; optimise <= 400; ++optimise) {
        const Sampling next = hypercube(12, 3, optimise);
        const double   now = discrepancy(&next);
        assert_true(now <= before + 1e-14);
        lowered += now < before - 1e-14;
        before = now;
    }
    assert_true(lowered >= 20.0);
}

// After as many trials as there are exchanges many times over, no single exchange lowers the discrepancy further.
TEST(exchanges_end_where_none_helps)
{
    enum { COUNT = 8 };
    Sampling     sampling = hypercube(COUNT, 5, 20000);
    const double least = discrepancy(&sampling);
    uint32_t    *table = test_take(FACTORS * COUNT, sizeof *table);
    for (size_t i = 0; i < FACTORS * COUNT; ++i)
        table[i] = sampling.table[i];
    sampling.table = table;
    for (size_t f = 0; f < FACTORS; ++f)
        for (size_t i = 0; i < COUNT; ++i)
            for (size_t j = 0; j < i; ++j) {
                const uint32_t here = table[f * COUNT + i];
                table[f * COUNT + i] = table[f * COUNT + j];
                table[f * COUNT + j] = here;
                assert_true(discrepancy(&sampling) >= least - 1e-14);
                table[f * COUNT + j] = table[f * COUNT + i];
                table[f * COUNT + i] = here;
            }
}

// Better than the best of 200 that are not optimised, Latin, and the same for the same seed.
TEST(optimised_hypercubes_are_more_even)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= 100; ++i) {
        const Sampling sampling = hypercube(sizes[i], 9, 500);
        check_latin(&sampling);
    }
    const Sampling optimised = hypercube(30, 9, 2000), again = hypercube(30, 9, 2000), other = hypercube(30, 10, 2000);
    double         best = INFINITY;
    size_t         same = 0;
    for (uint64_t seed = 0; seed < 200; ++seed) {
        const Sampling sampling = hypercube(30, seed, 0);
        best = fmin(best, discrepancy(&sampling));
    }
    assert_true(discrepancy(&optimised) < best);
    for (uint64_t i = 0; i < 30; ++i)
        for (size_t f = 0; f < FACTORS; ++f) {
            assert_true(sampling_value(&optimised, f, i) == sampling_value(&again, f, i));
            same += stratum(&optimised, f, i) == stratum(&other, f, i);
        }
    assert_true(same < 30);
}
