// test_shapley_given -- effects of given points: linear functions of correlated normal factors in closed form, walks
// between independent points, intervals, neighbours by a plain search.
#include "analysis/sensitivity/shapley_given.h"
#include "base/philox.h"
#include "support/test.h"

enum { MOST = 1 << 14, D = 3 };

static double              columns[SHAPLEY_FACTORS][MOST], y[4 * MOST];
static const double *const x[] = {columns[0], columns[1], columns[2]};

static double unit(uint64_t seed, uint64_t i, uint64_t k)
{
    return philox_unit(philox_bits(seed, i, k));
}

static double normal(uint64_t seed, uint64_t i, uint64_t k)
{
    return sqrt(-2.0 * log(unit(seed, 2 * i, k))) * cos(6.283185307179586 * unit(seed, 2 * i + 1, k));
}

// y = 1.5 a + 1.5 b + c, where b and c have the correlation 0.8 (Iooss and Prieur 2019, section 3.2).
static const double RHO = 0.8, A = 1.5, B = 1.5, C = 1.0;

static void draw_linear(size_t n, uint64_t seed)
{
    for (size_t k = 0; k < n; ++k) {
        columns[0][k] = normal(seed, 0, k);
        columns[1][k] = normal(seed, 1, k);
        columns[2][k] = RHO * columns[1][k] + sqrt(1.0 - RHO * RHO) * normal(seed, 2, k);
        y[k] = A * columns[0][k] + B * columns[1][k] + C * columns[2][k];
    }
}

static void find_expected(double *expected)
{
    const double v = A * A + B * B + C * C + 2.0 * RHO * B * C, swap = 0.5 * RHO * RHO * (C * C - B * B);
    expected[0] = A * A / v;
    expected[1] = (B * B + RHO * B * C + swap) / v;
    expected[2] = (C * C + RHO * B * C - swap) / v;
}

static ShapleyGiven find(size_t n, uint64_t seed)
{
    ShapleyGiven found;
    assert_true(shapley_given_find(x, y, D, n, seed, &found, &err));
    return found;
}

// The error falls with the number of points: nothing stays at the size of an inner sample.
TEST(correlated_factors_converge)
{
    double expected[D], before = INFINITY;
    find_expected(expected);
    for (size_t n = MOST / 64; n <= MOST; n *= 8) {
        double squares = 0.0, sum = 0.0;
        for (uint64_t seed = 0; seed < 8; ++seed) {
            draw_linear(n, seed);
            const ShapleyGiven found = find(n, seed);
            assert_int_equal(found.count, n);
            sum = 0.0;
            for (size_t i = 0; i < D; ++i) {
                squares += pow(found.effects[i] - expected[i], 2.0) / (8.0 * D);
                assert_near(found.effects[i], expected[i], 2.0 * found.conf[i]);
                sum += found.effects[i];
            }
            assert_near(sum, 1.0, 1e-12);
        }
        // As 1 / sqrt(n), give or take what eight seeds say of it.
        assert_true(sqrt(squares) < 0.7 * before);
        before = sqrt(squares);
    }
    assert_true(before < 0.01);
}

// The interval holds the effect in 95 of 100 samples; 4 deviations of 180 counts are 0.065.
TEST(intervals_hold)
{
    double expected[D];
    size_t held = 0;
    find_expected(expected);
    for (uint64_t seed = 0; seed < 60; ++seed) {
        draw_linear(512, 100 + seed);
        const ShapleyGiven found = find(512, seed);
        for (size_t i = 0; i < D; ++i)
            held += fabs(found.effects[i] - expected[i]) <= found.conf[i];
    }
    // Four deviations of a binomial count below 95 %.
    assert_true((double)held >= 180.0 * (0.95 - 4.0 * sqrt(0.95 * 0.05 / 180.0)) && held < 180);
}

// Each pair of a and b is there twice, with a number of its own that no other has: whoever finds the nearest point
// finds the same y. What costs nothing are then the sets {c}, {a, c} and {b, c}, and others the whole variance: c has
// the effect -1/6 - 1/6, give or take the deviation of 4096 squares, and of neighbours along c by chance.
TEST(no_neighbour_is_nearer)
{
    enum { N = 1 << 12 };
    for (size_t k = 0; k < N; ++k) {
        columns[0][k] = unit(4, 0, k / 2);
        columns[1][k] = unit(4, 1, k / 2);
        columns[2][k] = unit(4, 2, k);
        y[k] = unit(4, 3, k / 2);
    }
    double mean = 0.0, squares = 0.0;
    for (size_t k = 0; k < N; ++k)
        mean += y[k] / N;
    for (size_t k = 0; k < N; ++k)
        squares += (y[k] - mean) * (y[k] - mean);
    const ShapleyGiven found = find(N, 1);
    assert_near(found.effects[2], -1.0 / 3.0, 0.03);
    assert_near(found.variance, squares / (N - 1.0), 1e-12);
}

// Values that are there many times have a neighbour by chance among their own: of a table of dice the effects are those
// of independent factors.
TEST(factors_of_few_values)
{
    for (size_t k = 0; k < MOST; ++k) {
        for (size_t f = 0; f < D; ++f)
            columns[f][k] = floor(6.0 * unit(9, f, k));
        y[k] = columns[0][k] + 2.0 * columns[1][k];
    }
    const ShapleyGiven found = find(MOST, 1);
    assert_near(found.effects[0], 0.2, 0.02);
    assert_near(found.effects[1], 0.8, 0.02);
    assert_near(found.effects[2], 0.0, 0.02);
}

// Ishigami's function: S1 of each and half of what a and c do together. Walks between independent points.
TEST(walks_of_independent_factors)
{
    enum { N = 1 << 12 };
    static uint32_t moved[N * D];
    const double    pi = 3.141592653589793, expected[D] = {0.313905 + 0.243684 / 2, 0.442411, 0.243684 / 2};
    double          sum = 0.0;
    for (size_t t = 0; t < N; ++t) {
        uint32_t order[D] = {0, 1, 2};
        double   at[D];
        for (size_t i = D; i > 1; --i) {
            const size_t   other = (size_t)(unit(1, i, t) * (double)i);
            const uint32_t kept = order[i - 1];
            order[i - 1] = order[other];
            order[other] = kept;
        }
        for (size_t f = 0; f < D; ++f)
            at[f] = pi * (2.0 * unit(2, f, t) - 1.0);
        for (size_t s = 0; s <= D; ++s) {
            if (s > 0) {
                moved[t * D + s - 1] = order[s - 1];
                at[order[s - 1]] = pi * (2.0 * unit(3, s, t) - 1.0);
            }
            y[t * (D + 1) + s] = sin(at[0]) + 7.0 * pow(sin(at[1]), 2.0) + 0.1 * pow(at[2], 4.0) * sin(at[0]);
        }
    }
    y[5] = (double)NAN;
    ShapleyGiven found;
    assert_true(shapley_given_walk(&(EffectsDesign){.factor_count = D, .trajectory_count = N, .moved = moved}, y,
                                   &found, &err));
    assert_int_equal(found.count, N - 1);
    assert_near(found.variance, 13.844588, 1.0);
    for (size_t f = 0; f < D; ++f) {
        assert_near(found.effects[f], expected[f], 2.0 * found.conf[f]);
        assert_true(found.conf[f] < 0.04);
        sum += found.effects[f];
    }
    assert_near(sum, 1.0, 1e-12);
}

TEST(too_many_factors_are_refused)
{
    ShapleyGiven found;
    assert_refused(shapley_given_find(x, y, SHAPLEY_FACTORS + 1, 10, 1, &found, &err), ERROR_INPUT,
                   "13 factors: Shapley effects are found of 1 to 12");
    assert_refused(shapley_given_walk(&(EffectsDesign){.factor_count = 13}, y, &found, &err), ERROR_INPUT,
                   "13 factors: Shapley effects are found of 1 to 12");
}
