// test_polynomials -- orthonormality under every distribution by another quadrature, closed forms, degrees, refusals.
#include "analysis/sensitivity/polynomials.h"
#include "support/test.h"

enum { MOST = POLYNOMIALS_MOST };

// Inner products of p_0 .. p_degree, and the sum of the weights.
typedef struct Products {
    double sums[MOST + 1][MOST + 1], whole;
} Products;

static void add_node(const Polynomials *polynomials, double x, double weight, Products *products)
{
    double values[MOST + 1];
    polynomials_find(polynomials, polynomials_place(polynomials, x), polynomials->degree, values);
    products->whole += weight;
    for (size_t k = 0; k <= polynomials->degree; ++k)
        for (size_t j = 0; j <= polynomials->degree; ++j)
            products->sums[k][j] += weight * values[k] * values[j];
}

static void check_products(const char *name, const Polynomials *polynomials, const Products *products, double bound)
{
    for (size_t k = 0; k <= polynomials->degree; ++k)
        for (size_t j = 0; j <= polynomials->degree; ++j) {
            const double miss = products->sums[k][j] / products->whole - (j == k ? 1.0 : 0.0);
            if (!(fabs(miss) < bound))
                fail_msg("%s: the product of p_%zu and p_%zu is off by %g", name, k, j, miss);
        }
}

// A density at low + below = high - above, not normalised.
typedef double Density(const double *numbers, double x, double below, double above);

// One that is a formula of these.
#define DENSITY(name, formula)                                                                            \
    static double name(UNUSED const double *n, UNUSED double x, UNUSED double below, UNUSED double above) \
    {                                                                                                     \
        return formula;                                                                                   \
    }

DENSITY(flat, 1.0)
DENSITY(inverse, 1.0 / x)
static double bell(const double *n, double x, double below, UNUSED double above)
{
    // Relative to that at the low end where this is beyond the mean.
    const double low = fmax((n[2] - n[0]) / n[1], 0.0), z = (x - n[0]) / n[1];
    return low > 0.0 ? exp(-below / n[1] * (low + 0.5 * below / n[1])) : exp(-0.5 * z * z);
}

DENSITY(rising, below)
DENSITY(falling, above)
DENSITY(powers, pow(below, n[0] - 1.0) * pow(above, n[1] - 1.0))

// Adds scale * density between two ends by the double exponential formula of Takahasi and Mori 1974, which does not
// mind what happens at the ends.
static void integrate(const Polynomials *polynomials, const double *n, double low, double high, Density *density,
                      double scale, Products *products)
{
    const double step = 1.0 / 128.0, width = high - low;
    for (int i = -6 * 128; i <= 6 * 128; ++i) {
        const double s = i * step, a = M_PI * sinh(s), below = width / (1.0 + exp(-a)), above = width / (1.0 + exp(a));
        const double slope = M_PI * cosh(s) * below * above / width;
        if (below <= 0.0 || above <= 0.0)
            continue;
        const double x = below < above ? low + below : high - above;
        add_node(polynomials, x, scale * step * slope * density(n, x, below, above), products);
    }
}

static Polynomials make(const Distribution *distribution)
{
    Polynomials polynomials;
    assert_null(distribution_refuses(distribution));
    assert_true(polynomials_make(distribution, &polynomials, &err));
    return polynomials;
}

static void check_between(DistributionKind kind, double a, double b, double c, double d, double low, double high,
                          Density *density)
{
    const Distribution distribution = {.kind = kind, .numbers = {a, b, c, d}};
    const Polynomials  polynomials = make(&distribution);
    Products           products = {0};
    assert_int_equal(polynomials.degree, MOST);
    integrate(&polynomials, distribution.numbers, low, high, density, 1.0, &products);
    check_products(distribution_names[kind], &polynomials, &products, 1e-9);
}

TEST(continuous_families_are_orthonormal)
{
    check_between(DISTRIBUTION_UNIFORM, -2, 5, 0, 0, -2, 5, flat);
    check_between(DISTRIBUTION_LOGUNIFORM, 1e-3, 10, 0, 0, 1e-3, 10, inverse);
    check_between(DISTRIBUTION_NORMAL, 3, 0.5, -1e9, 0, 3 - 9, 3 + 9, bell);
    check_between(DISTRIBUTION_TRUNCATED_NORMAL, 1, 2, 0, 4, 0, 4, bell);
    check_between(DISTRIBUTION_TRUNCATED_NORMAL, 1, 2, -50, 1.5, 1 - 36, 1.5, bell);
    check_between(DISTRIBUTION_TRUNCATED_NORMAL, 0, 1, 30, 31, 30, 31, bell);
    check_between(DISTRIBUTION_TRUNCATED_NORMAL, 0, 1, 5, 500, 5, 25, bell);
    check_between(DISTRIBUTION_BETA, 2, 3, -1, 4, -1, 4, powers);
    check_between(DISTRIBUTION_BETA, 0.5, 0.5, 0, 1, 0, 1, powers);
    check_between(DISTRIBUTION_BETA, 0.7, 6, 2, 3, 2, 3, powers);
    check_between(DISTRIBUTION_BETA, 1, 1, 2, 3, 2, 3, powers);
    check_between(DISTRIBUTION_TRIANGULAR, 0, 0, 2, 0, 0, 2, falling);
    check_between(DISTRIBUTION_TRIANGULAR, 0, 2, 2, 0, 0, 2, rising);
}

TEST(a_triangle_is_of_two_pieces)
{
    const Distribution distribution = {.kind = DISTRIBUTION_TRIANGULAR, .numbers = {-1, 0.5, 4}};
    const Polynomials  polynomials = make(&distribution);
    Products           products = {0};
    integrate(&polynomials, distribution.numbers, -1, 0.5, rising, 1 / 1.5, &products);
    integrate(&polynomials, distribution.numbers, 0.5, 4, falling, 1 / 3.5, &products);
    check_products("triangular", &polynomials, &products, 1e-9);
}

TEST(lognormal_is_normal_of_the_logarithm)
{
    const Distribution normal = {.kind = DISTRIBUTION_NORMAL, .numbers = {-1, 0.3}},
                       lognormal = {.kind = DISTRIBUTION_LOGNORMAL, .numbers = {-1, 0.3}};
    const Polynomials a = make(&normal), b = make(&lognormal);
    double            p[4];
    assert_true(b.logarithm);
    assert_near(polynomials_place(&a, -0.4), polynomials_place(&b, exp(-0.4)), 1e-14);
    assert_memory_equal(a.root, b.root, sizeof a.root);
    // He_3 / sqrt(3!) = (z^3 - 3 z) / sqrt(6) at z = 2.
    polynomials_find(&b, polynomials_place(&b, exp(-0.4)), 3, p);
    assert_near(p[3], 2.0 / sqrt(6.0), 1e-13);
}

// Legendre's: sqrt(5) (3 t^2 - 1) / 2, also of the logarithm.
TEST(legendre_in_closed_form)
{
    const Distribution uniform = {.kind = DISTRIBUTION_UNIFORM, .numbers = {1, 3}},
                       loguniform = {.kind = DISTRIBUTION_LOGUNIFORM, .numbers = {1, 10000}};
    const Polynomials a = make(&uniform), b = make(&loguniform);
    double            p[3];
    polynomials_find(&a, polynomials_place(&a, 2.5), 2, p);
    assert_near(p[1], sqrt(3.0) * 0.5, 1e-15);
    assert_near(p[2], sqrt(5.0) * -0.125, 1e-15);
    polynomials_find(&b, polynomials_place(&b, 1000), 2, p);
    assert_near(p[2], sqrt(5.0) * -0.125, 1e-14);
}

// Ends far out are no ends.
TEST(a_normal_truncated_far_out_is_normal)
{
    const Distribution far_out = {.kind = DISTRIBUTION_TRUNCATED_NORMAL, .numbers = {2, 3, -100, 100}};
    const Polynomials  polynomials = make(&far_out);
    assert_near(polynomials.shift, 2.0, 1e-13);
    assert_near(polynomials.scale, 3.0, 1e-13);
    for (int k = 1; k <= MOST; ++k)
        assert_near(polynomials.root[k], sqrt(k), 1e-11);
}

TEST(discrete_families_are_orthonormal)
{
    const double       values[] = {0.1, 5, 2, 2, -3, 100, 5, 5};
    const Distribution choice = {.kind = DISTRIBUTION_CHOICE, .values = values, .value_count = 8};
    const Polynomials  polynomials = make(&choice);
    Products           products = {0};
    assert_int_equal(polynomials.degree, 4);
    for (size_t i = 0; i < 8; ++i)
        add_node(&polynomials, values[i], 1.0, &products);
    check_products("choice", &polynomials, &products, 1e-10);
    for (int count = 2; count < 200; count += count < 40 ? 1 : 17) {
        const Distribution integer = {.kind = DISTRIBUTION_INTEGER, .numbers = {-3, count - 4}};
        const Polynomials  whole = make(&integer);
        Products           sums = {0};
        assert_int_equal(whole.degree, count <= MOST ? count - 1 : MOST);
        for (int i = 0; i < count; ++i)
            add_node(&whole, i - 3, 1.0, &sums);
        check_products("integer", &whole, &sums, 1e-9);
    }
}

// Whole numbers and a choice of them have the same polynomials; very many of them are as good as an interval.
TEST(whole_numbers_are_a_choice_and_near_uniform)
{
    const double       values[] = {7, 3, 4, 6, 5};
    const Distribution choice = {.kind = DISTRIBUTION_CHOICE, .values = values, .value_count = 5},
                       integer = {.kind = DISTRIBUTION_INTEGER, .numbers = {3, 7}},
                       wide = {.kind = DISTRIBUTION_INTEGER, .numbers = {0, 1e9}};
    const Polynomials a = make(&choice), b = make(&integer), c = make(&wide);
    double            p[5], q[5];
    for (size_t i = 0; i < 5; ++i) {
        polynomials_find(&a, polynomials_place(&a, values[i]), 4, p);
        polynomials_find(&b, polynomials_place(&b, values[i]), 4, q);
        for (size_t k = 0; k < 5; ++k)
            assert_near(p[k], q[k], 1e-13);
    }
    for (int k = 1; k <= MOST; ++k)
        assert_near(c.root[k], k / sqrt(4.0 * k * k - 1.0), 1e-8);
}

TEST(data_have_their_own_polynomials)
{
    enum { COUNT = 500 };
    double      values[COUNT];
    Polynomials polynomials;
    Products    products = {0};
    for (size_t i = 0; i < COUNT; ++i)
        values[i] = exp(3.0 * sin((double)i));
    assert_true(polynomials_make_data(values, COUNT, &polynomials, &err));
    assert_int_equal(polynomials.degree, MOST);
    for (size_t i = 0; i < COUNT; ++i)
        add_node(&polynomials, values[i], 1.0, &products);
    check_products("data", &polynomials, &products, 1e-9);
}

// However few the values and however they lie, the polynomials that are promised are orthonormal.
TEST(degrees_follow_the_values)
{
    double      values[64];
    Polynomials polynomials;
    for (size_t count = 1; count <= 64; ++count) {
        Products products = {0};
        for (size_t i = 0; i < count; ++i)
            values[i] = pow(1.0 + (double)i, 3.0);
        assert_true(polynomials_make_data(values, count, &polynomials, &err));
        assert_in_range(polynomials.degree, count < 12 ? count - 1 : 8, count - 1);
        for (size_t i = 0; i < count; ++i)
            add_node(&polynomials, values[i], 1.0, &products);
        check_products("few", &polynomials, &products, 1e-8);
    }
    for (size_t i = 0; i < 64; ++i)
        values[i] = 0.1;
    assert_true(polynomials_make_data(values, 64, &polynomials, &err));
    assert_int_equal(polynomials.degree, 0);
    assert_true(isfinite(polynomials_place(&polynomials, 0.1)));
    values[63] = 1e100;
    assert_true(polynomials_make_data(values, 64, &polynomials, &err));
    assert_int_equal(polynomials.degree, 1);
}

TEST(values_without_a_place_are_refused)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    Polynomials  polynomials;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        const double values[] = {1, 2, bad[i], 3};
        assert_refused(polynomials_make_data(values, 4, &polynomials, &err), ERROR_INPUT, "value 2 is ");
    }
    assert_refused(polynomials_make_data(NULL, 0, &polynomials, &err), ERROR_INPUT, "");
}
