// test_variance -- variance-based indices against plain sums, closed forms, and their own intervals.
#include "analysis/sensitivity/variance.h"
#include "base/philox.h"

#include "support/known_indices.h"
#include "support/test.h"

enum { MOST_FACTORS = KNOWN_INDICES_FACTORS, MOST_ROLES = 2 + 2 * MOST_FACTORS };

typedef double Model(const double *u, size_t d);

static double sum_of(const double *u, size_t d)
{
    double sum = 0.0;
    for (size_t i = 0; i < d; ++i)
        sum += (double)(i + 1) * u[i];
    return sum;
}

// Models that are one formula of u.
#define MODEL(name, formula)                             \
    static double name(const double *u, UNUSED size_t d) \
    {                                                    \
        return formula;                                  \
    }

MODEL(product_of, (u[0] - 0.5) * (u[1] - 0.5))
MODEL(nearly_first, u[0] + 0.05 * u[1])
// The variance of T_N^X is here some 0.82 of Saltelli's: smaller, but not materially.
MODEL(interacting, u[0] + u[1] + 3.5 * (u[0] - 0.5) * (u[1] - 0.5))

// The outputs of Saltelli's design with independent random points.
typedef struct Data {
    size_t  d, roles, n;
    bool    second_order;
    double *y;  // [n][roles]
} Data;

static void row(const double *a, const double *b, size_t d, bool second_order, Model *model, double *y)
{
    double mixed[MOST_FACTORS];
    y[0] = model(a, d);
    y[1] = model(b, d);
    for (size_t i = 0; i < d; ++i) {
        memcpy(mixed, a, d * sizeof *mixed);
        mixed[i] = b[i];
        y[2 + i] = model(mixed, d);
        memcpy(mixed, b, d * sizeof *mixed);
        mixed[i] = a[i];
        if (second_order)
            y[2 + d + i] = model(mixed, d);
    }
}

static Data sample(Model *model, size_t d, bool second_order, size_t n, uint64_t seed)
{
    Data data = {d, variance_role_count(d, second_order), n, second_order, NULL};
    data.y = test_take(n, data.roles * sizeof *data.y);
    for (size_t k = 0; k < n; ++k) {
        double points[2][MOST_FACTORS];
        for (size_t i = 0; i < 2 * d; ++i)
            points[i / d][i % d] = philox_unit(philox_bits(seed, i, k));
        row(points[0], points[1], d, second_order, model, data.y + k * data.roles);
    }
    return data;
}

static Variance add_all(const Data *data, size_t bundles)
{
    Variance variance;
    assert_true(variance_make(data->d, data->second_order, data->n, 1, bundles, &arena, &variance, &err));
    for (size_t k = 0; k < data->n; ++k)
        variance_add(&variance, k, data->y + k * data->roles);
    return variance;
}

static VarianceIndices find(const Variance *variance, VarianceOptions options)
{
    VarianceIndices found;
    assert_true(variance_find(variance, &options, &arena, &found, &err));
    return found;
}

// The formulas as they stand in the papers, in two passes.
typedef struct Plain {
    long double first[VARIANCE_ESTIMATORS][MOST_FACTORS], total[MOST_FACTORS];
    long double second[MOST_FACTORS][MOST_FACTORS];
    long double mean, variance;
} Plain;

static long double at(const Data *data, size_t k, size_t role, long double mean)
{
    return data->y[k * data->roles + role] - mean;
}

static long double covariance_of_roles(const Data *data, size_t first, size_t second, long double mean)
{
    long double sum = 0.0L;
    for (size_t k = 0; k < data->n; ++k)
        sum += at(data, k, first, mean) * at(data, k, second, mean);
    return sum / data->n;
}

static long double janon(const Data *data, size_t role)
{
    const long double n = data->n;
    long double       mean = 0.0L, products = 0.0L, squares = 0.0L;
    for (size_t k = 0; k < data->n; ++k)
        mean += (at(data, k, 1, 0) + at(data, k, role, 0)) / 2 / n;
    for (size_t k = 0; k < data->n; ++k) {
        const long double b = at(data, k, 1, mean), p = at(data, k, role, mean);
        products += b * p / n;
        squares += (b * b + p * p) / 2 / n;
    }
    return products / squares;
}

static Plain compute(const Data *data)
{
    Plain             plain = {0};
    long double       half = 0.0L;
    const long double n = data->n;
    for (size_t i = 0; i < data->n * data->roles; ++i)
        plain.mean += data->y[i] / (n * data->roles);
    for (size_t k = 0; k < data->n; ++k)
        half += (at(data, k, 0, plain.mean) + at(data, k, 1, plain.mean)) / (2 * n);
    for (size_t k = 0; k < data->n; ++k)
        for (size_t role = 0; role < 2; ++role)
            plain.variance += powl(at(data, k, role, plain.mean) - half, 2) / (2 * n);
    for (size_t i = 0; i < data->d; ++i) {
        for (size_t k = 0; k < data->n; ++k) {
            const long double a = at(data, k, 0, plain.mean), b = at(data, k, 1, plain.mean),
                              p = at(data, k, 2 + i, plain.mean);
            plain.first[VARIANCE_SALTELLI][i] += b * (p - a) / n / plain.variance;
            plain.first[VARIANCE_JANSEN][i] += (b - p) * (b - p) / n / (2 * plain.variance);
            plain.total[i] += (a - p) * (a - p) / n / (2 * plain.variance);
        }
        plain.first[VARIANCE_JANSEN][i] = 1 - plain.first[VARIANCE_JANSEN][i];
        plain.first[VARIANCE_JANON][i] = janon(data, 2 + i);
    }
    for (size_t i = 0; data->second_order && i < data->d; ++i)
        for (size_t j = i + 1; j < data->d; ++j)
            plain.second[i][j] = (covariance_of_roles(data, 2 + data->d + i, 2 + j, plain.mean) -
                                  covariance_of_roles(data, 0, 1, plain.mean)) /
                                     plain.variance -
                                 plain.first[VARIANCE_SALTELLI][i] - plain.first[VARIANCE_SALTELLI][j];
    return plain;
}

static void agree(const Data *data, size_t bundles)
{
    const Plain plain = compute(data);
    for (size_t e = 0; e < VARIANCE_ESTIMATORS; ++e) {
        const Variance        variance = add_all(data, bundles);
        const VarianceIndices found = find(&variance, (VarianceOptions){.estimator = (VarianceEstimator)e});
        assert_int_equal(found.outcome, OUTCOME_FOUND);
        assert_int_equal(found.estimator, e);
        assert_int_equal(found.used, data->n);
        assert_near(found.mean, (double)plain.mean, 1e-12 * fabs((double)plain.mean));
        assert_near(found.variance, (double)plain.variance, 1e-12 * (double)plain.variance);
        for (size_t i = 0; i < data->d; ++i) {
            assert_near(found.first[i].value, (double)plain.first[e][i], 1e-12);
            assert_near(found.total[i].value, (double)plain.total[i], 1e-12);
            assert_true(isnan(found.first[i].conf) && isnan(found.total[i].conf));
            for (size_t j = i + 1; found.second && j < data->d; ++j)
                assert_near(found.second[variance_pair(data->d, i, j)].value, (double)plain.second[i][j], 1e-12);
        }
        assert_true((found.second != NULL) == data->second_order);
    }
}

TEST(estimates_are_those_of_plain_sums)
{
    const struct {
        Model *model;
        size_t d, n, bundles;
        bool   second_order;
    } cases[] = {{known_indices_ishigami, 3, 257, 64, true},
                 {known_indices_ishigami, 3, 2000, 1024, false},
                 {known_indices_ishigami, 3, 2, 0, true},
                 {known_indices_g, 8, 100, 0, true},
                 {known_indices_g, 8, 5000, 7, false},
                 {sum_of, 5, 333, 1, true},
                 {sum_of, 1, 64, 0, true},
                 {nearly_first, 2, 1000, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Data data = sample(cases[i].model, cases[i].d, cases[i].second_order, cases[i].n, i);
        agree(&data, cases[i].bundles);
    }
}

// Each index is within twice its half width, some four deviations. The half width is at most `widest`.
static void reach(Model *model, const KnownIndices *truth, size_t d, double widest)
{
    Data           data = sample(model, d, true, 1 << 14, 42);
    const Variance variance = add_all(&data, 0);
    for (size_t e = 0; e < VARIANCE_ESTIMATORS; ++e) {
        const VarianceIndices found =
            find(&variance, (VarianceOptions){.estimator = (VarianceEstimator)e, .replicates = 300, .seed = 1});
        for (size_t i = 0; i < d; ++i) {
            assert_near(found.first[i].value, truth->first[i], 2.0 * found.first[i].conf + 1e-14);
            assert_near(found.total[i].value, truth->total[i], 2.0 * found.total[i].conf + 1e-14);
            assert_in_range((uint64_t)(1e6 * fmax(found.first[i].conf, found.total[i].conf)), 0,
                            (uint64_t)(1e6 * widest));
            for (size_t j = i + 1; j < d; ++j) {
                const VarianceIndex second = found.second[variance_pair(d, i, j)];
                assert_near(second.value, truth->second[i][j], 2.0 * second.conf + 1e-14);
                assert_true(second.conf <= 2.0 * widest);
            }
        }
    }
}

TEST(indices_reach_closed_forms)
{
    const KnownIndices ishigami_truth = known_indices_of_ishigami(), g_truth = known_indices_of_g(8);
    const KnownIndices linear = {.first = {1 / 14.0, 4 / 14.0, 9 / 14.0}, .total = {1 / 14.0, 4 / 14.0, 9 / 14.0}};
    KnownIndices       product = {.total = {1.0, 1.0}};
    product.second[0][1] = 1.0;
    assert_near(ishigami_truth.first[0], 0.3139, 1e-4);
    assert_near(g_truth.first[0], 0.7162, 1e-4);
    reach(known_indices_ishigami, &ishigami_truth, 3, 0.03);
    reach(known_indices_g, &g_truth, 8, 0.04);
    reach(sum_of, &linear, 3, 0.02);
    reach(product_of, &product, 2, 0.04);
}

// Sixteen times the base samples: a fourth of the error, and of the half width.
TEST(errors_fall_with_the_root_of_the_sample)
{
    enum { SEEDS = 60 };
    const KnownIndices truth = known_indices_of_ishigami();
    double             errors[2] = {0}, widths[2] = {0};
    for (size_t size = 0; size < 2; ++size)
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            Data            data = sample(known_indices_ishigami, 3, false, size ? 2048 : 128, 1000 + seed);
            const Variance  variance = add_all(&data, 128);
            VarianceOptions options = {.replicates = 50, .seed = seed};
            for (size_t e = 0; e < VARIANCE_ESTIMATORS; ++e) {
                options.estimator = (VarianceEstimator)e;
                const VarianceIndices found = find(&variance, options);
                for (size_t i = 0; i < 3; ++i) {
                    errors[size] += pow(found.first[i].value - truth.first[i], 2);
                    errors[size] += pow(found.total[i].value - truth.total[i], 2);
                    widths[size] += found.first[i].conf + found.total[i].conf;
                }
            }
        }
    assert_near(sqrt(errors[0] / errors[1]), 4.0, 1.0);
    assert_near(widths[0] / widths[1], 4.0, 0.5);
}

TEST(intervals_cover)
{
    enum { SEEDS = 200, FACTORS = 3 };
    const KnownIndices truth = known_indices_of_g(FACTORS);
    size_t             first[VARIANCE_ESTIMATORS] = {0}, total = 0, second = 0;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        Data           data = sample(known_indices_g, FACTORS, true, 1024, 5000 + seed);
        const Variance variance = add_all(&data, 256);
        for (size_t e = 0; e < VARIANCE_ESTIMATORS; ++e) {
            const VarianceIndices found = find(&variance, (VarianceOptions){(VarianceEstimator)e, 0, 150, seed});
            for (size_t i = 0; i < FACTORS; ++i) {
                first[e] += fabs(found.first[i].value - truth.first[i]) <= found.first[i].conf;
                total += fabs(found.total[i].value - truth.total[i]) <= found.total[i].conf;
                for (size_t j = i + 1; j < FACTORS; ++j) {
                    const VarianceIndex index = found.second[variance_pair(FACTORS, i, j)];
                    second += fabs(index.value - truth.second[i][j]) <= index.conf;
                }
            }
        }
    }
    const double all = SEEDS * FACTORS;
    for (size_t e = 0; e < VARIANCE_ESTIMATORS; ++e)
        assert_near((double)first[e] / all, 0.95, 0.03);
    assert_near((double)total / (3.0 * all), 0.95, 0.03);
    assert_near((double)second / (3.0 * all), 0.95, 0.03);
}

static void same_indices(const VarianceIndex *a, const VarianceIndex *b, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        assert_near(a[i].value, b[i].value, 0.0);
        assert_near(a[i].conf, b[i].conf, 0.0);
    }
}

static void same(const VarianceIndices *a, const VarianceIndices *b, size_t d)
{
    same_indices(a->first, b->first, d);
    same_indices(a->total, b->total, d);
    if (a->second)
        same_indices(a->second, b->second, d * (d - 1) / 2);
}

static const VarianceOptions USUAL = {VARIANCE_SALTELLI, 0, 100, 3};

// With more bundles than base samples each base sample is one, whatever the limit; fewer give about the same interval.
TEST(bundles_are_base_samples_at_last)
{
    Data                  data = sample(known_indices_ishigami, 3, true, 1000, 8);
    const Variance        all = add_all(&data, 1000), more = add_all(&data, 0), fewer = add_all(&data, 50);
    const VarianceOptions many = {VARIANCE_JANSEN, 0, 1000, 4};
    const VarianceIndices of_all = find(&all, many), of_more = find(&more, many), of_fewer = find(&fewer, many);
    assert_int_equal(more.bundle_count, 1000);
    assert_int_equal(fewer.bundle_count, 50);
    same(&of_all, &of_more, 3);
    for (size_t i = 0; i < 3; ++i) {
        assert_near(of_fewer.first[i].value, of_all.first[i].value, 1e-13);
        assert_near(of_fewer.first[i].conf / of_all.first[i].conf, 1.0, 0.4);
        assert_near(of_fewer.total[i].conf / of_all.total[i].conf, 1.0, 0.4);
    }
}

// The deviation of a ratio of means is known to first order (delta method).
TEST(half_width_is_that_of_the_ratio)
{
    Data                  data = sample(sum_of, 2, false, 1000, 77);
    const Plain           plain = compute(&data);
    const Variance        variance = add_all(&data, 0);
    const VarianceIndices found = find(&variance, (VarianceOptions){VARIANCE_JANSEN, 0, 4000, 5});
    for (size_t i = 0; i < 2; ++i) {
        long double squares[2] = {0};
        for (size_t k = 0; k < data.n; ++k) {
            const long double a = at(&data, k, 0, plain.mean), b = at(&data, k, 1, plain.mean),
                              p = at(&data, k, 2 + i, plain.mean), v = (a * a + b * b) / 2;
            squares[0] += powl((a - p) * (a - p) / 2 - plain.total[i] * v, 2);
            squares[1] += powl((b - p) * (b - p) / 2 - (1 - plain.first[VARIANCE_JANSEN][i]) * v, 2);
        }
        const double scale = 1.96 / ((double)plain.variance * (double)data.n);
        assert_near(found.total[i].conf / (scale * sqrt((double)squares[0])), 1.0, 0.06);
        assert_near(found.first[i].conf / (scale * sqrt((double)squares[1])), 1.0, 0.06);
    }
}

TEST(seeds_decide_the_draws)
{
    Data                  data = sample(known_indices_ishigami, 3, true, 100, 9);
    const Variance        variance = add_all(&data, 0);
    VarianceOptions       options = USUAL;
    const VarianceIndices one = find(&variance, options), again = find(&variance, options);
    options.seed = 4;
    const VarianceIndices other = find(&variance, options);
    same(&one, &again, 3);
    assert_true(one.first[0].value == other.first[0].value && one.first[0].conf != other.first[0].conf);
}

// A power of two changes no bit. A shift by 1e6 rounds the outputs to 1e-10, and the indices change by that.
TEST(shift_and_scale_do_not_matter)
{
    Data                  data = sample(known_indices_ishigami, 3, true, 500, 10);
    const Variance        plain = add_all(&data, 100);
    const VarianceIndices expected = find(&plain, USUAL);
    for (size_t i = 0; i < data.n * data.roles; ++i)
        data.y[i] *= 0x1p-40;
    const Variance        small = add_all(&data, 100);
    const VarianceIndices scaled = find(&small, USUAL);
    same(&scaled, &expected, 3);
    for (size_t i = 0; i < data.n * data.roles; ++i)
        data.y[i] = -3.0 * 0x1p40 * data.y[i] + 1e6;
    const Variance        far = add_all(&data, 100);
    const VarianceIndices shifted = find(&far, USUAL);
    for (size_t i = 0; i < 3; ++i) {
        assert_near(shifted.first[i].value, expected.first[i].value, 1e-10);
        assert_near(shifted.first[i].conf, expected.first[i].conf, 1e-10);
        assert_near(shifted.total[i].value, expected.total[i].value, 1e-10);
        assert_near(shifted.second[i].value, expected.second[i].value, 1e-10);
        assert_near(shifted.second[i].conf, expected.second[i].conf, 1e-10);
    }
    agree(&data, 100);
}

// Base samples with an output that is not finite, in any role, and those that are not added: the rest stands alone.
TEST(skipped_base_samples_are_as_if_absent)
{
    Data         data = sample(known_indices_ishigami, 3, true, 64, 11), kept = data;
    Variance     some;
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    kept.y = test_take(data.n, data.roles * sizeof *kept.y);
    kept.n = 0;
    assert_true(variance_make(3, true, data.n, 1, 0, &arena, &some, &err));
    for (size_t k = 0; k < data.n; ++k) {
        double *y = data.y + k * data.roles;
        if (k % 5 == 0) {
            y[(k / 5) % data.roles] = bad[k % 3];
        } else if (k % 7 == 0) {
            continue;
        } else {
            memcpy(kept.y + kept.n++ * data.roles, y, data.roles * sizeof *y);
        }
        variance_add(&some, k, y);
    }
    const Variance        rest = add_all(&kept, 0);
    const VarianceIndices found = find(&some, USUAL), expected = find(&rest, USUAL);
    same(&found, &expected, 3);
    assert_int_equal(found.base_count, 64);
    assert_int_equal(found.used, kept.n);
    assert_int_equal(found.skipped, 64 - kept.n);
}

TEST(prefixes_are_smaller_samples)
{
    const struct {
        size_t n, bundles, used, base_count;
    } cases[] = {{2048, 1024, 512, 1024}, {256, 256, 32, 32}, {1000, 64, 16, 250}, {100, 64, 32, 50}, {10, 4, 3, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Data            data = sample(known_indices_ishigami, 3, true, cases[i].n, 12);
        VarianceOptions options = USUAL;
        const Variance  whole = add_all(&data, cases[i].bundles);
        options.bundles = cases[i].used;
        const VarianceIndices found = find(&whole, options);
        data.n = cases[i].base_count;
        const Variance        part = add_all(&data, cases[i].used);
        const VarianceIndices expected = find(&part, USUAL);
        assert_int_equal(found.base_count, cases[i].base_count);
        assert_int_equal(found.used, cases[i].base_count);
        for (size_t k = 0; k < 3; ++k) {
            assert_near(found.first[k].value, expected.first[k].value, 1e-13);
            assert_near(found.second[k].value, expected.second[k].value, 1e-13);
            assert_near(found.total[k].conf / expected.total[k].conf, 1.0, 0.7);
        }
    }
}

// Student's interval: the jackknife over nets, from studies of which a net is left out, and the published quantile of
// three degrees of freedom.
TEST(nets_are_independent_studies)
{
    enum { N = 96, NETS = 4, D = 3 };
    static const double quantile = 3.182446305284263, once = (NETS - 1.0) / NETS;
    const Data          data = sample(known_indices_ishigami, D, true, N, 5);
    Variance            nets, whole = add_all(&data, 0);
    VarianceOptions     options = USUAL;
    VarianceIndices     left[NETS];
    options.estimator = VARIANCE_SALTELLI;
    assert_true(variance_make(D, true, N, NETS, 16, &arena, &nets, &err));
    for (size_t k = 0; k < N; ++k)
        variance_add(&nets, k, data.y + k * data.roles);
    for (size_t net = 0; net < NETS; ++net) {
        Variance others;
        assert_true(variance_make(D, true, N, 1, 0, &arena, &others, &err));
        for (size_t k = 0; k < N; ++k)
            if (k % NETS != net)
                variance_add(&others, k, data.y + k * data.roles);
        left[net] = find(&others, options);
    }
    const VarianceIndices found = find(&nets, options), expected = find(&whole, options);
    for (size_t i = 0; i < D; ++i) {
        double means[3] = {0.0}, squares[3] = {0.0};
        for (size_t net = 0; net < 2 * NETS; ++net)
            for (size_t k = 0; k < 3; ++k) {
                const VarianceIndex *of = k == 0   ? left[net % NETS].first
                                          : k == 1 ? left[net % NETS].total
                                                   : left[net % NETS].second;
                if (net < NETS)
                    means[k] += of[i].value / NETS;
                else
                    squares[k] += pow(of[i].value - means[k], 2.0);
            }
        assert_near(found.first[i].value, expected.first[i].value, 1e-12);
        assert_near(found.first[i].conf, quantile * sqrt(once * squares[0]), 1e-10);
        assert_near(found.total[i].conf,
                    found.total[i].value * (exp(quantile * sqrt(once * squares[1]) / found.total[i].value) - 1.0),
                    1e-10);
        assert_near(found.second[i].conf, quantile * sqrt(once * squares[2]), 1e-10);
    }
    // The first samples of each net, and none where one net alone has samples.
    options.bundles = 9;
    assert_int_equal(find(&nets, options).base_count, 48);
    assert_true(variance_make(D, true, N, NETS, 16, &arena, &nets, &err));
    for (size_t k = 0; k < N; k += NETS)
        variance_add(&nets, k, data.y + k * data.roles);
    assert_true(isnan(find(&nets, options).first[0].conf) && isfinite(find(&nets, options).first[0].value));
}

TEST(automatic_choice_has_the_least_variance)
{
    const struct {
        Model *model;
        size_t d;
        bool   saltelli;
    } cases[] = {{nearly_first, 2, false}, {known_indices_g, 8, true}, {sum_of, 3, true}, {interacting, 2, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Data                  data = sample(cases[i].model, cases[i].d, false, 512, 13);
        const Variance        variance = add_all(&data, 0);
        VarianceOptions       options = {VARIANCE_AUTO, 0, 300, 1};
        const VarianceIndices found = find(&variance, options);
        assert_true((found.estimator == VARIANCE_SALTELLI) == cases[i].saltelli);
        assert_non_null(strstr(found.reason, cases[i].saltelli ? "no other estimator" : "smallest variance"));
        for (size_t e = 0; e < VARIANCE_ESTIMATORS; ++e)
            assert_true(found.spreads[found.estimator] <=
                        (cases[i].saltelli ? 1.25 : 1.0) * found.spreads[e] * (1 + 1e-9));
        double sum = 0.0;
        for (size_t k = 0; k < cases[i].d; ++k)
            sum += pow(found.first[k].conf / 1.959963984540054, 2);
        assert_near(found.spreads[found.estimator] / sum, 1.0, 1e-12);
        options.estimator = found.estimator;
        const VarianceIndices asked = find(&variance, options);
        same(&found, &asked, cases[i].d);
        assert_string_equal(asked.reason, "it was asked for");
    }
}

static VarianceIndices of_rows(size_t d, bool second_order, const double *y, size_t n, VarianceEstimator estimator)
{
    Data    data = {d, variance_role_count(d, second_order), n, second_order, NULL};
    double *copy = test_take(n + 1, data.roles * sizeof *copy);
    memcpy(copy, y, n * data.roles * sizeof *copy);
    data.y = copy;
    const Variance variance = add_all(&data, 0);
    return find(&variance, (VarianceOptions){estimator, 0, 50, 1});
}

TEST(degenerate_outputs_are_told)
{
    const double same_values[] = {3, 3, 3, 3, 3, 3}, rounding[] = {1e6, 1e6 + 0x1p-33, 1e6, 1e6 + 0x1p-33, 1e6, 1e6},
                 huge[] = {1e200, -1e200, 1e200, 2e200, 1, 3}, some[] = {1, 2, 4, 0, 5, 9};
    const VarianceIndices constant = of_rows(1, false, same_values, 2, VARIANCE_AUTO);
    assert_int_equal(constant.outcome, OUTCOME_CONSTANT);
    assert_int_equal(constant.used, 2);
    assert_near(constant.mean, 3.0, 0.0);
    assert_near(constant.variance, 0.0, 0.0);
    assert_true(isnan(constant.first[0].value) && isnan(constant.total[0].conf));
    assert_int_equal(of_rows(1, false, rounding, 2, VARIANCE_AUTO).outcome, OUTCOME_CONSTANT);
    assert_int_equal(of_rows(1, false, huge, 2, VARIANCE_JANSEN).outcome, OUTCOME_TOO_LARGE);
    const double far[] = {1, 2, 3, 1, 4, 1e160};
    assert_int_equal(of_rows(1, false, far, 2, VARIANCE_JANSEN).outcome, OUTCOME_TOO_LARGE);
    const VarianceIndices none = of_rows(1, false, some, 0, VARIANCE_AUTO);
    assert_int_equal(none.outcome, OUTCOME_TOO_FEW);
    assert_int_equal(none.skipped, 0);
    assert_true(isnan(none.first[0].value));
    // One base sample has estimates, V = 1/4, and no interval. That of T_N^X has no variance where B is AB.
    const VarianceIndices one = of_rows(1, false, some, 1, VARIANCE_AUTO);
    assert_int_equal(one.outcome, OUTCOME_FOUND);
    assert_int_equal(one.estimator, VARIANCE_SALTELLI);
    assert_string_equal(one.reason, "there are no variances to compare");
    assert_near(one.first[0].value, (2 - 7.0 / 3) * 3 / 0.25, 1e-12);
    assert_near(one.total[0].value, 18.0, 1e-12);
    assert_true(isnan(one.first[0].conf) && isnan(one.total[0].conf));
    const double equal[] = {1, 2, 2};
    assert_true(isnan(of_rows(1, false, equal, 1, VARIANCE_JANON).first[0].value));
    assert_near(of_rows(1, false, equal, 1, VARIANCE_JANSEN).first[0].value, 1.0, 1e-15);
}

// A and B have one value, AB many: the variance of A and B is exactly 0, also by rounding.
TEST(constant_outputs_of_a_and_b_have_no_indices)
{
    enum { N = 20000 };
    const Data data = {1, 3, N, false, test_take(N, 3 * sizeof(double))};
    for (size_t k = 0; k < N; ++k) {
        data.y[3 * k] = data.y[3 * k + 1] = 0.1;
        data.y[3 * k + 2] = (double)k + 0.7;
    }
    const Variance variance = add_all(&data, 1);
    assert_int_equal(find(&variance, USUAL).outcome, OUTCOME_CONSTANT);
}

// A replicate that draws the second and third base sample only is constant: its V is of the size of rounding.
TEST(replicates_without_variance_are_left_out)
{
    for (int i = 1; i < 20; ++i) {
        const double          c = 0.1 * i, rows[] = {0.2, 4.9, 0.3, c, c, 0.7, c, c, 0.9};
        const VarianceIndices found = of_rows(1, false, rows, 3, VARIANCE_JANSEN);
        assert_int_equal(found.outcome, OUTCOME_FOUND);
        assert_true(found.first[0].conf < 10.0 && found.total[0].conf < 10.0);
    }
}

TEST(wrong_designs_are_refused)
{
    Variance variance;
    assert_refused(variance_make(0, true, 10, 1, 0, &arena, &variance, &err), ERROR_INPUT, "");
    assert_refused(variance_make(1, true, UINT64_MAX / 2, 1, 0, &arena, &variance, &err), ERROR_INPUT, "");
}

TEST(pairs_stand_in_order)
{
    for (size_t d = 1, at_pair = 0; d < 9; ++d, at_pair = 0)
        for (size_t i = 0; i < d; ++i)
            for (size_t j = i + 1; j < d; ++j)
                assert_int_equal(variance_pair(d, i, j), at_pair++);
}

TEST(needed_base_samples_follow_the_root)
{
    assert_int_equal(variance_find_base_count(1024, 0.02, 0.02), 1024);
    assert_int_equal(variance_find_base_count(1000, 0.02, 0.02), 1000);
    assert_int_equal(variance_find_base_count(1000, 0.02, 0.03), 1000);
    assert_int_equal(variance_find_base_count(1024, 0.04, 0.02), 4096);
    assert_int_equal(variance_find_base_count(1024, 0.0401, 0.02), 8192);
    assert_int_equal(variance_find_base_count(1000, 0.0201, 0.02), 1024);
    assert_int_equal(variance_find_base_count(1, 0x1p30, 1.0), UINT64_C(1) << 60);
    assert_int_equal(variance_find_base_count(1, 0x1p31, 1.0), 0);
    assert_int_equal(variance_find_base_count(1024, (double)NAN, 0.1), 0);
    assert_int_equal(variance_find_base_count(1024, (double)INFINITY, 0.1), 0);
    assert_int_equal(variance_find_base_count(1024, 0.1, 0.0), 0);
    assert_int_equal(variance_find_base_count(1024, 0.0, 0.1), 1024);
}
