// test_spread -- order statistics, moments and intervals against sorted numbers, closed forms and published tables.
#include "analysis/distribution/correlation.h"
#include "analysis/distribution/moments.h"
#include "analysis/distribution/selection.h"
#include "base/philox.h"
#include "base/sort.h"
#include "design/distribution.h"

#include "support/test.h"

#include <float.h>

enum { MOST = 5000 };

static double unit(uint64_t seed, uint64_t i)
{
    return philox_unit(philox_bits(seed, i, 0));
}

static double normal(uint64_t seed, uint64_t i)
{
    return distribution_normal_quantile(unit(seed, i));
}

// Numbers of every size and sign, many of them equal, some infinite.
static void fill(double *numbers, size_t count)
{
    static const double ends[] = {0.0, -0.0, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, 4.9e-324, -4.9e-324, 1.0, -1.0};
    for (size_t i = 0; i < count; ++i)
        numbers[i] = i % 7 == 0   ? ends[i / 7 % (sizeof ends / sizeof *ends)]
                     : i % 7 == 1 ? floor(20.0 * unit(1, i))
                     : i % 7 == 2 ? 1.0 + 1e-13 * floor(100.0 * unit(2, i))
                                  : exp(400.0 * normal(3, i)) * (unit(4, i) < 0.5 ? -1.0 : 1.0);
}

// Bits of 16, 8 and 4 at a time; 64 / bits rounds, and not one less.
TEST(selection_finds_the_numbers_that_sorting_finds)
{
    static double  numbers[MOST], sorted[MOST];
    const uint64_t ranks[] = {0, 1, 2, 2, 100, 2499, 2500, 2501, 4000, MOST - 2, MOST - 1};
    enum { RANKS = sizeof ranks / sizeof *ranks };
    fill(numbers, MOST);
    memcpy(sorted, numbers, sizeof sorted);
    sort_numbers(sorted, MOST);
    for (unsigned bits = 16; bits >= 4; bits /= 2) {
        Selection selection;
        unsigned  rounds = 0;
        assert_fine(selection_begin(&selection, bits, ranks, RANKS, &arena, &err));
        for (bool known = false; !known; ++rounds) {
            for (size_t i = 0; i < MOST; ++i)
                selection_add(&selection, numbers[i]);
            known = selection_narrow(&selection);
        }
        assert_int_equal(rounds, SELECTION_KEY / bits);
        for (size_t i = 0; i < RANKS; ++i)
            if (selection_number(&selection, i) != sorted[ranks[i]])
                fail_msg("%u bits, rank %llu: %g, not %g", bits, (unsigned long long)ranks[i],
                         selection_number(&selection, i), sorted[ranks[i]]);
    }
}

TEST(every_rank_of_few_numbers)
{
    const double   numbers[] = {3.0, -1.0, 3.0, 2.0, -INFINITY, 0.5, 2.0};
    const double   sorted[] = {-INFINITY, -1.0, 0.5, 2.0, 2.0, 3.0, 3.0};
    const uint64_t ranks[] = {0, 1, 2, 3, 4, 5, 6};
    Selection      selection;
    assert_fine(selection_begin(&selection, 8, ranks, 7, &arena, &err));
    do {
        for (size_t i = 0; i < 7; ++i)
            selection_add(&selection, numbers[i]);
    } while (!selection_narrow(&selection));
    for (size_t i = 0; i < 7; ++i)
        assert_true(selection_number(&selection, i) == sorted[i]);
}

// The numbers 1 to n: the variance is n (n + 1) / 12, the kurtosis 3 - 6 (n^2 + 1) / (5 (n^2 - 1)). They are moved and
// scaled: digits of a mean that is a billion deviations away are lost to rounding alone.
TEST(moments_of_whole_numbers)
{
    enum { N = 1000 };
    static const double scales[] = {1.0, -3.0, 0x1p-1000, 0x1p+900, 0x1p+250}, moves[] = {0.0, 1e9};
    for (size_t s = 0; s < 5; ++s)
        for (size_t m = 0; m < (s < 2 ? 2 : 1); ++m) {
            const double n = N, scale = scales[s], most = fabs(scale) * n + moves[m];
            Moments      moments = {.shift = moments_shift(most)};
            for (size_t i = 0; i < N; ++i)
                moments_add(&moments, moves[m] + scale * (double)((i * 387) % N + 1));
            const double lost = moves[m] > 0.0 ? 1e-6 : 1e-13;
            assert_int_equal(moments.count, N);
            assert_near(moments_mean(&moments) / most, (moves[m] + scale * 0.5 * (n + 1.0)) / most, 1e-14);
            assert_near(moments_deviation(&moments) / fabs(scale), sqrt(n * (n + 1.0) / 12.0), 1e3 * lost);
            assert_near(moments_kurtosis(&moments), 3.0 - 1.2 * (n * n + 1.0) / (n * n - 1.0), 10.0 * lost);
        }
    Moments one = {0}, none = {0};
    moments_add(&one, 5.0);
    assert_true(moments_mean(&one) == 5.0 && isnan(moments_deviation(&one)) && isnan(moments_kurtosis(&one)));
    assert_true(isnan(moments_mean(&none)));
}

// R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 5; and the closed forms of no hits and of
// all.
TEST(clopper_and_pearson_as_published)
{
    static const struct {
        uint64_t hits, count;
        double   low, high;
    } rows[] = {{81, 263, 0.2527, 0.3676}, {15, 148, 0.0578, 0.1617}, {0, 20, 0.0, 0.1684}, {1, 29, 0.0009, 0.1776}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const IntervalEstimate found = interval_share(rows[i].hits, rows[i].count);
        assert_near(found.value, (double)rows[i].hits / (double)rows[i].count, 0.0);
        assert_near(found.low, rows[i].low, 5e-5);
        assert_near(found.high, rows[i].high, 5e-5);
        const IntervalEstimate other = interval_share(rows[i].count - rows[i].hits, rows[i].count);
        assert_near(other.low, 1.0 - found.high, 1e-12);
        assert_near(other.high, 1.0 - found.low, 1e-12);
    }
    for (uint64_t n = 1; n <= UINT64_C(100000000); n *= 10) {
        const IntervalEstimate none = interval_share(0, n), all = interval_share(n, n);
        const double           end = -expm1(log(0.025) / (double)n);
        assert_true(none.low == 0.0 && all.high == 1.0);
        assert_near(none.high / end, 1.0, 1e-6);
        assert_near(all.low, 1.0 - end, 1e-12);
    }
    assert_true(isnan(interval_share(0, 0).value) && isnan(interval_share(0, 0).low));
}

// t of 0.975, as tables have it.
TEST(student_as_published)
{
    static const struct {
        uint64_t freedom;
        double   t;
    } rows[] = {{1, 12.706}, {2, 4.303}, {5, 2.571}, {10, 2.228}, {30, 2.042}, {120, 1.980}, {100000000, 1.960}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const double           n = (double)(rows[i].freedom + 1);
        const IntervalEstimate found = interval_mean(rows[i].freedom + 1, 7.0, 3.0);
        assert_true(found.value == 7.0);
        assert_near((found.high - 7.0) * sqrt(n) / 3.0, rows[i].t, 5e-4);
        assert_near((7.0 - found.low) * sqrt(n) / 3.0, rows[i].t, 5e-4);
    }
    assert_true(isnan(interval_mean(1, 7.0, (double)NAN).low));
}

// Ranks of the 95 % interval of a median: W. J. Conover, Practical Nonparametric Statistics, table A3: sums of
// binomial probabilities of one half.
TEST(ranks_of_a_median_as_published)
{
    static const uint64_t rows[][3] = {{5, 0, 6},   {6, 1, 6},    {10, 2, 9},   {20, 6, 15},
                                       {25, 8, 18}, {30, 10, 21}, {50, 18, 33}, {100, 40, 61}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        uint64_t low, high;
        interval_ranks(rows[i][0], 0.5, &low, &high);
        if (low != rows[i][1] || high != rows[i][2])
            fail_msg("%llu: ranks %llu and %llu", (unsigned long long)rows[i][0], (unsigned long long)low,
                     (unsigned long long)high);
    }
}

// The closest ranks that leave at most 2.5 % outside, by sums of binomial probabilities.
TEST(ranks_are_the_closest)
{
    static const double shares[] = {0.001, 0.05, 0.3, 0.5, 0.95, 0.999};
    for (uint64_t n = 1; n < 400; n += 7)
        for (size_t s = 0; s < sizeof shares / sizeof *shares; ++s) {
            const double p = shares[s];
            double       below = 0.0;
            uint64_t     low, high, due_low = 0, due_high = n + 1;
            for (uint64_t k = 0; k < n; ++k) {
                const double log_choose =
                    lgamma((double)n + 1.0) - lgamma((double)k + 1.0) - lgamma((double)(n - k) + 1.0);
                below += exp(log_choose + (double)k * log(p) + (double)(n - k) * log1p(-p));
                if (below <= 0.025)
                    due_low = k + 1;
                if (below >= 0.975 && due_high == n + 1)
                    due_high = k + 1;
            }
            interval_ranks(n, p, &low, &high);
            assert_int_equal(low, due_low);
            assert_int_equal(high, due_high);
        }
    // Of so many points the binomial distribution is normal.
    uint64_t low, high;
    interval_ranks(100000000, 0.5, &low, &high);
    assert_near((double)low, 5e7 - 1.959964 * 5e3, 3.0);
    assert_near((double)high, 5e7 + 1.959964 * 5e3, 3.0);
}

// Of normal numbers the variance of ln s is 1 / (2 (n - 1)), however large n is; constant numbers have no spread.
TEST(interval_of_a_deviation)
{
    const IntervalEstimate large = interval_deviation(1000000, 2.0, 3.0), constant = interval_deviation(10, 0.0, NAN);
    assert_near(log(large.high / large.low) / 2.0, 1.959964 / sqrt(2e6), 1e-7);
    assert_near(0.5 * log(large.high * large.low), log(2.0), 2e-6);
    const IntervalEstimate few = interval_deviation(20, 2.0, 3.0);
    assert_near(few.high * few.low, 4.0 * 20.0 / (20.0 - 1.9599639845), 1e-8);
    assert_true(constant.low == 0.0 && constant.high == 0.0);
    assert_true(isnan(interval_deviation(3, 1.0, 1.5).low));
}

static double held_x[MOST], held_y[2 * MOST];

typedef struct Kept {
    double numbers[64][32];
    size_t count;
} Kept;

static bool keep(const OutputSpread *spread, void *user, Error *error)
{
    Kept   *kept = user;
    size_t  n = 0;
    double *numbers = kept->numbers[kept->count++];
    (void)error;
    const IntervalEstimate *parts[] = {&spread->mean,         &spread->deviation,    &spread->quantiles[0],
                                       &spread->quantiles[1], &spread->quantiles[2], &spread->above[0]};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        numbers[n++] = parts[i]->value;
        numbers[n++] = parts[i]->low;
        numbers[n++] = parts[i]->high;
    }
    numbers[n++] = spread->least;
    numbers[n++] = spread->most;
    numbers[n++] = (double)spread->failed;
    if (spread->density) {
        numbers[n++] = (double)spread->density->bars[3];
        numbers[n++] = density_share(spread->density, spread->quantiles[1].value);
    }
    return true;
}

static void find(SpreadRequest *request, Kept *kept)
{
    static const char *const factors[] = {"x"}, *const outputs[] = {"y", "z"};
    const StudyArrays arrays = {.x = held_x,
                                .y = held_y,
                                .point_count = MOST,
                                .factor_count = 1,
                                .output_count = 2,
                                .factors = factors,
                                .outputs = outputs};
    StoreFile         file;
    Study             study;
    *kept = (Kept){0};
    assert_fine(study_hold(&arrays, &file, &err));
    assert_fine(study_open(&file, &file.groups[0], &study, &err));
    assert_fine(spread_find(request, &study, keep, kept, &err));
    study_close(&study);
    store_read_close(&file);
}

// Numbers that are read again give the bits of numbers that are kept in memory.
TEST(memory_changes_no_bit)
{
    double quantiles[] = {0.05, 0.5, 0.999}, above[] = {0.25};
    for (size_t i = 0; i < MOST; ++i) {
        held_x[i] = (double)i;
        held_y[2 * i] = i % 50 == 7 ? (double)NAN : normal(9, i);
        held_y[2 * i + 1] = ldexp(exp(normal(10, i)), 700);
    }
    for (unsigned failed = SPREAD_DROP; failed <= SPREAD_WORST; ++failed) {
        SpreadRequest request = {.quantiles = {quantiles, 3}, .above = {above, 1}, .failed = failed, .density = true};
        Kept          kept, again;
        request.kept = SPREAD_KEPT;
        find(&request, &kept);
        request.kept = 0;
        find(&request, &again);
        assert_int_equal(kept.count, 2);
        assert_memory_equal(kept.numbers, again.numbers, sizeof kept.numbers);
        assert_near(kept.numbers[0][20], 100.0, 0.0);
        // Squares of the second output do not fit into a double.
        assert_near(ldexp(kept.numbers[1][0], -700), exp(0.5), 0.1);
        assert_near(ldexp(kept.numbers[1][3], -700), sqrt(exp(2.0) - exp(1.0)), 0.4);
    }
}

// Pearson's and Spearman's coefficients of numbers of any size, ties included: M. G. Kendall, Rank Correlation Methods,
// ranks of equal numbers are their mean.
TEST(correlations_of_few_numbers)
{
    const double x[] = {1.0, 2.0, 3.0, 4.0}, y[] = {1.0, 3.0, 2.0, 4.0}, same[] = {5.0, 5.0, 5.0, 5.0};
    const double tied[] = {2.0, 1.0, 2.0, 7.0, 2.0, 1.0}, due[] = {4.0, 1.5, 4.0, 6.0, 4.0, 1.5};
    double       large[4], ranks[6];
    size_t       order[6];
    for (size_t i = 0; i < 4; ++i)
        large[i] = ldexp(y[i], 1000);
    assert_near(correlation_of(x, y, 4), 0.8, 1e-15);
    assert_near(correlation_of(x, large, 4), 0.8, 1e-15);
    assert_near(correlation_of(x, x, 4), 1.0, 0.0);
    assert_true(isnan(correlation_of(x, same, 4)) && isnan(correlation_of(x, y, 1)));
    correlation_rank(tied, 6, order, ranks);
    for (size_t i = 0; i < 6; ++i)
        assert_near(ranks[i], due[i], 0.0);
    // Fisher: atanh r +- 1.96 / sqrt(n - 3).
    const IntervalEstimate found = interval_correlation(28, 0.5, 1.0), wider = interval_correlation(28, 0.5, 1.125);
    assert_near(found.low, tanh(atanh(0.5) - 1.9599639845 / 5.0), 1e-9);
    assert_near(found.high, tanh(atanh(0.5) + 1.9599639845 / 5.0), 1e-9);
    assert_near(wider.high, tanh(atanh(0.5) + 1.9599639845 * sqrt(1.125) / 5.0), 1e-9);
    assert_true(isnan(interval_correlation(3, 0.5, 1.0).low));
}

// The kernel of normal numbers is near their density; its area, bar by bar, is 1. Numbers far out are counted.
TEST(density_of_normal_numbers)
{
    const DensityShape shape = {
        .count = MOST, .least = -1e6, .most = 4.0, .deviation = 1.0, .quantiles = {-2.326, -0.6745, 0.6745, 2.326}};
    DensityEstimate density;
    double          area = 0.0, width;
    uint64_t        inside = 0;
    assert_true(density_begin(&density, &shape));
    for (size_t i = 0; i + 1 < MOST; ++i)
        density_add(&density, normal(11, i));
    density_add(&density, -1e6);
    density_add(&density, INFINITY);
    assert_int_equal(density.count, MOST);
    assert_int_equal(density.outside, 1);
    width = density_end(&density, 1) - density_end(&density, 0);
    for (size_t i = 0; i < density.bar_count; ++i) {
        const double middle = density_end(&density, i) + 0.5 * width;
        inside += density.bars[i];
        area += density_share(&density, middle);
        assert_near(density_share(&density, middle) / width, exp(-0.5 * middle * middle) / sqrt(2.0 * 3.14159265359),
                    0.03);
        assert_near((double)density.bars[i] / MOST / width, exp(-0.5 * middle * middle) / sqrt(2.0 * 3.14159265359),
                    0.06);
    }
    assert_int_equal(inside + 1, MOST);
    assert_near(area, 1.0, 2e-3);
    // 2 (1.349) / 5000^(1/3) of Freedman and Diaconis, and 0.9 5000^(-1/5) of Silverman.
    assert_near((double)density.bar_count, ceil((4.0 + 2.326 + 2.326) / (2.0 * 1.349 / cbrt(MOST))), 0.0);
    assert_near(density.bandwidth, 0.9 * pow(MOST, -0.2), 1e-12);
}

TEST(density_of_other_numbers)
{
    const DensityShape whole = {
        .count = 100, .least = 3.0, .most = 7.0, .deviation = 1.0, .whole = true, .quantiles = {3.0, 4.0, 5.0, 7.0}};
    const DensityShape decades = {
        .count = 100, .least = 1e-4, .most = 1e4, .deviation = 1e3, .quantiles = {1e-4, 1e-2, 1e2, 1e4}};
    DensityShape    constant = whole;
    DensityEstimate density;
    constant.most = constant.least;
    assert_false(density_begin(&density, &constant));
    assert_true(density_begin(&density, &whole));
    assert_int_equal(density.bar_count, 5);
    for (size_t i = 0; i <= 5; ++i)
        assert_near(density_end(&density, i), 2.5 + (double)i, 1e-12);
    density_add(&density, 3.0);
    density_add(&density, 7.0);
    assert_true(density.bars[0] == 1 && density.bars[4] == 1 && density.outside == 0);
    assert_true(density_begin(&density, &decades) && density.logarithmic);
    assert_near(density_end(&density, 0), 1e-4, 1e-16);
    assert_near(density_end(&density, density.bar_count), 1e4, 1e-8);
}
