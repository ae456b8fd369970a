// test_chaos -- expansions of functions with known indices, and their honest errors.
#include "analysis/sensitivity/chaos.h"
#include "base/philox.h"
#include "support/chaos_case.h"
#include "support/known_indices.h"
#include "support/test.h"

// Ishigami and Homma 1990, with a = 7, b = 0.1.
CHAOS_CASE_FUNCTION(find_ishigami, sin(x[0]) * (1.0 + 0.1 * pow(x[2], 4.0)) + 7.0 * pow(sin(x[1]), 2.0))

static void check_ishigami(const Chaos *chaos, double bound)
{
    const KnownIndices known = known_indices_of_ishigami();
    const ChaosEffects effects = chaos_case_effects(chaos);
    const double       v = 49.0 / 8.0 / known.first[1];
    assert_near(*effects.mean, 3.5, bound * sqrt(v));
    assert_near(*effects.variance, v, bound * v);
    for (size_t i = 0; i < 3; ++i) {
        assert_near(effects.first[i], known.first[i], bound);
        assert_near(effects.total[i], known.total[i], bound);
        // A pair shares its part evenly.
        assert_near(effects.shapley[i], 0.5 * (known.first[i] + known.total[i]), bound);
        for (size_t j = 0; j < 3; ++j)
            assert_near(effects.pair[3 * i + j], known.second[i][j] + known.second[j][i], bound);
    }
}

// Pseudo-random points are enough for six digits.
TEST(ishigami)
{
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        ChaosCase *sample = chaos_case_uniform(3, -M_PI, M_PI, 1024, find_ishigami, seed);
        Chaos      chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
        assert_true(chaos.q2 >= 1.0 - 1e-6);
        assert_true(chaos.q2 < 1.0);
        check_ishigami(&chaos, 1e-6);
    }
}

// Fewer points, and a hyperbolic basis: the indices are within what the held-out folds say is left.
TEST(ishigami_of_few_points)
{
    ChaosCase *sample = chaos_case_uniform(3, -M_PI, M_PI, 200, find_ishigami, 9);
    Chaos      chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){.norm = 0.75});
    assert_true(chaos.q2 > 0.99 && chaos.q2 <= 1.0);
    check_ishigami(&chaos, 0.01);
}

// On a whole grid the measure of the values is that of the points, and indices are sums over it.
TEST(a_grid_without_distributions)
{
    enum { SIDE = 9, COUNT = SIDE * SIDE * SIDE };
    static double       x[3][COUNT], y[COUNT];
    const double       *columns[] = {x[0], x[1], x[2]};
    const Distribution *factors[3] = {NULL};
    double              mean = 0.0, variance = 0.0, first[3] = {0.0};
    for (size_t i = 0; i < COUNT; ++i) {
        const size_t places[] = {i / (SIDE * SIDE), i / SIDE % SIDE, i % SIDE};
        for (size_t k = 0; k < 3; ++k)
            x[k][i] = -3.0 + 0.7 * (double)places[k];
        y[i] = find_ishigami((const double[]){x[0][i], x[1][i], x[2][i]});
        mean += y[i] / COUNT;
    }
    for (size_t i = 0; i < COUNT; ++i)
        variance += (y[i] - mean) * (y[i] - mean) / COUNT;
    for (size_t k = 0; k < 3; ++k)
        for (size_t place = 0; place < SIDE; ++place) {
            double part = -mean;
            for (size_t i = 0; i < COUNT; ++i)
                part += x[k][i] == -3.0 + 0.7 * (double)place ? y[i] * SIDE / COUNT : 0.0;
            first[k] += part * part / SIDE / variance;
        }
    Chaos chaos SCOPED(chaos_free) = chaos_case_expand(&(ChaosData){3, COUNT, factors, columns, y}, (ChaosOptions){0});
    const ChaosEffects effects = chaos_case_effects(&chaos);
    assert_true(chaos.q2 >= 0.999);
    for (size_t k = 0; k < 3; ++k)
        assert_near(effects.first[k], first[k], 1e-6);
    assert_near(*effects.variance, variance, 1e-6 * variance);
}

CHAOS_CASE_FUNCTION(find_g, known_indices_g(x, 8))

// Mean squared error over the variance at points that the expansion has not seen, and over the error it predicts.
static void check_against_fresh(const Chaos *chaos, ChaosCaseFunction *function, const Distribution *distributions,
                                size_t count, double *q2, double *ratio)
{
    enum { FRESH = 4000 };
    double mean = 0.0, squares = 0.0, errors = 0.0, predicted = 0.0;
    for (size_t i = 0; i < FRESH; ++i) {
        double x[CHAOS_CASE_FACTORS], value, error;
        for (size_t k = 0; k < count; ++k)
            x[k] = distribution_quantile(&distributions[k], philox_unit(philox_bits(777, i, k)));
        chaos_predict(chaos, x, &value, &error);
        assert_true(value == chaos_value(chaos, x));
        const double y = function(x);
        mean += y / FRESH;
        squares += y * y / FRESH;
        errors += (y - value) * (y - value) / FRESH;
        predicted += error * error / FRESH;
    }
    *q2 = 1.0 - errors / (squares - mean * mean);
    *ratio = errors / predicted;
}

// The function has kinks, and no expansion is exact: the error that is reported is the error at fresh points, and the
// indices are within it.
TEST(sobol_g)
{
    const KnownIndices known = known_indices_of_g(8);
    double             q2, ratio;
    ChaosCase         *sample = chaos_case_uniform(8, 0, 1, 1024, find_g, 1);
    Chaos              chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
    const ChaosEffects effects = chaos_case_effects(&chaos);
    check_against_fresh(&chaos, find_g, sample->distributions, 8, &q2, &ratio);
    assert_in_range((int)(1000.0 * chaos.q2), 950, 995);
    assert_near(chaos.q2, q2, 0.015);
    assert_near(log(ratio), 0.0, log(2.0));
    assert_true(chaos.q2_leave_one > chaos.q2);
    for (size_t i = 0; i < 8; ++i) {
        assert_near(effects.first[i], known.first[i], 1.0 - chaos.q2);
        assert_near(effects.total[i], known.total[i], 1.0 - chaos.q2);
    }
}

// Points that do not enter the fit show the error at fresh points.
TEST(held_out_points)
{
    double     q2, ratio;
    ChaosCase *sample = chaos_case_uniform(8, 0, 1, 2900, find_g, 5);
    Chaos      chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){.points = 400});
    check_against_fresh(&chaos, find_g, sample->distributions, 8, &q2, &ratio);
    assert_int_equal(chaos.point_count, 400);
    assert_int_equal(chaos.held_count, 2500);
    assert_true(isnan(chaos.q2_folds) && chaos.q2 == chaos.q2_held);
    assert_near(chaos.q2, q2, 0.01);
    assert_near(chaos.error, sqrt((1.0 - chaos.q2) * chaos.variance), 1e-12);
    // The points of the fit are not among them: these have a far smaller error.
    sample->data.point_count = 700;
    Chaos near SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){.points = 400});
    check_against_fresh(&near, find_g, sample->distributions, 8, &q2, &ratio);
    assert_true(near.q2 < q2 + 0.01);
    sample->data.point_count = 2900;
    // Too few of them say nothing.
    Chaos few SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){.points = 2800, .degree = 2});
    assert_int_equal(few.held_count, 100);
    assert_true(isnan(few.q2_held) && few.q2 == few.q2_folds);
}

static const struct {
    size_t factors[2], degrees[2];
    double coefficient;
} mixed_terms[] = {{{0, 1}, {1, 0}, 2},    {{1, 2}, {2, 1}, -1},   {{3, 4}, {3, 0}, 0.5},
                   {{4, 5}, {1, 1}, 0.25}, {{6, 7}, {2, 1}, 0.1},  {{7, 8}, {2, 0}, -0.7},
                   {{8, 0}, {2, 1}, 0.4},  {{5, 6}, {4, 0}, 0.05}, {{2, 3}, {2, 0}, 1}};

enum { MIXED_TERMS = sizeof mixed_terms / sizeof *mixed_terms };

static double find_mixed(const double *x)
{
    double sum = 3.0;
    for (size_t t = 0; t < MIXED_TERMS; ++t) {
        double product = mixed_terms[t].coefficient;
        for (size_t k = 0; k < 2; ++k) {
            const size_t factor = mixed_terms[t].factors[k];
            double       values[POLYNOMIALS_MOST + 1];
            Polynomials  polynomials;
            assert_true(polynomials_make(&chaos_case_mixed[factor], &polynomials, &err));
            polynomials_find(&polynomials, polynomials_place(&polynomials, x[factor]), 4, values);
            product *= values[mixed_terms[t].degrees[k]];
        }
        sum += product;
    }
    return sum;
}

static double find_coefficient(const Chaos *chaos, size_t t)
{
    const size_t *factors = mixed_terms[t].factors, *degrees = mixed_terms[t].degrees;
    for (size_t i = 1; i < chaos->term_count; ++i) {
        const BasisTerm *term = &chaos->terms[i];
        size_t           met = 0;
        for (size_t k = 0; k < term->order; ++k)
            for (size_t m = 0; m < 2; ++m)
                met += term->factors[k] == factors[m] && term->degrees[k] == degrees[m];
        if (met == term->order && met == 1 + (degrees[1] > 0))
            return chaos->coefficients[i];
    }
    return (double)NAN;
}

// A sparse polynomial in one factor of each kind: its terms and no other, to rounding, from fewer points than there are
// candidates.
TEST(a_polynomial_is_recovered)
{
    double             total[CHAOS_CASE_FACTORS] = {0.0}, variance = 0.0;
    ChaosCase         *sample = chaos_case_make(chaos_case_mixed, CHAOS_CASE_FACTORS, 60, find_mixed, 2);
    Chaos              chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
    const ChaosEffects effects = chaos_case_effects(&chaos);
    assert_int_equal(chaos.term_count, 1 + MIXED_TERMS);
    assert_true(chaos.candidate_count > 120);
    assert_near(chaos.coefficients[0], 3.0, 1e-12);
    for (size_t t = 0; t < MIXED_TERMS; ++t) {
        const double part = mixed_terms[t].coefficient * mixed_terms[t].coefficient;
        assert_near(find_coefficient(&chaos, t), mixed_terms[t].coefficient, 1e-12);
        variance += part;
        total[mixed_terms[t].factors[0]] += part;
        total[mixed_terms[t].factors[1]] += mixed_terms[t].degrees[1] > 0 ? part : 0.0;
    }
    assert_near(*effects.variance, variance, 1e-11);
    for (size_t i = 0; i < CHAOS_CASE_FACTORS; ++i)
        assert_near(effects.total[i], total[i] / variance, 1e-11);
    assert_near(chaos.q2, 1.0, 1e-12);
}

CHAOS_CASE_FUNCTION(find_products, x[0] * x[1] + x[0] * x[1] * x[2])

// A pair has 3 of 4 parts of the variance, all three factors the fourth.
TEST(products_of_two_and_three)
{
    const double       shapley[] = {11.0 / 24.0, 11.0 / 24.0, 1.0 / 12.0}, total[] = {1.0, 1.0, 0.25};
    ChaosCase         *sample = chaos_case_uniform(3, -1, 1, 60, find_products, 3);
    Chaos              chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
    const ChaosEffects effects = chaos_case_effects(&chaos);
    for (size_t i = 0; i < 3; ++i) {
        assert_near(effects.first[i], 0.0, 1e-12);
        assert_near(effects.total[i], total[i], 1e-12);
        assert_near(effects.shapley[i], shapley[i], 1e-12);
        for (size_t j = 0; j < 3; ++j)
            assert_near(effects.pair[3 * i + j], i + j == 1 ? 0.75 : 0.0, 1e-12);
    }
}

TEST(one_factor)
{
    double             value, inside, outside;
    ChaosCase         *sample = chaos_case_uniform(1, -1, 1, 40, chaos_case_exponential, 3);
    Chaos              chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
    const ChaosEffects effects = chaos_case_effects(&chaos);
    assert_near(*effects.mean, sinh(1.0), 1e-6);
    assert_near(*effects.variance, 0.5 * sinh(2.0) - sinh(1.0) * sinh(1.0), 1e-6);
    assert_near(effects.first[0], 1.0, 1e-14);
    assert_near(effects.shapley[0], 1.0, 1e-14);
    chaos_predict(&chaos, (const double[]){0.123}, &value, &inside);
    assert_near(value, exp(0.123), 1e-6);
    chaos_predict(&chaos, (const double[]){1.3}, &value, &outside);
    assert_true(inside > 0.0 && outside > 5.0 * inside);
}

// The interval of 95 % holds the index of a linear function with noise in 90 to 99 of 100 samples.
TEST(intervals_cover)
{
    enum { ROUNDS = 300, COUNT = 80 };
    int inside = 0;
    for (uint64_t round = 0; round < ROUNDS; ++round) {
        ChaosEffects conf, again, other;
        ChaosCase   *sample = chaos_case_uniform(2, 0, 1, COUNT, chaos_case_first_two, round);
        for (size_t i = 0; i < COUNT; ++i)
            sample->y[i] = 10.0 * sample->y[i] + 1.5 * chaos_case_normal(round, i);
        Chaos              chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){.degree = 1});
        const ChaosEffects effects = chaos_case_effects(&chaos);
        assert_true(chaos_make_conf(&chaos, 100, 1, &arena, &conf, &err));
        assert_true(chaos_make_conf(&chaos, 100, 1, &arena, &again, &err));
        assert_true(chaos_make_conf(&chaos, 100, 2, &arena, &other, &err));
        assert_memory_equal(conf.numbers, again.numbers, conf.count * sizeof *conf.numbers);
        assert_true(conf.first[0] > 0.0 && conf.first[0] != other.first[0]);
        inside += fabs(effects.first[0] - 0.2) <= conf.first[0];
    }
    assert_in_range(inside, 270, 297);
}
