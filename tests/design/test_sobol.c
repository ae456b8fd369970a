// test_sobol -- Sobol' sequences: known points, the table of directions, and what scrambling keeps and makes random.
#include "base/philox.h"
#include "design/sobol.h"

#include "support/test.h"

static uint32_t coordinate(size_t dimension, uint32_t index)
{
    uint32_t directions[SOBOL_BITS];
    sobol_find_directions(dimension, directions);
    return sobol_coordinate(directions, index);
}

// S. Joe and F. Y. Kuo, "Notes on generating Sobol sequences" (2008): the first ten points in three dimensions.
TEST(first_points_are_the_published_ones)
{
    const double published[10][3] = {{0, 0, 0},
                                     {0.5, 0.5, 0.5},
                                     {0.75, 0.25, 0.25},
                                     {0.25, 0.75, 0.75},
                                     {0.375, 0.375, 0.625},
                                     {0.875, 0.875, 0.125},
                                     {0.625, 0.125, 0.875},
                                     {0.125, 0.625, 0.375},
                                     {0.1875, 0.3125, 0.9375},
                                     {0.6875, 0.8125, 0.4375}};
    for (uint32_t i = 0; i < 10; ++i)
        for (size_t d = 0; d < 3; ++d)
            assert_true(coordinate(d, i) * 0x1p-32 == published[i][d]);
}

// By scipy.stats.qmc.Sobol of SciPy 1.17.1: its direction numbers for 32 bits, and points of its order.
TEST(points_are_those_of_scipy)
{
    const uint32_t indices[] = {1, 1000, 100003, 1 << 24 | 12345, 0x89abcdef, 0xffffffff};
    const struct {
        size_t   dimension;
        uint32_t coordinates[6];
    } known[] = {{0, {0x80000000, 0x38400000, 0x4fa28000, 0xa4140180, 0x18d47eb3, 0x00000001}},
                 {1, {0x80000000, 0x18c00000, 0xdb8a8000, 0xafbc7f80, 0xfff9fb85, 0xffffffff}},
                 {2, {0x80000000, 0x84c00000, 0x318e8000, 0xfc592d80, 0x2f6612cb, 0xc5005555}},
                 {3, {0x80000000, 0xad400000, 0x5eed8000, 0xfb876d80, 0xd5f312c1, 0x50050093}},
                 {9, {0x80000000, 0x11c00000, 0x851c8000, 0xf01b8280, 0xf708d743, 0x82ff78f1}},
                 {21, {0x80000000, 0x8cc00000, 0x60a38000, 0x1c7afd80, 0xe84d541b, 0x7771000d}},
                 {40, {0x80000000, 0xe9c00000, 0x00ee8000, 0x97e37f80, 0x6a4be603, 0x3fecfc45}},
                 {100, {0x80000000, 0xc4c00000, 0xbac28000, 0x8c7c1380, 0x76b5431d, 0x29427f87}},
                 {255, {0x80000000, 0x3fc00000, 0xae428000, 0xb728df80, 0x569a90a1, 0xd230013b}},
                 {256, {0x80000000, 0xa0400000, 0xfe4d8000, 0x3fe74580, 0x5dc452c7, 0xcec30315}},
                 {300, {0x80000000, 0x84c00000, 0x815d8000, 0x12f45480, 0xdcf55921, 0x530302f7}},
                 {511, {0x80000000, 0x65400000, 0x38328000, 0xb53efa80, 0x91f52b8b, 0x36e4b409}}};
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
        for (size_t i = 0; i < sizeof indices / sizeof *indices; ++i)
            assert_int_equal(coordinate(known[k].dimension, indices[i]), known[k].coordinates[i]);
    uint64_t sum = 0;
    for (uint64_t d = 0; d < SOBOL_DIMENSIONS; ++d) {
        uint32_t directions[SOBOL_BITS];
        sobol_find_directions(d, directions);
        for (uint64_t k = 0; k < SOBOL_BITS; ++k)
            sum += directions[k] * (2 * (SOBOL_BITS * d + k) + 1);
    }
    assert_true(sum == UINT64_C(0x80639674d4490b6));
}

static unsigned degree(uint32_t polynomial)
{
    unsigned bits = 0;
    while (polynomial >> bits)
        ++bits;
    return bits - 1;
}

// x is a generator: multiplied by itself it comes back to 1 after 2^s - 1 steps, and not before. Over GF(2), bit by
// bit.
static bool is_primitive(uint32_t polynomial)
{
    const unsigned s = degree(polynomial);
    uint32_t       power = 1, steps = 0;
    if (!(polynomial & 1))
        return false;
    do {
        power <<= 1;
        if (power >> s & 1)
            power ^= polynomial;
        ++steps;
    } while (power != 1 && steps < UINT32_C(1) << s);
    return steps == (UINT32_C(1) << s) - 1;
}

// All primitive polynomials in rising order, none left out.
TEST(polynomials_are_the_primitive_ones_in_order)
{
    uint32_t polynomial = 3;
    for (size_t i = 0; i < SOBOL_DIMENSIONS - 1; ++i, ++polynomial) {
        while (!is_primitive(polynomial))
            ++polynomial;
        assert_int_equal(sobol_directions[i].polynomial, polynomial);
    }
}

TEST(initial_numbers_are_odd_and_small)
{
    for (size_t i = 0; i < SOBOL_DIMENSIONS - 1; ++i)
        for (unsigned k = 0; k < SOBOL_DEGREE; ++k) {
            const unsigned m = sobol_directions[i].initial[k];
            assert_true(k < degree(sobol_directions[i].polynomial) ? m % 2 == 1 && m < 2U << k : m == 0);
        }
}

enum { DEPTH = 8, POINTS = 1 << DEPTH };

static int compare_counts(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// How many of the first points of two dimensions lie in each interval of 2^-first times 2^(first - DEPTH), sorted.
static void count_points(const size_t *dimensions, const uint64_t *seed, unsigned first, int *counts)
{
    uint32_t directions[2][SOBOL_BITS];
    memset(counts, 0, POINTS * sizeof *counts);
    for (size_t k = 0; k < 2; ++k)
        sobol_find_directions(dimensions[k], directions[k]);
    for (uint32_t i = 0; i < POINTS; ++i) {
        uint64_t at[2];
        for (size_t k = 0; k < 2; ++k) {
            const uint32_t plain = sobol_coordinate(directions[k], i);
            at[k] = seed ? sobol_scramble(plain, *seed, dimensions[k]) >> 32 : plain;
        }
        ++counts[at[0] >> (32 - first) << (DEPTH - first) | at[1] >> (32 - DEPTH + first)];
    }
    qsort(counts, POINTS, sizeof *counts, compare_counts);
}

// Scrambling carries elementary intervals into elementary intervals.
TEST(scrambled_points_fill_intervals_as_plain_ones_do)
{
    const size_t pairs[][2] = {{0, 1},    {0, 2},    {1, 2},     {3, 4},     {5, 19},  {17, 18},
                               {36, 100}, {99, 211}, {254, 255}, {255, 300}, {0, 511}, {510, 511}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k)
        for (unsigned first = 0; first <= DEPTH; ++first)
            for (uint64_t seed = 0; seed < 8; ++seed) {
                int plain[POINTS], scrambled[POINTS];
                count_points(pairs[k], NULL, first, plain);
                count_points(pairs[k], &seed, first, scrambled);
                assert_memory_equal(plain, scrambled, sizeof plain);
                // t = 0: exactly one in each.
                if (k == 0)
                    assert_true(scrambled[0] == 1 && scrambled[POINTS - 1] == 1);
            }
}

// A point's place is even over seeds, in 64 cells: of its first digits, of those at the joint of two trees, of the
// last.
TEST(scrambled_digits_are_even_over_seeds)
{
    enum { SEEDS = 1 << 14, CELLS = 64 };
    const uint32_t points[] = {0, 1, 2, 77, 0x12345678, 0xffffffff};
    for (size_t p = 0; p < sizeof points / sizeof *points; ++p)
        for (unsigned shift = 0; shift <= 58; shift += 1) {
            double cells[CELLS] = {0}, chi_square = 0.0;
            for (uint64_t seed = 0; seed < SEEDS; ++seed)
                cells[sobol_scramble(points[p], seed, 5) >> shift & (CELLS - 1)] += 1.0;
            for (size_t i = 0; i < CELLS; ++i)
                chi_square += (cells[i] - SEEDS / CELLS) * (cells[i] - SEEDS / CELLS) / (SEEDS / CELLS);
            // Deviation sqrt(126) = 11.2; of 354 such sums none is 5 deviations away.
            if (!(fabs(chi_square - (CELLS - 1)) < 5.0 * sqrt(2.0 * (CELLS - 1))))
                fail_msg("point %u, digits from %u: chi-square %g", points[p], shift, chi_square);
        }
}

// Any two digits of a point, those of different trees too.
TEST(scrambled_digits_are_independent)
{
    enum { SEEDS = 1 << 12 };
    const uint32_t points[] = {0, 0x12345678};
    for (size_t p = 0; p < sizeof points / sizeof *points; ++p) {
        int equal[64][64] = {{0}};
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            const uint64_t digits = sobol_scramble(points[p], seed, 7);
            for (unsigned a = 0; a < 64; ++a)
                for (unsigned b = 0; b < a; ++b)
                    equal[a][b] += (digits >> a & 1) == (digits >> b & 1);
        }
        // Deviation sqrt(n)/2 = 32; of 4032 counts none is 5 deviations away.
        for (unsigned a = 0; a < 64; ++a)
            for (unsigned b = 0; b < a; ++b)
                assert_true(abs(equal[a][b] - SEEDS / 2) < 160);
    }
}

// Owen's permutation of a digit depends on those before it: two points share their first digits before and after,
// differ in the next one, and are independent behind it. Each digit is checked, and with it the joints of the trees.
TEST(points_share_only_their_first_digits)
{
    enum { SEEDS = 1 << 12 };
    for (unsigned same = 0; same < SOBOL_BITS; ++same) {
        const uint32_t a = 0x9e3779b9, b = a ^ UINT32_C(0x80000000) >> same;
        int            equal[64] = {0};
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            const uint64_t apart = sobol_scramble(a, seed, 3) ^ sobol_scramble(b, seed, 3);
            assert_true(apart >> (63 - same) == 1);
            for (unsigned digit = same + 1; digit < 64; ++digit)
                equal[digit] += !(apart >> (63 - digit) & 1);
        }
        // Deviation sqrt(n)/2 = 32; of 1520 counts none is 4.5 deviations away.
        for (unsigned digit = same + 1; digit < 64; ++digit)
            assert_true(abs(equal[digit] - SEEDS / 2) < 144);
    }
}

// The same point in two dimensions, and under two seeds.
TEST(dimensions_and_seeds_are_independent)
{
    enum { SEEDS = 1 << 12 };
    int equal[2][64] = {{0}};
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        const uint64_t here = sobol_scramble(0x12345678, seed, 3),
                       apart[2] = {here ^ sobol_scramble(0x12345678, seed, 4),
                                   here ^ sobol_scramble(0x12345678, seed + (UINT64_C(1) << 32), 3)};
        for (size_t k = 0; k < 2; ++k)
            for (unsigned digit = 0; digit < 64; ++digit)
                equal[k][digit] += !(apart[k] >> digit & 1);
    }
    for (size_t k = 0; k < 2; ++k)
        for (unsigned digit = 0; digit < 64; ++digit)
            assert_true(abs(equal[k][digit] - SEEDS / 2) < 144);
}

// Error of the mean of a smooth function of two variables, whose integral is 1: root of the mean square over seeds.
static double integration_error(uint32_t count, bool random)
{
    enum { SEEDS = 64 };
    uint32_t directions[2][SOBOL_BITS];
    double   squares = 0.0;
    for (size_t k = 0; k < 2; ++k)
        sobol_find_directions(k, directions[k]);
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        double sum = 0.0;
        for (uint32_t i = 0; i < count; ++i) {
            double product = 1.0;
            for (size_t k = 0; k < 2; ++k) {
                const uint64_t bits =
                    random ? philox_bits(seed, i, k) : sobol_scramble(sobol_coordinate(directions[k], i), seed, k);
                product *= exp(philox_unit(bits)) / (exp(1.0) - 1.0);
            }
            sum += product;
        }
        squares += (sum / count - 1.0) * (sum / count - 1.0);
    }
    return sqrt(squares / SEEDS);
}

// Owen, "Scrambled net variance for integrals of smooth functions" (1997): N^-3/2 (log N)^1/2 in two dimensions. From
// 2^6 to 2^12 a factor of 512 / sqrt(2); the deviation of a root mean square over 64 seeds is a tenth.
TEST(errors_fall_as_theory_says)
{
    const double coarse = integration_error(1 << 6, false), fine = integration_error(1 << 12, false);
    assert_true(coarse / fine > 512.0 / sqrt(2.0) / 1.6 && coarse / fine < 512.0 * 1.6);
    assert_true(integration_error(1 << 6, true) > 10.0 * coarse);
    assert_true(integration_error(1 << 12, true) > 200.0 * fine);
}
