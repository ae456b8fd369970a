// test_chaos_points -- expansions at points that are few, alike or wrong, and of outputs without a law.
#include "analysis/sensitivity/chaos.h"
#include "analysis/sensitivity/least_squares.h"
#include "base/philox.h"
#include "support/chaos_case.h"
#include "support/test.h"

static double find_nothing(const double *x)
{
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    return distribution_normal_quantile(philox_unit(philox_bits(31, bits, 0)));
}

// The terms chosen fit noise, and their leave-one-out error does not see that they were chosen; the folds do.
TEST(noise_is_refused)
{
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        ChaosCase *sample = chaos_case_uniform(seed, 0, 1, 60 + 100 * seed, find_nothing, seed);
        Chaos      chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
        assert_true(chaos.q2 < 0.1);
        assert_true(chaos.q2 <= chaos.q2_leave_one);
        assert_false(chaos.q2 >= CHAOS_LEAST_Q2);
    }
}

CHAOS_CASE_FUNCTION(find_constant, 0.1 + 1e-17 * x[0])

TEST(a_constant_has_no_indices)
{
    ChaosEffects conf;
    double       value, error;
    ChaosCase   *sample = chaos_case_uniform(2, 0, 1, 50, find_constant, 1);
    sample->y[7] *= 1.0 + 0x1p-52;
    Chaos              chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
    const ChaosEffects effects = chaos_case_effects(&chaos);
    assert_true(isnan(chaos.q2));
    assert_true(chaos.variance == 0.0 && *effects.variance == 0.0);
    assert_near(*effects.mean, 0.1, 1e-16);
    assert_true(isnan(effects.first[0]) && isnan(effects.total[1]) && isnan(effects.pair[1]));
    chaos_predict(&chaos, (const double[]){0.3, 0.4}, &value, &error);
    assert_near(value, 0.1, 1e-16);
    assert_near(error, 0.0, 1e-15);
    assert_true(chaos_make_conf(&chaos, 10, 1, &arena, &conf, &err));
    assert_true(isnan(conf.first[0]));
}

// The same points twice are no more than once, but for what they differ by.
TEST(points_that_are_there_twice)
{
    enum { COUNT = 200 };
    ChaosCase *sample = chaos_case_uniform(2, 0, 1, COUNT, chaos_case_exponential, 3);
    ChaosCase *twice = chaos_case_uniform(2, 0, 1, 2 * COUNT, chaos_case_exponential, 3);
    for (size_t i = 0; i < COUNT; ++i) {
        sample->y[i] += 0.05 * chaos_case_normal(4, i);
        // One factor takes few values, one of which is 0 and -0.
        sample->x[1][i] = floor(4.0 * sample->x[1][i]) / 4.0;
        for (size_t k = 0; k < 2; ++k)
            twice->x[k][i] = twice->x[k][COUNT + i] = sample->x[k][i];
        twice->x[1][i] = sample->x[1][i] == 0.0 ? -0.0 : sample->x[1][i];
        twice->y[i] = twice->y[COUNT + i] = sample->y[i];
    }
    Chaos a SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0}),
            b SCOPED(chaos_free) = chaos_case_expand(&twice->data, (ChaosOptions){0});
    assert_int_equal(a.term_count, b.term_count);
    assert_int_equal(b.point_count, COUNT);
    for (size_t t = 0; t < a.term_count; ++t)
        assert_near(b.coefficients[t], a.coefficients[t], 1e-12);
    assert_near(b.q2_leave_one, a.q2_leave_one, 1e-12);
    assert_near(b.q2, a.q2, 1e-12);
    // The folds choose among the candidates of the degree found, and not among those of the degrees tried.
    Chaos c SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){.degree = a.degree});
    assert_near(c.q2, a.q2, 1e-12);
    for (size_t i = 0; i < COUNT; ++i) {
        twice->y[i] += 0.1;
        twice->y[COUNT + i] -= 0.1;
    }
    Chaos d SCOPED(chaos_free) = chaos_case_expand(&twice->data, (ChaosOptions){0});
    assert_near((1.0 - d.q2) * d.variance, (1.0 - a.q2) * a.variance + 0.01, 1e-12);
    assert_near((1.0 - d.q2_leave_one) * d.variance, (1.0 - a.q2_leave_one) * a.variance + 0.01, 1e-12);
}

CHAOS_CASE_FUNCTION(find_growth, exp(2.0 * x[0] + 1.5 * x[1] + 1.2 * x[2]))

// More terms would serve, but no more are taken.
TEST(terms_are_limited)
{
    ChaosCase *sample = chaos_case_uniform(3, -1, 1, 1200, find_growth, 3);
    Chaos      chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){.points = 700});
    assert_in_range(chaos.term_count, 200, CHAOS_TERMS);
}

// A column of one value takes no part.
TEST(a_factor_of_zero_width)
{
    ChaosCase *sample = chaos_case_uniform(3, 0, 1, 100, chaos_case_first_two, 3);
    sample->factors[2] = NULL;
    for (size_t i = 0; i < 100; ++i)
        sample->x[2][i] = 5.0;
    Chaos              chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
    const ChaosEffects effects = chaos_case_effects(&chaos);
    assert_near(effects.first[0], 0.2, 1e-12);
    assert_near(effects.total[1], 0.8, 1e-12);
    assert_true(effects.total[2] == 0.0);
}

// Columns that are all but the same: what little one says beside another is not asked of noise, and no coefficient is
// large.
TEST(columns_that_depend_on_each_other)
{
    ChaosCase *sample = chaos_case_uniform(3, -1, 1, 100, chaos_case_exponential, 3);
    for (size_t i = 0; i < 100; ++i) {
        sample->x[1][i] = sample->x[0][i] + 1e-6 * chaos_case_normal(5, i);
        sample->x[2][i] = 2.0 * sample->x[0][i] + 5.0;
        sample->y[i] += 0.1 * chaos_case_normal(6, i);
        sample->factors[i % 3] = NULL;
    }
    Chaos chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
    assert_true(chaos.q2 >= CHAOS_LEAST_Q2);
    for (size_t t = 0; t < chaos.term_count; ++t)
        assert_true(fabs(chaos.coefficients[t]) < 3.0);
}

// Fits all but one point anew, by another path: the terms at each point one by one.
static double find_refit_error(const ChaosCase *sample, const Chaos *chaos)
{
    const size_t count = sample->data.point_count, terms = chaos->term_count;
    double      *matrix = test_take(terms * (count - 1), sizeof *matrix), *y = test_take(count, sizeof *y);
    double      *at = test_take(terms, sizeof *at), sum = 0.0;
    for (size_t out = 0; out < count; ++out) {
        LeastSquares fit;
        double       miss = sample->y[out];
        for (size_t i = 0; i < count; ++i)
            for (size_t t = 0; t < terms; ++t) {
                double product = 1.0, values[POLYNOMIALS_MOST + 1];
                for (size_t k = 0; k < chaos->terms[t].order; ++k) {
                    const size_t       factor = chaos->terms[t].factors[k];
                    const Polynomials *p = &chaos->polynomials[factor];
                    polynomials_find(p, polynomials_place(p, sample->x[factor][i]), p->degree, values);
                    product *= values[chaos->terms[t].degrees[k]];
                }
                if (i == out)
                    at[t] = product;
                else
                    matrix[t * (count - 1) + i - (i > out)] = product;
                y[i - (i > out)] = i == out ? y[i - (i > out)] : sample->y[i];
            }
        assert_true(least_squares_find(count - 1, terms, matrix, y, &arena, &fit, &err));
        for (size_t t = 0; t < terms; ++t)
            miss -= fit.coefficients[t] * at[t];
        sum += miss * miss / (double)count;
    }
    return sum;
}

TEST(leave_one_out_is_that_of_refits)
{
    ChaosCase *sample = chaos_case_make(chaos_case_mixed, 4, 40, chaos_case_first_two, 8);
    for (size_t i = 0; i < 40; ++i)
        sample->y[i] += 0.5 * chaos_case_normal(2, i);
    Chaos chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
    assert_true(chaos.term_count > 3);
    assert_near(1.0 - find_refit_error(sample, &chaos) / chaos.variance, chaos.q2_leave_one, 1e-10);
}

// The interval of the mean is a sum over the points of the squares of what each does.
TEST(intervals_are_those_of_the_signs)
{
    ChaosEffects conf;
    double       variance = 0.0, leverages = 0.0;
    ChaosCase   *sample = chaos_case_make(chaos_case_mixed, 4, 40, chaos_case_first_two, 8);
    for (size_t i = 0; i < 40; ++i)
        sample->y[i] += 0.5 * chaos_case_normal(2, i);
    Chaos chaos SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){0});
    for (size_t i = 0; i < chaos.point_count; ++i) {
        double push = 0.0;
        for (size_t j = 0; j < chaos.term_count; ++j)
            push += chaos.inverse[j] * chaos.pushes[j * chaos.point_count + i];
        variance += push * push;
    }
    // Over the points of the fit the parts that the coefficients add to a squared error sum to their number.
    for (size_t i = 0; i < 40; ++i) {
        const double x[] = {sample->x[0][i], sample->x[1][i], sample->x[2][i], sample->x[3][i]};
        double       value, error;
        chaos_predict(&chaos, x, &value, &error);
        leverages += error * error / (chaos.error * chaos.error) - 1.0;
    }
    assert_near(leverages, (double)chaos.term_count, 1e-9);
    // A standard deviation from 4000 replicates is within 1.1 % of its value two times in three.
    assert_true(chaos_make_conf(&chaos, 4000, 3, &arena, &conf, &err));
    assert_near(*conf.mean / (1.96 * sqrt(variance)), 1.0, 0.045);
}

// The order of the points is none of the result.
TEST(the_order_does_not_matter)
{
    enum { COUNT = 300 };
    ChaosCase *sample = chaos_case_uniform(8, 0, 1, COUNT, chaos_case_exponential, 3);
    for (size_t i = 0; i < COUNT; ++i)
        sample->y[i] += 0.3 * chaos_case_normal(1, i);
    Chaos a SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){.points = 250, .seed = 4});
    for (size_t i = 0; i < COUNT / 2; ++i)
        for (size_t k = 0; k <= 8; ++k) {
            double      *column = k < 8 ? sample->x[k] : sample->y;
            const double kept = column[i];
            column[i] = column[COUNT - 1 - i];
            column[COUNT - 1 - i] = kept;
        }
    Chaos b SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){.points = 250, .seed = 4}),
            c SCOPED(chaos_free) = chaos_case_expand(&sample->data, (ChaosOptions){.points = 250, .seed = 5});
    assert_int_equal(a.term_count, b.term_count);
    for (size_t t = 0; t < a.term_count; ++t)
        assert_near(b.coefficients[t], a.coefficients[t], 1e-12);
    assert_true(fabs(c.q2 - a.q2) > 1e-6);
}

// Terms of 3 factors within a degree, counted one by one.
static size_t count_terms(const size_t *most, double norm, size_t degree)
{
    size_t count = 0;
    for (size_t i = 0; i <= most[0]; ++i)
        for (size_t j = 0; j <= most[1]; ++j)
            for (size_t k = 0; k <= most[2]; ++k) {
                const double sum = pow((double)i, norm) + pow((double)j, norm) + pow((double)k, norm);
                count += pow(sum, 1.0 / norm) <= (double)degree + 1e-6;
            }
    return count;
}

TEST(bases_have_the_terms_of_their_degree)
{
    const double norms[] = {1.0, 0.75, 0.5};
    const size_t most[] = {20, 3, 9};
    for (size_t n = 0; n < 3; ++n) {
        Basis basis;
        assert_true(pursuit_begin(300, 3, most, norms[n], &arena, &basis, &err));
        for (size_t degree = 1; degree <= 12; ++degree) {
            const size_t before = basis.count, wanted = count_terms(most, norms[n], degree);
            if (pursuit_add_terms(&basis, degree)) {
                assert_int_equal(basis.count, wanted);
                continue;
            }
            assert_true(wanted > 300);
            assert_int_equal(basis.count, before);
            break;
        }
        for (size_t i = 1; i < basis.count; ++i)
            for (size_t k = 0; k < basis.terms[i].order; ++k)
                assert_in_range(basis.terms[i].degrees[k], 1, most[basis.terms[i].factors[k]]);
    }
}

static void check_refused(const ChaosData *data, ChaosOptions options, const char *message)
{
    Chaos chaos = {0};
    assert_refused(chaos_make(data, &options, &chaos, &err), ERROR_INPUT, message);
    assert_null(chaos.arena.pages);
}

TEST(wrong_data_are_refused)
{
    ChaosCase *sample = chaos_case_make(chaos_case_mixed, 4, 30, chaos_case_first_two, 8);
    ChaosData  data = sample->data;
    data.point_count = 9;
    check_refused(&data, (ChaosOptions){0}, "9 points: an expansion needs at least 10");
    data = sample->data;
    data.factor_count = 0;
    check_refused(&data, (ChaosOptions){0}, "0 factors: an expansion has 1 to 256");
    data.factor_count = 257;
    check_refused(&data, (ChaosOptions){0}, "257 factors: an expansion has 1 to 256");
    check_refused(&sample->data, (ChaosOptions){.norm = 1.5}, "the norm is 1.5, not in 0..1");
    check_refused(&sample->data, (ChaosOptions){.norm = NAN}, "the norm is nan, not in 0..1");
    const double y = sample->y[3], x = sample->x[1][4];
    sample->y[3] = (double)NAN;
    check_refused(&sample->data, (ChaosOptions){0}, "the output is nan at point 3");
    sample->y[3] = y;
    sample->x[1][4] = -1.0;
    check_refused(&sample->data, (ChaosOptions){0}, "factor 1 is -1 at point 4, which its distribution does not give");
    sample->x[1][4] = (double)NAN;
    check_refused(&sample->data, (ChaosOptions){0}, "factor 1 is nan at point 4");
    sample->factors[1] = NULL;
    check_refused(&sample->data, (ChaosOptions){0}, "factor 1: value 4 is nan, which has no place on its axis");
    sample->x[1][4] = x;
    sample->factors[1] = &sample->distributions[1];
    sample->distributions[2].numbers[1] = -1.0;
    check_refused(&sample->data, (ChaosOptions){0}, "factor 2: the standard deviation must be greater than 0");
    const ChaosCase *alike = chaos_case_make(&chaos_case_mixed[7], 1, 30, chaos_case_exponential, 8);
    check_refused(&alike->data, (ChaosOptions){0}, "4 different points: an expansion needs at least 10");
}
