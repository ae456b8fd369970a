// test_distribution -- quantiles against integrals of the densities, probabilities, ends, tails, refusals.
#include "design/distribution.h"

#include "support/test.h"

#include <float.h>

typedef long double (*Density)(long double y, const double *numbers);

enum { NODES = 16, PANELS = 64 };

static long double nodes[NODES], weights[NODES];

// Nodes and weights of Gauss's rule on -1..1: the zeros of the Legendre polynomial, by Newton's method.
static int make_rule(UNUSED void **state)
{
    for (int k = 0; k < NODES; ++k) {
        long double x = cosl(acosl(-1.0L) * (k + 0.75L) / (NODES + 0.5L)), slope = 0.0L;
        for (int step = 0; step < 10; ++step) {
            long double before = 1.0L, value = x;
            for (int n = 2; n <= NODES; ++n) {
                const long double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
                before = value;
                value = next;
            }
            slope = NODES * (before - x * value) / (1.0L - x * x);
            x -= value / slope;
        }
        nodes[k] = x;
        weights[k] = 2.0L / ((1.0L - x * x) * slope * slope);
    }
    return 0;
}

AROUND_ALL(make_rule, NULL)

// The integral of a density, by Gauss's rule in equal panels.
static long double integral(Density density, const double *numbers, long double from, long double to)
{
    const long double half = (to - from) / (2 * PANELS);
    long double       sum = 0.0L;
    for (int i = 0; i < PANELS; ++i)
        for (int k = 0; k < NODES; ++k)
            sum += weights[k] * density(from + half * (2 * i + 1 + nodes[k]), numbers);
    return sum * half;
}

static long double normal_density(long double z, UNUSED const double *numbers)
{
    return expl(-0.5L * z * z) / sqrtl(2.0L * acosl(-1.0L));
}

// The standard normal probability below z <= 0, to the digits of long double: 12 below z the density is 1e-31 of
// itself.
static long double normal_tail(long double z)
{
    return integral(normal_density, NULL, z - 12.0L, z);
}

// Shares of the lower half: the smallest that a design has, powers of two, and others.
static const double shares[] = {0x1p-53, 1e-15, 0x1p-40, 1e-8, 1e-5, 0x1p-10, 0.01, 0.1, 0.25, 0.4, 0.499, 0.5};

enum { SHARES = sizeof shares / sizeof *shares };

// A quantile that is wrong by 2 units of its last digit has a share that is wrong by 2 DBL_EPSILON z times the hazard,
// which is less than |z| + 1.
TEST(normal_quantiles_invert_the_integral)
{
    for (size_t i = 0; i < SHARES; ++i) {
        const double u = shares[i], z = distribution_normal_quantile(u), bound = fabs(z) * (fabs(z) + 1.0) + 1.0;
        assert_true(z <= 0.0);
        assert_true(fabsl(normal_tail(z) / u - 1.0L) < 2.0L * DBL_EPSILON * bound);
        assert_true(fabs(distribution_normal(z) / u - 1.0) < 4.0 * DBL_EPSILON * bound);
        assert_true(distribution_normal_quantile(1.0 - u) == -distribution_normal_quantile(1.0 - (1.0 - u)));
    }
    for (double z = -37.0; z <= 0.0; z += 0.37) {
        assert_true(fabsl(normal_tail(z) / distribution_normal(z) - 1.0L) < 4.0L * DBL_EPSILON * (1.0L + z * z));
        assert_true(fabs(distribution_normal_quantile(distribution_normal(z)) - z) < 4.0 * DBL_EPSILON * (1.0 - z));
        assert_true(fabs(distribution_normal(-z) + distribution_normal(z) - 1.0) <= DBL_EPSILON);
    }
    assert_true(distribution_normal_quantile(0.5) == 0.0);
    assert_true(distribution_normal_quantile(0.0) == -INFINITY && distribution_normal_quantile(1.0) == INFINITY);
}

TEST(kinds_of_the_normal_one_shift_and_scale)
{
    const Distribution normal = {.kind = DISTRIBUTION_NORMAL, .numbers = {3.0, 0.5}},
                       lognormal = {.kind = DISTRIBUTION_LOGNORMAL, .numbers = {-1.0, 2.0}};
    for (size_t i = 0; i < SHARES; ++i) {
        const double u = shares[i], z = distribution_normal_quantile(u), x = distribution_quantile(&normal, u),
                     y = distribution_quantile(&lognormal, u);
        assert_true(fabsl((x - 3.0L) / 0.5L - z) < 4e-15L);
        assert_true(fabsl((logl(y) + 1.0L) / 2.0L - z) < 4e-15L);
        // Of the sum 3 + z/2 the last digits of z are gone.
        assert_true(fabs(distribution_probability(&normal, x) / u - 1.0) < 2e-15 * (2.0 + z * z));
        assert_true(fabs(distribution_probability(&lognormal, y) / u - 1.0) < 2e-15 * (2.0 + z * z));
        assert_true(fabs(distribution_probability(&normal, 6.0 - x) - (1.0 - u)) < 4.0 * DBL_EPSILON);
    }
    double least, most;
    distribution_support(&normal, &least, &most);
    assert_true(least == -INFINITY && most == INFINITY);
    distribution_support(&lognormal, &least, &most);
    assert_true(least == 0.0 && most == INFINITY);
    assert_true(distribution_probability(&lognormal, 0.0) == 0.0 && distribution_probability(&lognormal, -1.0) == 0.0);
}

// A factor far out in its upper tail, where the probability below it has lost the digits.
TEST(values_at_normal_numbers)
{
    static const double z[] = {-6.0, -2.5, -0.1, 0.0, 0.7, 3.0};
    const Distribution  normal = {.kind = DISTRIBUTION_NORMAL, .numbers = {3.0, 0.5}},
                       lognormal = {.kind = DISTRIBUTION_LOGNORMAL, .numbers = {-1.0, 2.0}},
                       triangular = {.kind = DISTRIBUTION_TRIANGULAR, .numbers = {1.0, 2.0, 4.0}},
                       truncated = {.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {0.0, 1.0, -1.0, 20.0}};
    const Distribution *all[] = {&normal, &lognormal, &triangular, &truncated};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
        for (size_t i = 0; i < sizeof z / sizeof *z; ++i) {
            const double due = distribution_quantile(all[k], distribution_normal(z[i]));
            assert_near(distribution_at_normal(all[k], z[i]), due, 1e-12 * (1.0 + fabs(due)));
        }
    assert_true(distribution_at_normal(&normal, 9.0) == 7.5);
    assert_true(distribution_at_normal(&lognormal, 9.0) == exp(17.0));
    // Of the probability above it, 1.1e-19, the part between the ends is 0.84: a little less far out.
    assert_near(distribution_normal(-distribution_at_normal(&truncated, 9.0)) /
                    (distribution_normal(-9.0) * (1.0 - distribution_normal(-1.0))),
                1.0, 1e-12);
}

// The share by long double integrals of the density, between ends in units of the deviation.
TEST(truncated_quantiles_invert_the_integral)
{
    const double ends[][2] = {{-1, 1},    {-0.1, 0.2}, {0, 3},       {-3, 0},      {2, 3},     {-3, -2},     {5, 5.5},
                              {-5.5, -5}, {8, 11},     {-11, -8},    {30, 31},     {-31, -30}, {-9, 9},      {-20, 1},
                              {-1, 20},   {4, 4.001},  {-4.001, -4}, {-36, -35.5}, {35, 35.5}, {-1e-4, 1e-4}};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; ++k)
        for (size_t i = 0; i < 2 * SHARES; ++i) {
            const double       u = i < SHARES ? shares[i] : 1.0 - shares[i - SHARES];
            const Distribution unit = {.kind = DISTRIBUTION_TRUNCATED_NORMAL,
                                       .numbers = {0.0, 1.0, ends[k][0], ends[k][1]}};
            const double       z = distribution_quantile(&unit, u), low = ends[k][0], high = ends[k][1];
            assert_null(distribution_refuses(&unit));
            const long double below = integral(normal_density, NULL, fmax(low, -13.0 + fmin(high, 0.0)), z),
                              above = integral(normal_density, NULL, z, fmin(high, 13.0 + fmax(low, 0.0)));
            // One digit of z, and of the share of all that lies below 0, which the ends are taken from.
            const long double slack = DBL_EPSILON * (fabsl(z) + 1.0L / 16.0L) * normal_density(z, NULL) +
                                      DBL_EPSILON * normal_tail(low > 0.0 ? -z : fminl(z, 0.0L)) +
                                      0x1p-54L * (below + above);
            if (!(fabsl(below - u * (below + above)) < 4.0L * slack))
                fail_msg("ends %g..%g, u = %.17g: share %.17Lg", low, high, u, below / (below + above));
            assert_true(fabsl(distribution_probability(&unit, z) - below / (below + above)) <
                        4.0L * slack / (below + above) + 2.0L * DBL_EPSILON);
        }
}

TEST(truncated_normals_shift_and_scale)
{
    const Distribution unit = {.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {0.0, 1.0, -1.0, 2.5}},
                       other = {.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {10.0, 4.0, 6.0, 20.0}};
    for (double u = 0.0; u <= 1.0; u += 1.0 / 64.0) {
        const double z = distribution_quantile(&unit, u), x = distribution_quantile(&other, u);
        assert_true(fabs(x - (10.0 + 4.0 * z)) < 4e-15);
        assert_true(fabs(distribution_probability(&other, x) - u) < 1e-15);
    }
    assert_true(distribution_probability(&other, 5.9) == 0.0 && distribution_probability(&other, 20.1) == 1.0);
}

// The density of Beta's logarithm, which is smooth at 0, as a share of what it is at the mean.
static long double log_beta_density(long double y, const double *n)
{
    const long double mean = n[0] / ((long double)n[0] + n[1]);
    return expl(n[0] * (y - logl(mean)) + (n[1] - 1.0L) * (log1pl(-expl(y)) - log1pl(-mean)));
}

// Its integral below log x, from where nothing is left: 16 deviations and 60 times the length in which a tail decays.
static long double beta_integral(double a, double b, long double x)
{
    const double      n[2] = {a, b};
    const long double mean = a / ((long double)a + b), deviation = sqrtl(b / (a * ((long double)a + b + 1.0L)));
    const long double to = logl(x), from = fminl(to, logl(mean)) - 16.0L * deviation - 60.0L / a,
                      middle = fmaxl(from, to - 8.0L);
    return integral(log_beta_density, n, from, middle) + integral(log_beta_density, n, middle, to);
}

// Both tails are integrated from their ends. A digit of x or of a logarithm of the Gamma function may be wrong.
static void check_beta(double a, double b, double u)
{
    const Distribution beta = {.kind = DISTRIBUTION_BETA, .numbers = {a, b, 0.0, 1.0}};
    const long double  mean = a / ((long double)a + b);
    const double       x = distribution_quantile(&beta, u), n[2] = {a, b};
    const long double left = mean * beta_integral(a, b, mean), right = (1.0L - mean) * beta_integral(b, a, 1.0L - mean);
    const bool        low = x < (double)mean;
    const long double tail = (low ? mean * beta_integral(a, b, x) : (1.0L - mean) * beta_integral(b, a, 1.0L - x)) /
                             (left + right),
                      hazard = mean * log_beta_density(logl(x), n) / (left + right) / x;
    const double noise =
        4.0 * DBL_EPSILON * (4.0 + fabs(lgamma(a)) + fabs(lgamma(b)) + fabs(lgamma(a + b)) - a * log(x));
    const double share = low ? u : 1.0 - u;
    if (!(fabsl(tail - share) < 2.0L * DBL_EPSILON * hazard * (low ? x + DBL_MIN : 1.0) + noise * share))
        fail_msg("Beta(%g, %g), u = %.17g: share %.17Lg", a, b, u, low ? tail : 1.0L - tail);
    if (!(fabsl(distribution_probability(&beta, x) - (low ? tail : 1.0L - tail)) < noise * share + 2.0 * DBL_EPSILON))
        fail_msg("Beta(%g, %g), x = %.17g: share %.17Lg", a, b, x, low ? tail : 1.0L - tail);
}

TEST(beta_quantiles_invert_the_integral)
{
    const double pairs[][2] = {{0.5, 3.0},   {3.0, 0.5},   {2.0, 2.0}, {5.0, 2.0}, {30.0, 70.0}, {1e3, 2e3},
                               {0.05, 0.05}, {0.3, 200.0}, {1e5, 1e5}, {2.5, 1e4}, {1e6, 1e6},   {1e6, 3.0}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k)
        for (size_t i = 0; i < 2 * SHARES; ++i) {
            const double u = i < SHARES ? shares[i] : 1.0 - shares[i - SHARES];
            if (pairs[k][1] >= 1.0 || u < 0.6)  // above it 1 - x has few digits
                check_beta(pairs[k][0], pairs[k][1], u);
        }
}

// Cases with a quantile in closed form: powers, arc sine.
TEST(beta_quantiles_are_those_of_closed_forms)
{
    const double powers[] = {0.05, 0.5, 1.0, 3.0, 40.0, 1e3, 1e5};
    for (size_t i = 0; i < 2 * SHARES; ++i) {
        const double       u = i < SHARES ? shares[i] : 1.0 - shares[i - SHARES];
        const Distribution arcsine = {.kind = DISTRIBUTION_BETA, .numbers = {0.5, 0.5, 0.0, 1.0}};
        const long double  sine = sinl(0.5L * acosl(-1.0L) * u);
        assert_true(fabsl(distribution_quantile(&arcsine, u) - sine * sine) < 1e-14L * sine * sine);
        for (size_t k = 0; k < sizeof powers / sizeof *powers; ++k) {
            const double       p = powers[k];
            const Distribution power = {.kind = DISTRIBUTION_BETA, .numbers = {p, 1.0, 0.0, 1.0}},
                               mirror = {.kind = DISTRIBUTION_BETA, .numbers = {1.0, p, 0.0, 1.0}};
            const long double x = powl(u, 1.0L / p), y = -expm1l(log1pl(-u) / p);
            // Of x a digit of its logarithm or of one of the Gamma function may be wrong, and where little of the
            // probability is above, one of 1.
            const long double at_x = 1e-15L * (2.0L + (1.0L - logl(u)) / p) * x + 2e-16L * fminl(1.0L, p * x / u);
            if (!(fabsl(distribution_quantile(&power, u) - x) <= at_x))
                fail_msg("Beta(%g, 1), u = %.17g: %.17g, not %.17Lg", p, u, distribution_quantile(&power, u), x);
            if (!(fabsl(distribution_quantile(&mirror, u) - y) <=
                  (1e-15L * (2.0L - log1pl(-u)) + 8.0L * DBL_EPSILON * lgamma(p)) * y + 2e-16L))
                fail_msg("Beta(1, %g), u = %.17g: %.17g, not %.17Lg", p, u, distribution_quantile(&mirror, u), y);
        }
    }
    for (size_t k = 0; k < sizeof powers / sizeof *powers; ++k) {
        const double       p = powers[k], x = p < 100.0 ? 0.125 : 1.0 - 1.0 / p;
        const Distribution power = {.kind = DISTRIBUTION_BETA, .numbers = {p, 1.0, 0.0, 1.0}},
                           mirror = {.kind = DISTRIBUTION_BETA, .numbers = {1.0, p, 0.0, 1.0}};
        const double digits = 4.0 * DBL_EPSILON * (4.0 + 2.0 * fabs(lgamma(p)));
        assert_true(fabsl(distribution_probability(&power, x) / powl(x, p) - 1.0L) < digits);
        assert_true(fabsl(distribution_probability(&mirror, 1.0 - x) + expm1l(p * log1pl((long double)x - 1.0L))) <
                    digits);
    }
}

// Ends far apart in size: a square of the width would overflow or vanish.
TEST(triangular_quantiles_invert_the_area)
{
    const double numbers[][3] = {{0, 0.25, 1}, {-2, -2, 3},        {-2, 3, 3},
                                 {5, 6, 9},    {-1e200, 0, 5e200}, {0, 1e-200, 3e-200}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        for (size_t i = 0; i < 2 * SHARES; ++i) {
            const double       u = i < SHARES ? shares[i] : 1.0 - shares[i - SHARES];
            const double       a = numbers[k][0], mode = numbers[k][1], b = numbers[k][2];
            const Distribution triangular = {.kind = DISTRIBUTION_TRIANGULAR, .numbers = {a, mode, b}};
            const long double  x = distribution_quantile(&triangular, u), width = (long double)b - a;
            // Two sides of the triangle, whose area is 1.
            const long double share = x < mode ? (x - a) * (x - a) / width / (mode - a)
                                               : 1.0L - (b - x) * (b - x) / width / ((long double)b - mode);
            const long double height =
                2.0L * fminl(x < mode ? (x - a) / (mode - a) : (b - x) / ((long double)b - mode), 1.0L);
            const long double slack = DBL_EPSILON * fmaxl(fabsl(a), fabsl(b)) / width * (height + DBL_EPSILON);
            assert_null(distribution_refuses(&triangular));
            assert_true(fabsl(share - u) <= 4.0L * slack + 4.0L * DBL_EPSILON * fminl(u, 1.0L - u) + 4e-32L);
            assert_true(fabsl(distribution_probability(&triangular, (double)x) - share) < 1e-15L);
        }
    const Distribution triangular = {.kind = DISTRIBUTION_TRIANGULAR, .numbers = {0, 0.25, 1}};
    assert_true(distribution_quantile(&triangular, 0.25) == 0.25);
    assert_true(distribution_probability(&triangular, -1.0) == 0.0 &&
                distribution_probability(&triangular, 2.0) == 1.0);
}

TEST(uniform_quantiles_are_straight)
{
    const Distribution uniform = {.kind = DISTRIBUTION_UNIFORM, .numbers = {-3.0, 5.0}},
                       logarithm = {.kind = DISTRIBUTION_LOGUNIFORM, .numbers = {1e-3, 1e5}};
    for (size_t i = 0; i < 2 * SHARES; ++i) {
        const double u = i < SHARES ? shares[i] : 1.0 - shares[i - SHARES], x = distribution_quantile(&uniform, u),
                     y = distribution_quantile(&logarithm, u);
        assert_true(fabs(x - (8.0 * u - 3.0)) <= 4.0 * DBL_EPSILON);
        assert_true(fabsl(y / (1e-3L * powl(1e8L, u)) - 1.0L) < 16.0 * DBL_EPSILON);
        assert_true(fabs(distribution_probability(&uniform, x) - u) <= 4.0 * DBL_EPSILON);
        assert_true(fabs(distribution_probability(&logarithm, y) - u) <= 4.0 * DBL_EPSILON);
    }
    assert_true(distribution_probability(&uniform, -4.0) == 0.0 && distribution_probability(&uniform, 6.0) == 1.0);
    assert_true(distribution_probability(&logarithm, -4.0) == 0.0 && distribution_probability(&logarithm, 1e6) == 1.0);
}

// At 0 and 1 the ends to the bit, between them nothing beyond, and no quantile less than that of a smaller share.
TEST(quantiles_rise_from_end_to_end)
{
    const double ends[][2] = {{0.1, 0.3}, {-0.3, 1.1}, {-9.8, 7.1}, {2.7, 2.9}, {1.1, 1.1000000000000005}, {1e-3, 1e3}};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; ++k) {
        const double       a = ends[k][0], b = ends[k][1];
        const Distribution kinds[] = {{.kind = DISTRIBUTION_UNIFORM, .numbers = {a, b}},
                                      {.kind = DISTRIBUTION_LOGUNIFORM, .numbers = {fabs(a), fabs(a) + b}},
                                      {.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {1.0, 0.7, a, b}},
                                      {.kind = DISTRIBUTION_TRIANGULAR, .numbers = {a, a, b}},
                                      {.kind = DISTRIBUTION_TRIANGULAR, .numbers = {a, 0.5 * (a + b), b}},
                                      {.kind = DISTRIBUTION_TRIANGULAR, .numbers = {a, b, b}},
                                      {.kind = DISTRIBUTION_BETA, .numbers = {2.0, 0.5, a, b}}};
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
            const double least = kinds[i].kind == DISTRIBUTION_LOGUNIFORM ? fabs(a) : a,
                         most = kinds[i].kind == DISTRIBUTION_LOGUNIFORM ? fabs(a) + b : b;
            double low, high, last = least;
            distribution_support(&kinds[i], &low, &high);
            assert_true(low == least && high == most && !distribution_is_discrete(&kinds[i]));
            assert_true(distribution_quantile(&kinds[i], 0.0) == least &&
                        distribution_quantile(&kinds[i], 1.0) == most);
            assert_true(distribution_probability(&kinds[i], least) == 0.0 &&
                        distribution_probability(&kinds[i], most) == 1.0);
            for (double u = 0x1p-53; u < 1.0; u += u < 0x1p-20 ? u : 1.0 / 1009.0) {
                const double x = distribution_quantile(&kinds[i], u);
                assert_true(x >= last - 4.0 * DBL_EPSILON * fabs(last) && x >= least && x <= most);
                last = x;
            }
            const double x = distribution_quantile(&kinds[i], 1.0 - 0x1p-53);
            assert_true(x >= last - 4.0 * DBL_EPSILON * fabs(last) && x <= most);
        }
    }
}

// On a..b a Beta is the one on 0..1, moved.
TEST(beta_lies_between_its_ends)
{
    const Distribution unit = {.kind = DISTRIBUTION_BETA, .numbers = {2.0, 5.0, 0.0, 1.0}},
                       moved = {.kind = DISTRIBUTION_BETA, .numbers = {2.0, 5.0, -1.0, 7.0}};
    for (double u = 1.0 / 64.0; u < 1.0; u += 1.0 / 64.0) {
        const double x = distribution_quantile(&moved, u);
        assert_true(fabs(x - (8.0 * distribution_quantile(&unit, u) - 1.0)) < 8.0 * DBL_EPSILON);
        assert_true(fabs(distribution_probability(&moved, x) - u) < 16.0 * DBL_EPSILON);
    }
}

TEST(values_of_discrete_kinds_are_equally_likely)
{
    const double       values[] = {4.0, -1.0, 2.5};
    const Distribution choice = {.kind = DISTRIBUTION_CHOICE, .values = values, .value_count = 3},
                       integer = {.kind = DISTRIBUTION_INTEGER, .numbers = {-2.0, 4.0}},
                       wide = {.kind = DISTRIBUTION_INTEGER, .numbers = {-0x1p52, 0x1p52 - 1.0}};
    for (int i = 0; i < 3 * 7 * 8; ++i) {
        const double u = (i + 0.5) / (3 * 7 * 8);
        assert_true(distribution_quantile(&choice, u) == values[i / (7 * 8)]);
        assert_true(distribution_quantile(&integer, u) == -2.0 + i / (3 * 8));
    }
    assert_true(distribution_quantile(&choice, 0.0) == 4.0 && distribution_quantile(&choice, 1.0) == 2.5);
    assert_true(distribution_quantile(&integer, 0.0) == -2.0 && distribution_quantile(&integer, 1.0) == 4.0);
    assert_true(distribution_quantile(&wide, 0x1p-53) == 1.0 - 0x1p52);
    assert_true(distribution_quantile(&wide, 1.0 - 0x1p-53) == 0x1p52 - 1.0);
    for (int i = -2; i <= 4; ++i) {
        assert_true(fabs(distribution_probability(&integer, i) - (i + 3) / 7.0) < 1e-15);
        assert_true(fabs(distribution_probability(&integer, i + 0.9) - (i + 3) / 7.0) < 1e-15);
    }
    assert_true(distribution_probability(&integer, -2.1) == 0.0 && distribution_probability(&integer, 9.0) == 1.0);
    const double steps[][2] = {{-1.1, 0.0}, {-1.0, 1.0 / 3.0}, {2.5, 2.0 / 3.0}, {3.9, 2.0 / 3.0}, {4.0, 1.0}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i)
        assert_true(fabs(distribution_probability(&choice, steps[i][0]) - steps[i][1]) < 1e-15);
    double least, most;
    distribution_support(&choice, &least, &most);
    assert_true(least == -1.0 && most == 4.0);
    // The ends stand anywhere in the list.
    const double       inner[] = {2.0, 4.0, -1.0, 2.5};
    const Distribution four = {.kind = DISTRIBUTION_CHOICE, .values = inner, .value_count = 4};
    distribution_support(&four, &least, &most);
    assert_true(least == -1.0 && most == 4.0);
    distribution_support(&integer, &least, &most);
    assert_true(least == -2.0 && most == 4.0);
    assert_true(distribution_is_discrete(&choice) && distribution_is_discrete(&integer));
}

#define ORDER "the first end must be less than the second"
#define FAR "the ends are too far apart"
#define DEVIATION "the standard deviation must be greater than 0"
#define LITTLE "hardly anything of the normal distribution lies between the ends: move them, or use uniform"
#define SHAPE "alpha and beta must be greater than 0 and at most 10^6"
#define WHOLE "both ends must be whole numbers, with fewer than 2^53 between them"

TEST(numbers_that_make_no_distribution_are_refused)
{
    const struct {
        DistributionKind kind;
        double           numbers[DISTRIBUTION_NUMBERS];
        const char      *reason;
    } cases[] = {{DISTRIBUTION_UNIFORM, {1, 1}, ORDER},
                 {DISTRIBUTION_UNIFORM, {2, 1}, ORDER},
                 {DISTRIBUTION_UNIFORM, {-DBL_MAX, DBL_MAX}, FAR},
                 {DISTRIBUTION_UNIFORM, {1, (double)NAN}, ORDER},
                 {DISTRIBUTION_UNIFORM, {-0.5 * DBL_MAX, 0.4 * DBL_MAX}, NULL},
                 {DISTRIBUTION_LOGUNIFORM, {0, 1}, "the first end must be greater than 0"},
                 {DISTRIBUTION_LOGUNIFORM, {-1, 1}, "the first end must be greater than 0"},
                 {DISTRIBUTION_LOGUNIFORM, {2, 1}, ORDER},
                 {DISTRIBUTION_LOGUNIFORM, {1e-300, 1e300}, NULL},
                 {DISTRIBUTION_NORMAL, {0, 0}, DEVIATION},
                 {DISTRIBUTION_NORMAL, {0, -1}, DEVIATION},
                 {DISTRIBUTION_NORMAL, {0, (double)NAN}, DEVIATION},
                 {DISTRIBUTION_NORMAL, {0, 1}, NULL},
                 {DISTRIBUTION_LOGNORMAL, {0, 0}, DEVIATION},
                 {DISTRIBUTION_LOGNORMAL, {0, 1}, NULL},
                 {DISTRIBUTION_TRUNCATED_NORMAL, {0, 0, -1, 1}, DEVIATION},
                 {DISTRIBUTION_TRUNCATED_NORMAL, {0, 1, 1, 1}, ORDER},
                 {DISTRIBUTION_TRUNCATED_NORMAL, {0, 1, 2, 1}, ORDER},
                 {DISTRIBUTION_TRUNCATED_NORMAL, {0, 1, -DBL_MAX, DBL_MAX}, FAR},
                 {DISTRIBUTION_TRUNCATED_NORMAL, {0, 1, 40, 41}, LITTLE},
                 {DISTRIBUTION_TRUNCATED_NORMAL, {0, 1, -41, -40}, LITTLE},
                 {DISTRIBUTION_TRUNCATED_NORMAL, {0, 1e12, 1, 2}, LITTLE},
                 {DISTRIBUTION_TRUNCATED_NORMAL, {0, 1e6, 1, 2}, NULL},
                 {DISTRIBUTION_TRIANGULAR, {0, -1, 1}, "the mode must lie between the ends"},
                 {DISTRIBUTION_TRIANGULAR, {0, 2, 1}, "the mode must lie between the ends"},
                 {DISTRIBUTION_TRIANGULAR, {1, 1, 1}, ORDER},
                 {DISTRIBUTION_TRIANGULAR, {0, 0, 1}, NULL},
                 {DISTRIBUTION_TRIANGULAR, {0, 1, 1}, NULL},
                 {DISTRIBUTION_BETA, {0, 1, 0, 1}, SHAPE},
                 {DISTRIBUTION_BETA, {1, 0, 0, 1}, SHAPE},
                 {DISTRIBUTION_BETA, {2e6, 1, 0, 1}, SHAPE},
                 {DISTRIBUTION_BETA, {1, 2e6, 0, 1}, SHAPE},
                 {DISTRIBUTION_BETA, {1, 1, 1, 1}, ORDER},
                 {DISTRIBUTION_BETA, {1e6, 1e6, 0, 1}, NULL},
                 {DISTRIBUTION_CHOICE, {0}, "a choice needs at least one value"},
                 {DISTRIBUTION_INTEGER, {0.5, 2}, WHOLE},
                 {DISTRIBUTION_INTEGER, {0, 2.5}, WHOLE},
                 {DISTRIBUTION_INTEGER, {0, 0x1p53}, WHOLE},
                 {DISTRIBUTION_INTEGER, {-0x1p54, 0}, WHOLE},
                 {DISTRIBUTION_INTEGER, {0x1p54, 0x1p54 + 4.0}, WHOLE},
                 {DISTRIBUTION_INTEGER, {(double)NAN, 2}, WHOLE},
                 {DISTRIBUTION_INTEGER, {2, 2}, ORDER},
                 {DISTRIBUTION_INTEGER, {3, 2}, ORDER},
                 {DISTRIBUTION_INTEGER, {0, 0x1p53 - 1.0}, NULL},
                 {DISTRIBUTION_COUNT, {0}, "not a distribution"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Distribution distribution = {.kind = cases[i].kind};
        memcpy(distribution.numbers, cases[i].numbers, sizeof cases[i].numbers);
        const char *reason = distribution_refuses(&distribution);
        if (!reason != !cases[i].reason || (reason && strcmp(reason, cases[i].reason) != 0))
            fail_msg("case %zu: %s, not %s", i, reason ? reason : "accepted",
                     cases[i].reason ? cases[i].reason : "accepted");
    }
}

// Against scipy 1.17, whose moments of the truncated normal one are integrals, and where the ends are near to each
// other those of the uniform one.
TEST(deviations)
{
    static const double values[] = {1, 4, 2, 7};
    static const struct {
        Distribution distribution;
        double       deviation;
    } cases[] = {{{.kind = DISTRIBUTION_UNIFORM, .numbers = {-1, 5}}, 1.7320508075688772},
                 {{.kind = DISTRIBUTION_LOGUNIFORM, .numbers = {1e-3, 1e-1}}, 0.024969617949318876},
                 {{.kind = DISTRIBUTION_LOGUNIFORM, .numbers = {1, 1.5}}, 0.14414045876427495},
                 {{.kind = DISTRIBUTION_LOGUNIFORM, .numbers = {1, 1 + 1e-6}}, 2.8867513459481288e-7},
                 {{.kind = DISTRIBUTION_NORMAL, .numbers = {3, 0.25}}, 0.25},
                 {{.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {1, 0.1, 0.5, 1.5}}, 0.09999925663705353},
                 {{.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {0, 3, -3, 1.5}}, 1.2469800847561432},
                 {{.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {0, 1, 10, 12}}, 0.09718732894894727},
                 {{.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {0, 1, -12, -10}}, 0.09718732894894727},
                 {{.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {0, 1, -1e9, 1e9}}, 1.0},
                 {{.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {0, 1, -1e-6, 1e-6}}, 5.773502691896258e-7},
                 {{.kind = DISTRIBUTION_LOGNORMAL, .numbers = {1, 0.5}}, 1.6415718456238662},
                 {{.kind = DISTRIBUTION_TRIANGULAR, .numbers = {1, 2, 5}}, 0.8498365855987975},
                 {{.kind = DISTRIBUTION_BETA, .numbers = {2, 5, -1, 2}}, 0.47915742374995496},
                 {{.kind = DISTRIBUTION_CHOICE, .values = values, .value_count = 4}, 2.29128784747792},
                 {{.kind = DISTRIBUTION_INTEGER, .numbers = {1, 6}}, 1.707825127659933}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const double found = distribution_deviation(&cases[i].distribution);
        if (!(fabs(found - cases[i].deviation) <= 1e-9 * cases[i].deviation))
            fail_msg("case %zu: %.17g, not %.17g", i, found, cases[i].deviation);
    }
}

// A message lists as many arguments as are taken.
TEST(kinds_have_a_name_and_arguments)
{
    for (size_t kind = 0; kind < DISTRIBUTION_COUNT; ++kind) {
        size_t commas = 0;
        for (const char *at = distribution_arguments[kind]; *at; ++at)
            commas += *at == ',';
        const size_t count = distribution_number_count((DistributionKind)kind);
        assert_true(count == (kind == DISTRIBUTION_CHOICE ? 0 : commas + 1) && count <= DISTRIBUTION_NUMBERS);
    }
    assert_string_equal(distribution_names[DISTRIBUTION_TRUNCATED_NORMAL], "truncated_normal");
    assert_string_equal(distribution_names[DISTRIBUTION_INTEGER], "integer");
}
