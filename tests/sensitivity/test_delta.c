// test_delta -- the moment-independent index against densities in closed form, a plain kernel density and SALib's
// numbers.
#include "analysis/sensitivity/delta.h"
#include "base/philox.h"

#include "support/known_indices.h"
#include "support/test.h"

enum { MOST = 1 << 14 };

static double x[MOST], y[MOST];

static double unit(uint64_t seed, uint64_t i, uint64_t k)
{
    return philox_unit(philox_bits(seed, i, k));
}

static double normal(uint64_t seed, uint64_t i, uint64_t k)
{
    return sqrt(-2.0 * log(unit(seed, 2 * i, k))) * cos(6.283185307179586 * unit(seed, 2 * i + 1, k));
}

static Delta find(size_t n, size_t replicates, uint64_t seed)
{
    GivenOrder order;
    Delta      found;
    assert_true(given_make_order(x, n, seed, &arena, &order, &err));
    assert_true(delta_find(&order, y, replicates, seed, &found, &err));
    return found;
}

static double probability(double z)
{
    return 0.5 * erfc(-z / sqrt(2.0));
}

// Half the area between the densities of N(0, 1) and N(m, s), s < 1: between the two places where they are equal the
// second has the more of it.
static double find_apart(double m, double s)
{
    const double a = 1.0 - s * s, b = m / a, root = s / a * sqrt(m * m - 2.0 * a * log(s));
    const double low = b - root, high = b + root;
    return probability((high - m) / s) - probability((low - m) / s) - probability(high) + probability(low);
}

// Of y = r x + sqrt(1 - r^2) w, all normal: y given x is N(r x, sqrt(1 - r^2)).
static double find_linear(double r)
{
    enum { STEPS = 4000 };
    double sum = 0.0;
    for (size_t k = 0; k < STEPS; ++k) {
        const double at = -8.0 + 16.0 * ((double)k + 0.5) / STEPS;
        sum += 16.0 / STEPS * exp(-0.5 * at * at) / sqrt(6.283185307179586) * find_apart(r * at, sqrt(1.0 - r * r));
    }
    return sum;
}

TEST(linear_functions_of_normal_factors)
{
    const double correlations[] = {0.3, 0.6, 0.9};
    for (size_t c = 0; c < 3; ++c) {
        const double r = correlations[c], expected = find_linear(r);
        for (size_t k = 0; k < MOST; ++k) {
            x[k] = normal(7, 0, k);
            y[k] = r * x[k] + sqrt(1.0 - r * r) * normal(7, 1, k);
        }
        const Delta found = find(MOST, 20, 1);
        // Kernels widen densities and bring them nearer to each other: by 0.02 at r = 0.9, of 26 classes.
        assert_int_equal(found.class_count, 26);
        assert_near(found.value, expected, 2.0 * found.conf + 0.025);
        assert_true(found.conf < 0.02);
    }
}

// By quadrature: 7 sin^2 b has a law in closed form, and the other factors a fine grid, of which 1 / n is extrapolated.
TEST(ishigamis_function)
{
    const double expected[] = {0.2624, 0.4248, 0.2098};
    for (size_t factor = 0; factor < 3; ++factor) {
        for (size_t k = 0; k < MOST; ++k) {
            const double u[] = {unit(3, 0, k), unit(3, 1, k), unit(3, 2, k)};
            x[k] = u[factor];
            y[k] = known_indices_ishigami(u, 3);
        }
        // Densities of sines have poles, which kernels level: the estimate is below the truth, as in the paper.
        const double found = find(MOST, 20, 1).value;
        assert_true(found > expected[factor] - 0.09 && found < expected[factor] + 0.01);
    }
}

// The estimator as its paper has it, with a kernel density as its definition has it.
static double find_kernel(const double *values, size_t n, double at)
{
    double mean = 0.0, squares = 0.0, sum = 0.0;
    for (size_t i = 0; i < n; ++i)
        mean += values[i] / (double)n;
    for (size_t i = 0; i < n; ++i)
        squares += (values[i] - mean) * (values[i] - mean);
    const double width = sqrt(squares / ((double)n - 1.0)) * pow(3.0 * (double)n / 4.0, -0.2);
    for (size_t i = 0; i < n; ++i)
        sum += exp(-0.5 * pow((at - values[i]) / width, 2.0));
    return sum / ((double)n * width * sqrt(6.283185307179586));
}

static double find_plainly(size_t n, size_t classes)
{
    double least = y[0], most = y[0], sum = 0.0;
    for (size_t i = 0; i < n; ++i) {
        least = fmin(least, y[i]);
        most = fmax(most, y[i]);
    }
    for (size_t c = 0; c < classes; ++c) {
        const size_t start = c * n / classes, count = (c + 1) * n / classes - start;
        for (size_t k = 0; k < 100; ++k) {
            const double at = least + (most - least) * (double)k / 99.0;
            sum += (double)count / (2.0 * (double)n) * fabs(find_kernel(y, n, at) - find_kernel(y + start, count, at)) *
                   (most - least) / 99.0 * (k % 99 ? 1.0 : 0.5);
        }
    }
    return sum;
}

TEST(the_plain_estimate_is_that_of_the_definition)
{
    for (size_t n = 40; n < 1000; n = 3 * n + 1) {
        for (size_t k = 0; k < n; ++k) {
            x[k] = (double)k;
            y[k] = 1e3 + 5.0 * sin(8.0 * (double)k / (double)n) + exp(2.0 * unit(n, 1, k));
        }
        const size_t classes = (size_t)ceil(pow((double)n, 2.0 / (7.0 + tanh((1500.0 - (double)n) / 500.0))));
        const Delta  found = find(n, 0, 1);
        assert_int_equal(found.count, n);
        assert_int_equal(found.class_count, classes);
        assert_near(found.plain, find_plainly(n, classes), 1e-10);
        assert_true(found.value == found.plain && isnan(found.conf));
    }
}

// SALib 1.6.0: delta.calc_delta() of y = sin(x_k) + (k mod 7) / 5, x_k = 6 frac(0.618.. k) - 3, 500 points, 5 classes.
TEST(salibs_numbers)
{
    for (size_t k = 0; k < 500; ++k) {
        const double part = 0.6180339887498949 * (double)k;
        x[k] = 6.0 * (part - floor(part)) - 3.0;
        y[k] = sin(x[k]) + (double)(k % 7) / 5.0;
    }
    const Delta found = find(500, 0, 1);
    assert_int_equal(found.class_count, 5);
    assert_near(found.plain, 0.3900403414650733, 1e-12);
}

// A factor without influence: the bias of the plain estimate goes, within its interval.
TEST(the_bias_is_taken_off)
{
    double plain = 0.0, value = 0.0;
    for (uint64_t seed = 0; seed < 10; ++seed) {
        for (size_t k = 0; k < 500; ++k) {
            x[k] = unit(seed, 0, k);
            y[k] = unit(seed, 1, k);
        }
        const Delta found = find(500, 50, seed);
        plain += found.plain / 10.0;
        value += found.value / 10.0;
    }
    assert_true(plain > 0.04);
    assert_true(fabs(value) < 0.7 * plain);
}

TEST(outputs_of_any_size_and_form)
{
    for (size_t k = 0; k < 400; ++k) {
        x[k] = floor(5.0 * unit(1, 0, k));
        y[k] = x[k] + unit(1, 1, k);
    }
    const Delta found = find(400, 10, 1);
    // Values of x are whole: a class has all the points of some of them.
    assert_true(found.class_count <= 5);
    for (size_t k = 0; k < 400; ++k)
        y[k] *= -0x1p300;
    assert_near(find(400, 10, 1).plain, found.plain, 1e-12);
    for (size_t k = 0; k < 400; ++k)
        y[k] = x[k];
    assert_true(find(400, 0, 1).plain > 0.99);
    for (size_t k = 0; k < 400; ++k)
        y[k] = k % 3 ? 4.0 : (double)NAN;
    assert_int_equal(find(400, 10, 1).outcome, OUTCOME_CONSTANT);
    assert_true(isnan(find(400, 10, 1).value));
    for (size_t k = 0; k < 400; ++k)
        y[k] = k > 1 ? (double)NAN : (double)k;
    assert_int_equal(find(400, 10, 1).outcome, OUTCOME_TOO_FEW);
}
