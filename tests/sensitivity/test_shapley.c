// test_shapley -- effects in closed form of linear functions of dependent factors, standard errors, what is refused.
#include "analysis/sensitivity/chaos.h"
#include "analysis/sensitivity/shapley.h"
#include "base/philox.h"
#include "support/test.h"

// A sum of the factors times these.
typedef struct Linear {
    size_t count;
    double slopes[SHAPLEY_FACTORS];
    bool   logarithm;  // of the logarithms of the factors
} Linear;

static double find_linear(const void *user, const double *x)
{
    const Linear *linear = user;
    double        sum = 0.0;
    for (size_t i = 0; i < linear->count; ++i)
        sum += linear->slopes[i] * (linear->logarithm ? log(x[i]) : x[i]);
    return sum;
}

typedef struct Found {
    double effects[SHAPLEY_FACTORS], errors[SHAPLEY_FACTORS], variance;
} Found;

static Found find(const Shapley *shapley)
{
    Found found;
    assert_fine(shapley_find(shapley, found.effects, found.errors, &found.variance, &err));
    return found;
}

// Within four standard errors, which are small.
static void check(const Found *found, const double *expected, size_t count, double most_error)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) {
        assert_true(found->errors[i] < most_error);
        assert_near(found->effects[i], expected[i], 4.0 * found->errors[i] + 1e-12);
        sum += found->effects[i];
    }
    assert_near(sum, 1.0, 1e-12);
}

// Owen and Prieur 2017, section 4: of two factors each has its own part, half of what they share, and rho^2 / 2 of the
// difference.
TEST(two_normal_factors)
{
    const Distribution distributions[] = {{.kind = DISTRIBUTION_NORMAL, .numbers = {1, 2}},
                                          {.kind = DISTRIBUTION_NORMAL, .numbers = {-3, 0.5}}};
    const Linear       linear = {2, {1, 3}, false};
    const double       rhos[] = {-0.9, -0.3, 0.0, 0.5, 0.95}, a = 1 * 2, b = 3 * 0.5;
    for (size_t r = 0; r < 5; ++r) {
        const double  rho = rhos[r], correlation[] = {1, rho, rho, 1}, v = a * a + b * b + 2 * rho * a * b;
        const double  first = a * a * (1 - 0.5 * rho * rho) + rho * a * b + 0.5 * rho * rho * b * b;
        const Shapley shapley = {2, distributions, correlation, find_linear, &linear, 20000, r};
        const Found   found = find(&shapley);
        check(&found, (const double[]){first / v, 1.0 - first / v}, 2, 0.02);
        assert_near(found.variance, v, 0.05 * v);
    }
}

// Iooss and Prieur 2019, section 3.2: one factor is independent, the two others are correlated.
TEST(three_factors)
{
    const Distribution distributions[] = {{.kind = DISTRIBUTION_LOGNORMAL, .numbers = {1, 1}},
                                          {.kind = DISTRIBUTION_LOGNORMAL, .numbers = {0, 1.5}},
                                          {.kind = DISTRIBUTION_LOGNORMAL, .numbers = {-3, 0.5}}};
    const Linear       linear = {3, {1.5, 1, 2}, true};
    const double       rho = 0.8, correlation[] = {1, 0, 0, 0, 1, rho, 0, rho, 1}, a = 1.5, b = 1.5, c = 1;
    const double       v = a * a + b * b + c * c + 2 * rho * b * c, swap = 0.5 * rho * rho * (c * c - b * b);
    const double       expected[] = {a * a / v, (b * b + rho * b * c + swap) / v, (c * c + rho * b * c - swap) / v};
    const Shapley      shapley = {3, distributions, correlation, find_linear, &linear, 20000, 3};
    const Found        found = find(&shapley);
    check(&found, expected, 3, 0.01);
}

// The determinant of the part of a matrix that two sets of places name, by expansion.
static double find_determinant(double matrix[4][4], size_t count)
{
    double sum = 0.0;
    if (count == 0)
        return 1.0;
    for (size_t column = 0; column < count; ++column) {
        double minor[4][4];
        for (size_t i = 1; i < count; ++i)
            for (size_t j = 0, at = 0; j < count; ++j)
                if (j != column)
                    minor[i - 1][at++] = matrix[i][j];
        sum += (column % 2 ? -1.0 : 1.0) * matrix[0][column] * find_determinant(minor, count - 1);
    }
    return sum;
}

// What a set of four normal factors costs a linear function: the variance of the sum given the others, which is the
// ratio of the determinants of (others, sum) and (others).
static double find_cost(const double *correlation, const double *slopes, size_t set)
{
    double matrix[4][4] = {{0.0}}, whole[4][4] = {{0.0}};
    size_t others[4], count = 0;
    for (size_t i = 0; i < 3; ++i)
        if (!(set >> i & 1))
            others[count++] = i;
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j)
            whole[count][count] += slopes[i] * slopes[j] * correlation[3 * i + j];
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < count; ++j)
            matrix[i][j] = whole[i][j] = correlation[3 * others[i] + others[j]];
        for (size_t j = 0; j < 3; ++j)
            whole[i][count] += slopes[j] * correlation[3 * others[i] + j];
        whole[count][i] = whole[i][count];
    }
    return find_determinant(whole, count + 1) / find_determinant(matrix, count);
}

// All three are correlated: the effects are sums over the orders in which factors are taken.
TEST(three_factors_that_are_all_correlated)
{
    const Distribution normal = {.kind = DISTRIBUTION_NORMAL, .numbers = {0, 1}},
                       distributions[] = {normal, normal, normal};
    const Linear  linear = {3, {1, -2, 1.5}, false};
    const double  correlation[] = {1, 0.8, 0.6, 0.8, 1, 0.7, 0.6, 0.7, 1};
    const size_t  orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double        expected[3] = {0.0};
    const double  whole = find_cost(correlation, linear.slopes, 7);
    const Shapley shapley = {3, distributions, correlation, find_linear, &linear, 40000, 5};
    for (size_t o = 0; o < 6; ++o)
        for (size_t k = 0, set = 0; k < 3; set |= (size_t)1 << orders[o][k], ++k)
            expected[orders[o][k]] += (find_cost(correlation, linear.slopes, set | (size_t)1 << orders[o][k]) -
                                       (set ? find_cost(correlation, linear.slopes, set) : 0.0)) /
                                      (6.0 * whole);
    const Found found = find(&shapley);
    check(&found, expected, 3, 0.01);
}

// The standard error is the size of the error: over many seeds their ratio has a mean square near 1.
TEST(errors_are_as_large_as_they_say)
{
    enum { ROUNDS = 200 };
    const Distribution normal = {.kind = DISTRIBUTION_NORMAL, .numbers = {0, 1}}, distributions[] = {normal, normal};
    const Linear       linear = {2, {1, 2}, false};
    const double       correlation[] = {1, 0.5, 0.5, 1}, expected = (1 - 0.125 + 0.5 * 2 + 0.125 * 4) / 7.0;
    double             squares = 0.0;
    for (uint64_t seed = 0; seed < ROUNDS; ++seed) {
        const Shapley shapley = {2, distributions, correlation, find_linear, &linear, 400, seed};
        const Found   found = find(&shapley);
        squares += pow((found.effects[0] - expected) / found.errors[0], 2.0) / ROUNDS;
    }
    // 200 squares of normal numbers have a mean of 1 with a standard deviation of 0.1.
    assert_near(squares, 1.0, 0.35);
}

// Independent factors of other distributions: their variances.
TEST(twelve_independent_factors)
{
    static const double values[] = {0, 1};
    static Distribution distributions[SHAPLEY_FACTORS];
    Linear              linear = {SHAPLEY_FACTORS, {0}, false};
    double              expected[SHAPLEY_FACTORS], sum = 0.0;
    for (size_t i = 0; i < SHAPLEY_FACTORS; ++i) {
        const double variances[] = {1.0 / 12.0, 0.25, 35.0 / 12.0};
        distributions[i] = i % 3 == 0 ? (Distribution){.kind = DISTRIBUTION_UNIFORM, .numbers = {0, 1}}
                           : i % 3 == 1
                               ? (Distribution){.kind = DISTRIBUTION_CHOICE, .values = values, .value_count = 2}
                               : (Distribution){.kind = DISTRIBUTION_INTEGER, .numbers = {1, 6}};
        linear.slopes[i] = (double)(i + 1) / sqrt(variances[i % 3]);
        sum += expected[i] = (double)((i + 1) * (i + 1));
    }
    for (size_t i = 0; i < SHAPLEY_FACTORS; ++i)
        expected[i] /= sum;
    const Shapley shapley = {SHAPLEY_FACTORS, distributions, NULL, find_linear, &linear, 100, 1};
    const Found   found = find(&shapley);
    check(&found, expected, SHAPLEY_FACTORS, 0.05);
}

// An expansion that is fitted on correlated points is the same function.
TEST(the_surrogate_of_correlated_points)
{
    enum { COUNT = 400 };
    static double             columns[2][COUNT], y[COUNT];
    const double             *x[] = {columns[0], columns[1]}, rho = 0.7, correlation[] = {1, rho, rho, 1};
    const Distribution        distributions[] = {{.kind = DISTRIBUTION_NORMAL, .numbers = {0, 1}},
                                                 {.kind = DISTRIBUTION_NORMAL, .numbers = {1, 2}}};
    const Distribution *const factors[] = {&distributions[0], &distributions[1]};
    for (size_t i = 0; i < COUNT; ++i) {
        const double z = distribution_normal_quantile(philox_unit(philox_bits(1, i, 0))),
                     w = distribution_normal_quantile(philox_unit(philox_bits(1, i, 1)));
        columns[0][i] = z;
        columns[1][i] = 1.0 + 2.0 * (rho * z + sqrt(1.0 - rho * rho) * w);
        y[i] = 3.0 * columns[0][i] + columns[1][i];
    }
    Chaos chaos SCOPED(chaos_free) = {0};
    assert_true(chaos_make(&(ChaosData){2, COUNT, factors, x, y}, &(ChaosOptions){0}, &chaos, &err));
    assert_true(chaos.q2 >= 1.0 - 1e-12);
    const double  a = 3, b = 2, v = a * a + b * b + 2 * rho * a * b;
    const double  first = (a * a * (1 - 0.5 * rho * rho) + rho * a * b + 0.5 * rho * rho * b * b) / v;
    const Shapley shapley = {2, distributions, correlation, chaos_value, &chaos, 0, 1};
    const Found   found = find(&shapley);
    check(&found, (const double[]){first, 1.0 - first}, 2, 0.01);
}

// Keeps sums over the values that are drawn.
typedef struct Seen {
    const Distribution *distribution;
    double             *sums;  // of x, x^2, z, z^2 and 1, z the normal of x
} Seen;

static double see(const void *user, const double *x)
{
    const Seen *seen = user;
    assert_true(x[0] >= seen->distribution->numbers[2] && x[0] <= seen->distribution->numbers[3]);
    seen->sums[0] += x[0];
    seen->sums[1] += x[0] * x[0];
    seen->sums[2] += distribution_normal_quantile(distribution_probability(seen->distribution, x[0]));
    seen->sums[3] += pow(distribution_normal_quantile(distribution_probability(seen->distribution, x[0])), 2.0);
    seen->sums[4] += 1.0;
    return x[0];
}

// Values of Beta come from a table; put back through their probability they are normal.
TEST(values_of_beta_have_its_distribution)
{
    const double shapes[][2] = {{2, 5}, {0.5, 0.5}, {30, 3}, {1, 1}};
    for (size_t s = 0; s < 4; ++s) {
        const double       a = shapes[s][0], b = shapes[s][1], mean = a / (a + b);
        const double       square = mean * (a + 1.0) / (a + b + 1.0);
        const Distribution beta = {.kind = DISTRIBUTION_BETA, .numbers = {a, b, 0, 1}};
        double             sums[5] = {0.0};
        const Seen         seen = {&beta, sums};
        const Shapley      shapley = {1, &beta, NULL, see, &seen, 5000, 1};
        const Found        found = find(&shapley);
        // Of 10^4 values: four standard deviations of each mean.
        assert_near(sums[0] / sums[4], mean, 0.04 * sqrt(square - mean * mean));
        assert_near(sums[1] / sums[4], square, 0.04);
        assert_near(sums[2] / sums[4], 0.0, 0.04);
        assert_near(sums[3] / sums[4], 1.0, 0.06);
        assert_near(found.variance / (square - mean * mean), 1.0, 0.1);
    }
}

static double compare(const void *user, const double *x)
{
    const Distribution *beta = user;
    const double        z = distribution_normal_quantile(distribution_probability(beta, x[1]));
    if (fabs(x[0]) < 3.0)
        assert_near(z, x[0], 1e-4);
    return x[0];
}

// A factor whose normal is all but that of another one shows where each value lies: 1.5e-5 is the deviation between
// the normals, and 4e-3 the step of the table.
TEST(values_of_beta_lie_at_their_normals)
{
    const double       rho = sqrt(1.0 - 2e-10), correlation[] = {1, rho, rho, 1};
    const Distribution distributions[] = {{.kind = DISTRIBUTION_NORMAL, .numbers = {0, 1}},
                                          {.kind = DISTRIBUTION_BETA, .numbers = {2, 5, 0, 1}}};
    const Shapley      shapley = {2, distributions, correlation, compare, &distributions[1], 1000, 1};
    assert_near(find(&shapley).variance, 1.0, 0.2);
}

static double find_product(UNUSED const void *user, const double *x)
{
    return x[0] * x[0] * x[1] + 0.5 * x[2];
}

// Of independent factors the effects are those of the expansion's coefficients.
TEST(independent_effects_are_those_of_the_expansion)
{
    enum { COUNT = 200 };
    static double      columns[3][COUNT], y[COUNT];
    const double      *x[] = {columns[0], columns[1], columns[2]};
    const Distribution uniform = {.kind = DISTRIBUTION_UNIFORM, .numbers = {0, 2}},
                       distributions[] = {uniform, uniform, uniform};
    const Distribution *const factors[] = {&uniform, &uniform, &uniform};
    Chaos                     chaos SCOPED(chaos_free) = {0};
    ChaosEffects              effects;
    for (size_t i = 0; i < COUNT; ++i) {
        double point[3];
        for (size_t k = 0; k < 3; ++k)
            point[k] = columns[k][i] = 2.0 * philox_unit(philox_bits(1, i, k));
        y[i] = find_product(NULL, point);
    }
    assert_true(chaos_make(&(ChaosData){3, COUNT, factors, x, y}, &(ChaosOptions){0}, &chaos, &err));
    assert_true(chaos_make_effects(&chaos, &arena, &effects, &err));
    const Shapley shapley = {3, distributions, NULL, find_product, NULL, 40000, 1};
    const Found   found = find(&shapley);
    check(&found, effects.shapley, 3, 0.01);
}

TEST(one_factor_and_none_that_matters)
{
    const Distribution normal = {.kind = DISTRIBUTION_NORMAL, .numbers = {0, 1}}, distributions[] = {normal, normal};
    const Linear       one = {1, {2}, false}, none = {2, {0, 0}, false};
    const Shapley      alone = {1, distributions, NULL, find_linear, &one, 1000, 1},
                  constant = {2, distributions, NULL, find_linear, &none, 1000, 1};
    Found found = find(&alone);
    assert_near(found.effects[0], 1.0, 1e-15);
    assert_near(found.errors[0], 0.0, 1e-15);
    assert_near(found.variance, 4.0, 0.5);
    found = find(&constant);
    assert_true(found.variance == 0.0 && isnan(found.effects[0]) && isnan(found.errors[1]));
}

static double find_nan(UNUSED const void *user, const double *x)
{
    return x[0] > 0.0 ? (double)NAN : 1.0;
}

TEST(what_has_no_effects_is_refused)
{
    static Distribution distributions[SHAPLEY_FACTORS + 1];
    const double        singular[] = {1, 1, 1, 1}, impossible[] = {1, 0.9, 0.9, 0.9, 1, -0.9, 0.9, -0.9, 1};
    const Linear        linear = {2, {1, 1}, false};
    const struct {
        Shapley     shapley;
        const char *message;
    } bad[] = {
        {{0, distributions, NULL, find_linear, &linear, 0, 1}, "0 factors"},
        {{13, distributions, NULL, find_linear, &linear, 0, 1}, "13 factors: Shapley effects are found of 1 to 12"},
        {{2, distributions, NULL, find_linear, &linear, 1, 1}, "one sample has no standard error"},
        {{2, distributions, singular, find_linear, &linear, 9, 1}, "not positive definite"},
        {{3, distributions, impossible, find_linear, &linear, 9, 1}, "not positive definite"},
        {{2, distributions, NULL, find_nan, &linear, 99, 1}, "the output is not finite near point "}};
    for (size_t i = 0; i <= SHAPLEY_FACTORS; ++i)
        distributions[i] = (Distribution){.kind = DISTRIBUTION_NORMAL, .numbers = {0, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        Found found;
        assert_refused(shapley_find(&bad[i].shapley, found.effects, found.errors, &found.variance, &err), ERROR_INPUT,
                       bad[i].message);
    }
}
