// test_slope_measures -- how often the intervals of derivative-based measures hold the truth: Ishigami's function over
// many seeds.
#include "analysis/sensitivity/dgsm.h"
#include "base/philox.h"
#include "support/test.h"

enum { D = 3, MOST = 65536 };

static const double pi = 3.14159265358979323846;

static double y[MOST], slopes[D][MOST];

// A number of [-pi, pi).
static double draw(uint64_t seed, uint64_t factor, uint64_t row)
{
    return pi * (2.0 * philox_unit(philox_bits(seed, factor, row)) - 1.0);
}

static void draw_rows(uint64_t seed, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        const double a = draw(seed, 0, k), b = draw(seed, 1, k), c = draw(seed, 2, k);
        y[k] = sin(a) + 7.0 * pow(sin(b), 2.0) + 0.1 * pow(c, 4.0) * sin(a);
        slopes[0][k] = cos(a) * (1.0 + 0.1 * pow(c, 4.0));
        slopes[1][k] = 14.0 * sin(b) * cos(b);
        slopes[2][k] = 0.4 * pow(c, 3.0) * sin(a);
    }
}

// nu and the bound of each factor, of independent rows. Four deviations of a binomial count are left to chance.
static void cover(size_t count, size_t seeds, double least, double most)
{
    const double p4 = pow(pi, 4.0), parts = 0.5 * pow(1.0 + 0.02 * p4, 2.0) + 49.0 / 8.0 + 0.01 * p4 * p4 * 8.0 / 225.0;
    const double nu[D] = {0.5 * (1.0 + 0.04 * p4 + 0.01 * p4 * p4 / 9.0), 24.5, 0.08 * pow(pi, 6.0) / 7.0};
    size_t       held[2 * D] = {0};
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        draw_rows(seed, count);
        for (size_t i = 0; i < D; ++i) {
            Dgsm found;
            dgsm_find(y, slopes[i], count, 4.0, &found);
            assert_int_equal(found.outcome, OUTCOME_FOUND);
            held[i] += fabs(found.nu - nu[i]) <= found.nu_conf;
            held[D + i] += fabs(found.bound - 4.0 * nu[i] / parts) <= found.bound_conf;
        }
    }
    const double n = (double)seeds;
    for (size_t i = 0; i < 2 * D; ++i) {
        const double share = (double)held[i] / n;
        print_message("%zu rows: %s of factor %zu: %.3f\n", count, i < D ? "nu" : "bound", i % D, share);
        assert_true(share >= least - 4.0 * sqrt(least * (1.0 - least) / n));
        assert_true(share <= most + 4.0 * sqrt(most * (1.0 - most) / n));
    }
}

// Squares of few derivatives are skewed: a mean of 64 of them is not normal yet, its logarithm nearly is.
TEST(intervals_cover)
{
    cover(64, 1000, 0.92, 0.98);
    cover(256, 1000, 0.92, 0.98);
    cover(1024, 500, 0.92, 0.98);
    cover(4096, 300, 0.92, 0.98);
    cover(MOST, 60, 0.92, 0.98);
}

// The 97.5 % quantile of Student's t of 63 degrees of freedom is that of tables.
TEST(intervals_are_those_of_logarithms)
{
    enum { N = 64 };
    const double student = 1.998340522;
    long double  mean = 0.0, variance = 0.0, nu = 0.0, spread = 0.0, bound_spread = 0.0;
    Dgsm         found;
    draw_rows(3, N);
    for (size_t k = 0; k < N; ++k) {
        mean += y[k] / N;
        nu += slopes[0][k] * slopes[0][k] / N;
    }
    for (size_t k = 0; k < N; ++k)
        variance += (y[k] - mean) * (y[k] - mean) / (N - 1);
    dgsm_find(y, slopes[0], N, 4.0, &found);
    const long double ratio = found.bound / 4.0, whole = nu / ratio;
    assert_true(fabsl(whole / variance - 1.0) < 1.5 / N);
    for (size_t k = 0; k < N; ++k) {
        const long double square = slopes[0][k] * slopes[0][k], apart = y[k] - mean;
        spread += (square - nu) * (square - nu) / (N - 1);
        bound_spread += powl((square - ratio * apart * apart) / whole, 2) / (N - 1);
    }
    const double half = student * sqrt((double)spread / N), bound_half = student * sqrt((double)bound_spread / N);
    assert_near(found.nu_conf, (double)nu * (exp(half / (double)nu) - 1.0), 1e-7 * half);
    assert_near(found.bound_conf, found.bound * (exp(4.0 * bound_half / found.bound) - 1.0), 1e-3 * found.bound_conf);
}
