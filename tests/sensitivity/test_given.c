// test_given -- indices from given points against plain searches, closed forms, and their own intervals and levels.
#include "analysis/sensitivity/given.h"
#include "base/philox.h"

#include "support/known_indices.h"
#include "support/test.h"

static const double       PI = 3.14159265358979323846;
static const GivenOptions USUAL = {0};

enum { MOST = 1 << 14 };

static double x[MOST], y[MOST];

static double unit(uint64_t seed, uint64_t i, uint64_t k)
{
    return philox_unit(philox_bits(seed, i, k));
}

static GivenOrder order_of(size_t n, uint64_t seed)
{
    GivenOrder order;
    assert_true(given_make_order(x, n, seed, &arena, &order, &err));
    return order;
}

// The seed is that of the order of points with the same x.
static GivenFirst find_seeded(size_t n, GivenOptions options, uint64_t seed)
{
    const GivenOrder order = order_of(n, seed);
    GivenFirst       found;
    assert_true(given_find_first(&order, y, &options, &found, &err));
    return found;
}

static GivenFirst find_first(size_t n, GivenOptions options)
{
    return find_seeded(n, options, 1);
}

static GivenPawn find_pawn(size_t n, size_t slices, size_t permutations, uint64_t seed)
{
    const GivenOrder order = order_of(n, seed);
    GivenPawn        found;
    assert_true(given_find_pawn(&order, y, slices, permutations, seed, &found, &err));
    return found;
}

// x and y of Ishigami's function.
static void draw_ishigami(size_t factor, size_t n, uint64_t seed)
{
    for (size_t k = 0; k < n; ++k) {
        const double u[] = {unit(seed, 0, k), unit(seed, 1, k), unit(seed, 2, k)};
        x[k] = PI * (2.0 * u[factor] - 1.0);
        y[k] = known_indices_ishigami(u, 3);
    }
}

TEST(order_is_ascending)
{
    enum { N = 1000 };
    bool seen[N] = {false};
    for (size_t k = 0; k < N; ++k)
        x[k] = k % 10 == 3 ? (double)NAN : k % 10 == 4 ? (double)INFINITY : floor(20.0 * unit(1, 0, k));
    const GivenOrder order = order_of(N, 5), again = order_of(N, 5), other = order_of(N, 6);
    assert_int_equal(order.count, N - 200);
    for (size_t k = 0; k < order.count; ++k) {
        assert_true(order.points[k] < N && !seen[order.points[k]]);
        seen[order.points[k]] = true;
        assert_true(order.x[k] == x[order.points[k]]);
        assert_true(k == 0 || order.x[k - 1] <= order.x[k]);
    }
    assert_memory_equal(order.points, again.points, order.count * sizeof *order.points);
    assert_true(memcmp(order.points, other.points, order.count * sizeof *order.points) != 0);
    assert_memory_equal(order.x, other.x, order.count * sizeof *order.x);
}

static size_t next_of(size_t point, size_t n)
{
    size_t next = n, least = 0;
    for (size_t k = 0; k < n; ++k) {
        least = x[k] < x[least] ? k : least;
        if (x[k] > x[point] && (next == n || x[k] < x[next]))
            next = k;
    }
    return next == n ? least : next;
}

// The next point is searched for by looking at all.
TEST(ranks_are_those_of_a_plain_search)
{
    for (size_t n = 2; n < 800; n = 3 * n + 1) {
        long double mean = 0, variance = 0, products = 0;
        size_t      last = 0;
        for (size_t k = 0; k < n; ++k) {
            x[k] = exp(5.0 * unit(n, 0, k));
            y[k] = 1e4 + sin(3.0 * x[k]) + unit(n, 1, k);
            last = x[k] > x[last] ? k : last;
            mean += (long double)y[k] / n;
        }
        for (size_t k = 0; k < n; ++k) {
            variance += (y[k] - mean) * (y[k] - mean) / n;
            products += (y[k] - mean) * (y[next_of(k, n)] - mean) / n;
        }
        const GivenFirst found = find_first(n, USUAL);
        assert_int_equal(found.outcome, OUTCOME_FOUND);
        assert_int_equal(found.estimator, GIVEN_RANKS);
        assert_int_equal(found.count, n);
        // The paper's index, without its step from the last point to the first one.
        products += powl(y[last] - y[next_of(last, n)], 2) / 2 / n;
        assert_near(found.value, (double)(products / variance), 1e-12);
    }
}

TEST(ranks_reach_ishigamis_indices)
{
    const KnownIndices truth = known_indices_of_ishigami();
    for (size_t factor = 0; factor < 3; ++factor) {
        draw_ishigami(factor, MOST, 3);
        const GivenFirst found = find_first(MOST, USUAL);
        assert_near(found.value, truth.first[factor], 2.0 * found.conf);
        assert_true(found.conf > 0.003 && found.conf < 0.03);
        for (size_t k = 0; k < MOST; ++k)
            y[k] = -1e6 * y[k] + 1e9;
        assert_near(find_first(MOST, USUAL).value, found.value, 1e-9);
    }
}

// Noise, which x explains no part of; half of the variance from x; nearly all of it from x.
static double test_y(size_t kind, uint64_t seed, size_t k)
{
    const double own = x[k] - 0.5, other = unit(seed, 1, k) - 0.5;
    return kind == 0 ? other : kind == 1 ? own + other : 10.0 * own + other;
}

TEST(intervals_of_ranks_cover)
{
    enum { SEEDS = 300 };
    const double truth[] = {0.0, 0.5, 100.0 / 101.0};
    for (size_t n = 60; n <= 960; n *= 4)
        for (size_t kind = 0; kind < 3; ++kind) {
            size_t covered = 0;
            double widths = 0.0, errors = 0.0;
            for (uint64_t seed = 0; seed < SEEDS; ++seed) {
                for (size_t k = 0; k < n; ++k) {
                    x[k] = unit(seed, 0, k);
                    y[k] = test_y(kind, seed, k);
                }
                const GivenFirst found = find_first(n, USUAL);
                covered += fabs(found.value - truth[kind]) <= found.conf;
                widths += found.conf / SEEDS;
                errors += pow(found.value - truth[kind], 2) / SEEDS;
            }
            // The width is that of the errors, and intervals hold as often as they say.
            const double width = widths / 1.96 / sqrt(errors);
            if (width < 0.9 || width > 1.35 || (double)covered < 0.92 * SEEDS - 14 ||
                (double)covered > 0.98 * SEEDS + 6)
                fail_msg("%zu points, kind %zu: width %.3f, held %zu of %d", n, kind, width, covered, SEEDS);
        }
}

// The 97.5 % quantile of Student's distribution, by Simpson's rule over its density.
static double student_of(double freedom)
{
    enum { PANELS = 400 };
    const double scale = exp(lgamma(0.5 * (freedom + 1.0)) - lgamma(0.5 * freedom)) / sqrt(freedom * PI);
    double       low = 1.0, high = 5.0;
    while (high - low > 1e-10) {
        const double t = 0.5 * (low + high), step = t / PANELS;
        double       sum = 0.0;
        for (int i = 0; i <= PANELS; ++i) {
            const double weight = i == 0 || i == PANELS ? 1.0 : i % 2 ? 4.0 : 2.0;
            sum += weight * scale * pow(1.0 + i * step * i * step / freedom, -0.5 * (freedom + 1.0));
        }
        *(sum * step / 3.0 < 0.475 ? &low : &high) = t;
    }
    return low;
}

// By the definition in given.h, term by term; too few points have no interval.
TEST(intervals_of_ranks_are_those_of_plain_sums)
{
    for (size_t n = 32; n <= 128; n *= 2)
        for (size_t kind = 0; kind < 3; ++kind) {
            long double mean = 0, variance = 0, terms[128], products[6] = {0}, fourth = 0;
            for (size_t k = 0; k < n; ++k) {
                x[k] = (double)k / (double)n;
                y[k] = 1e3 * test_y(kind, 5, k);
                mean += (long double)y[k] / n;
            }
            for (size_t k = 0; k < n; ++k)
                variance += (y[k] - mean) * (y[k] - mean) / n;
            const GivenFirst found = find_first(n, USUAL);
            for (size_t k = 0; k + 1 < n; ++k) {
                const long double a = y[k] - mean, b = y[k + 1] - mean;
                terms[k] = (found.value * (a * a + b * b) / 2 - a * b) / variance;
                fourth += powl(terms[k], 4);
            }
            for (size_t lag = 0; lag < 6; ++lag)
                for (size_t k = 0; k + lag + 1 < n; ++k)
                    products[lag] += terms[k] * terms[k + lag];
            const long double place = (products[2] + products[3] + products[4] + products[5]) / 4;
            const long double spread = fmaxl(products[0] + 2 * products[1] - 2 * place, products[0] / 10);
            const long double share = spread / products[0], m = n - 1;
            const double      freedom = (double)(m * share / (fourth * m / (products[0] * products[0]) + 2));
            const double      half = student_of(fmax(freedom, 4.0)) * sqrt((double)spread) / (double)n,
                         rest = 1.0 - found.value;
            assert_near(found.conf, rest * (exp(half / rest) - 1.0), 1e-7 * half);
        }
    assert_true(isnan(find_first(31, USUAL).conf));
}

TEST(ties_are_in_random_order)
{
    enum { N = 3000 };
    double mean = 0.0;
    // Three points per x, y ascending along the file: in this order neighbours would be alike.
    for (size_t k = 0; k < N; ++k) {
        x[k] = (double)(k % 1000);
        y[k] = (double)(k / 1000);
    }
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const GivenFirst found = find_seeded(N, USUAL, seed);
        assert_int_equal(found.estimator, GIVEN_RANKS);
        mean += found.value / 20;
    }
    // Within a value neighbours differ, between values they are independent: 2/3 of -1/2.
    assert_near(mean, -1.0 / 3, 0.03);
}

// Points that are there twice: the neighbour is the copy half of the time.
TEST(copies_of_points_are_allowed)
{
    enum { N = 2000 };
    for (size_t k = 0; k < N; ++k) {
        x[k] = unit(7, 0, k / 2);
        y[k] = unit(7, 1, k / 2);
    }
    assert_near(find_first(N, USUAL).value, 0.5, 0.06);
}

TEST(ratio_is_that_of_plain_sums)
{
    enum { VALUES = 7 };
    for (size_t n = 4 * VALUES; n < 2000; n *= 3) {
        long double sums[VALUES] = {0}, mean = 0, within = 0, whole = 0;
        size_t      counts[VALUES] = {0};
        for (size_t k = 0; k < n; ++k) {
            const size_t value = k < VALUES ? k : (size_t)(VALUES * pow(unit(n, 0, k), 2));
            x[k] = -1.5 * (double)value;
            y[k] = 1e3 + sin((double)value) + unit(n, 1, k);
            sums[value] += y[k];
            ++counts[value];
            mean += (long double)y[k] / n;
        }
        for (size_t k = 0; k < n; ++k) {
            const size_t value = (size_t)(-x[k] / 1.5);
            within += powl(y[k] - sums[value] / counts[value], 2);
            whole += powl(y[k] - mean, 2);
        }
        const GivenFirst found = find_first(n, USUAL), grid = find_first(n, (GivenOptions){.whole_grid = true});
        assert_int_equal(found.estimator, GIVEN_RATIO);
        assert_near(found.value, (double)(1 - within / whole * (n - 1) / (n - VALUES)), 1e-12);
        assert_int_equal(grid.estimator, GIVEN_GRID_RATIO);
        assert_near(grid.value, (double)(1 - within / whole), 1e-12);
        assert_true(isnan(grid.conf));
    }
    // One point less than four per value.
    x[4 * VALUES - 1] = 1.0;
    assert_int_equal(find_first(4 * VALUES - 1, USUAL).estimator, GIVEN_RATIO - 1);
}

TEST(ratio_has_no_bias_and_covers)
{
    enum { SEEDS = 200, VALUES = 10, N = 400 };
    // x takes 0..9: the variance of x is 99/12, of y = c x + u: c^2 99/12 + 1/12.
    const double slopes[] = {0.0, 0.1, 1.0};
    for (size_t s = 0; s < 3; ++s) {
        const double truth = slopes[s] * slopes[s] * 99 / (slopes[s] * slopes[s] * 99 + 1);
        double       mean = 0.0, squares = 0.0;
        size_t       covered = 0;
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            for (size_t k = 0; k < N; ++k) {
                x[k] = floor(VALUES * unit(seed, 0, k));
                y[k] = slopes[s] * x[k] + unit(seed, 1, k);
            }
            const GivenFirst found = find_seeded(N, USUAL, seed);
            mean += found.value / SEEDS;
            squares += found.value * found.value / SEEDS;
            covered += fabs(found.value - truth) <= found.conf;
        }
        assert_near(mean, truth, 4.0 * sqrt((squares - mean * mean) / SEEDS));
        assert_near((double)covered / SEEDS, 0.95, 0.04);
    }
}

// All combinations of 5 by 4 by 3 values: f + g h has the index Var f / (Var f + Var(g h)) to rounding.
TEST(whole_grids_are_exact)
{
    double f = 0.0, rest = 0.0;
    for (size_t k = 0; k < 60; ++k) {
        const double i = (double)(k % 5) - 2.0, j = (double)(k / 5 % 4) - 1.5, l = (double)(k / 20) - 1.0;
        x[k] = i;
        y[k] = i * i - 2.0 + j * l;
        f += (i * i - 2.0) * (i * i - 2.0);
        rest += j * j * l * l;
    }
    assert_near(find_first(60, (GivenOptions){.whole_grid = true}).value, f / (f + rest), 1e-14);
    assert_true(find_first(60, USUAL).value < f / (f + rest) - 0.01);
}

TEST(degenerate_points_are_told)
{
    for (size_t k = 0; k < 100; ++k) {
        x[k] = (double)k;
        y[k] = 1e6 + (k % 2 ? 0x1p-33 : 0.0);
    }
    assert_int_equal(find_first(100, USUAL).outcome, OUTCOME_CONSTANT);
    assert_true(isnan(find_first(100, USUAL).value));
    assert_int_equal(find_first(1, USUAL).outcome, OUTCOME_TOO_FEW);
    assert_int_equal(find_first(0, USUAL).outcome, OUTCOME_TOO_FEW);
    assert_int_equal(find_pawn(100, 5, 19, 1).outcome, OUTCOME_CONSTANT);
    assert_int_equal(find_pawn(0, 5, 19, 1).outcome, OUTCOME_TOO_FEW);
    assert_true(isnan(find_pawn(0, 5, 19, 1).distance.most));
    assert_int_equal(find_pawn(100, 0, 19, 1).slice_count, 0);
    for (size_t k = 0; k < 100; ++k)
        y[k] = k % 2 ? 1e200 : (double)k;
    assert_int_equal(find_first(100, USUAL).outcome, OUTCOME_TOO_LARGE);
    assert_int_equal(find_pawn(100, 5, 19, 1).outcome, OUTCOME_FOUND);
    // The sum of a thousand tenths is not 100.
    for (size_t n = 100; n <= 10000; n *= 10) {
        for (size_t k = 0; k < n; ++k) {
            x[k] = unit(1, 0, k);
            y[k] = 0.1;
        }
        assert_int_equal(find_first(n, USUAL).outcome, OUTCOME_CONSTANT);
    }
    // Subsamples without the one other value are constant, and have no index.
    y[77] = 1.0;
    assert_near(find_first(1000, USUAL).value, 0.0, 0.01);
    assert_true(find_first(1000, USUAL).conf < 0.05);
    // A factor that does not vary explains nothing.
    for (size_t k = 0; k < 100; ++k) {
        x[k] = 2.0;
        y[k] = (double)k;
    }
    assert_near(find_first(100, USUAL).value, 0.0, 1e-15);
    assert_int_equal(find_pawn(100, 5, 19, 1).slice_count, 1);
    assert_near(find_pawn(100, 5, 19, 1).distance.most, 0.0, 0.0);
}

TEST(points_that_are_not_finite_are_left_out)
{
    draw_ishigami(1, 500, 4);
    const GivenFirst first = find_first(500, USUAL);
    const GivenPawn  pawn = find_pawn(500, 5, 0, 1);
    for (size_t k = 500; k < 600; ++k) {
        x[k] = k % 3 ? x[k - 500] : (double)NAN;
        y[k] = k % 3 == 1 ? (double)NAN : k % 3 == 2 ? -(double)INFINITY : 1e3;
    }
    const GivenFirst found = find_first(600, USUAL);
    const GivenPawn  also = find_pawn(600, 5, 0, 1);
    assert_int_equal(found.count, 500);
    assert_true(found.value == first.value && found.conf == first.conf);
    assert_true(also.count == 500 && also.distance.mean == pawn.distance.mean);
}

static double share_below(const double *numbers, size_t count, double at)
{
    size_t below = 0;
    for (size_t k = 0; k < count; ++k)
        below += numbers[k] <= at;
    return (double)below / (double)count;
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// Every y is tried in both distributions; x are the whole numbers, in order, so that slices are runs.
TEST(pawn_is_that_of_a_plain_search)
{
    for (size_t levels = 3; levels < 5000; levels *= 11)
        for (size_t n = 20; n <= 420; n += 200)
            for (size_t slices = 1; slices <= 10; slices += 3) {
                double distances[10] = {0}, sum = 0.0;
                for (size_t k = 0; k < n; ++k) {
                    x[k] = (double)k;
                    y[k] = floor((double)levels * pow(unit(levels, 0, k), 1.0 + x[k] / (double)n));
                }
                for (size_t s = 0; s < slices; ++s) {
                    const size_t start = s * n / slices, end = (s + 1) * n / slices;
                    for (size_t k = 0; k < n; ++k)
                        distances[s] = fmax(distances[s],
                                            fabs(share_below(y + start, end - start, y[k]) - share_below(y, n, y[k])));
                    sum += distances[s];
                }
                qsort(distances, slices, sizeof *distances, ascending);
                const GivenPawn found = find_pawn(n, slices, 0, 1);
                assert_int_equal(found.slice_count, slices);
                assert_near(found.distance.median, 0.5 * (distances[(slices - 1) / 2] + distances[slices / 2]), 1e-15);
                assert_near(found.distance.mean, sum / (double)slices, 1e-15);
                assert_near(found.distance.most, distances[slices - 1], 1e-15);
                assert_true(isnan(found.dummy.median));
            }
}

// Slice s of S holds the s-th part of y = x: the distance is the larger of s / S and 1 - (s + 1) / S.
TEST(pawn_of_the_factor_itself)
{
    for (size_t k = 0; k < 1000; ++k)
        x[k] = y[k] = unit(1, 0, k);
    const GivenPawn found = find_pawn(1000, 10, 99, 1);
    assert_near(found.distance.median, 0.7, 1e-14);
    assert_near(found.distance.mean, 0.7, 1e-14);
    assert_near(found.distance.most, 0.9, 1e-14);
    assert_true(found.dummy.median < 0.11 && found.dummy.most < 0.25);
    for (size_t k = 0; k < 1000; ++k)
        y[k] = exp(-600.0 * y[k]);
    const GivenPawn monotone = find_pawn(1000, 10, 99, 1);
    assert_near(monotone.distance.mean, found.distance.mean, 1e-14);
    assert_near(monotone.dummy.mean, found.dummy.mean, 1e-14);
}

// A factor without influence exceeds the level once in 20 times.
TEST(dummies_are_exceeded_once_in_twenty)
{
    enum { SEEDS = 400, N = 150 };
    double exceeded[3] = {0};
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        for (size_t k = 0; k < N; ++k) {
            x[k] = unit(seed, 0, k);
            y[k] = unit(seed, 1, k);
        }
        const GivenPawn found = find_pawn(N, 5, 39, 1000 + seed);
        exceeded[0] += found.distance.median > found.dummy.median;
        exceeded[1] += found.distance.mean > found.dummy.mean;
        exceeded[2] += found.distance.most > found.dummy.most;
    }
    for (size_t i = 0; i < 3; ++i)
        assert_near(exceeded[i] / SEEDS, 0.05, 0.03);
    assert_true(isnan(find_pawn(N, 5, 18, 1).dummy.mean));
    assert_true(isfinite(find_pawn(N, 5, 19, 1).dummy.mean));
}

TEST(means_are_those_of_runs)
{
    GivenSlice *slices;
    size_t      count;
    for (size_t k = 0; k < 10; ++k) {
        x[k] = (double)((7 * k) % 10);
        y[k] = 1e9 + x[k] * x[k];
    }
    GivenOrder order = order_of(10, 1);
    assert_true(given_find_means(&order, y, 3, &arena, &slices, &count, &err));
    const GivenSlice expected[] = {{0, 2, 3, 1e9 + 5.0 / 3, sqrt(13.0 / 9)},
                                   {3, 5, 3, 1e9 + 50.0 / 3, sqrt(193.0 / 9)},
                                   {6, 9, 4, 1e9 + 57.5, sqrt(1129.0 / 12)}};
    assert_int_equal(count, 3);
    for (size_t s = 0; s < 3; ++s) {
        assert_near(slices[s].least, expected[s].least, 0.0);
        assert_near(slices[s].most, expected[s].most, 0.0);
        assert_int_equal(slices[s].count, expected[s].count);
        assert_near(slices[s].mean, expected[s].mean, 2e-7);
        assert_near(slices[s].error, expected[s].error, 1e-9);
    }
    assert_true(given_find_means(&order, y, 99, &arena, &slices, &count, &err));
    assert_int_equal(count, 10);
    assert_true(slices[4].mean == y[2] && isnan(slices[4].error));
    order.count = 0;
    assert_true(given_find_means(&order, y, 3, &arena, &slices, &count, &err));
    assert_int_equal(count, 0);
}

static size_t slices_of(size_t n, size_t slices, size_t *sizes)
{
    GivenSlice      *found;
    size_t           count;
    const GivenOrder order = order_of(n, 1);
    assert_true(given_find_means(&order, y, slices, &arena, &found, &count, &err));
    for (size_t s = 0; s < count; ++s) {
        sizes[s] = found[s].count;
        assert_true(s == 0 || found[s - 1].most < found[s].least);
    }
    return count;
}

TEST(slices_do_not_cut_equal_values)
{
    size_t sizes[10];
    for (size_t k = 0; k < 120; ++k)
        x[k] = (double)(k % 12);
    assert_int_equal(slices_of(120, 10, sizes), 10);
    assert_true(sizes[0] == 10 && sizes[1] == 10 && sizes[2] == 20 && sizes[7] == 20 && sizes[9] == 10);
    for (size_t k = 0; k < 120; ++k)
        x[k] = (double)(k % 3);
    assert_int_equal(slices_of(120, 10, sizes), 3);
    assert_true(sizes[0] == 40 && sizes[1] == 40 && sizes[2] == 40);
    for (size_t k = 0; k < 120; ++k)
        x[k] = k < 80 ? 0.0 : (double)k;
    assert_int_equal(slices_of(120, 4, sizes), 3);
    assert_true(sizes[0] == 80 && sizes[1] == 10 && sizes[2] == 30);
}

// Of Sobol' points neighbours in x are far apart in the rest: ranks are wrong, the means of slices are not. Here the
// points of the first two dimensions are those of Hammersley, i/n and the reversed digits of i.
TEST(slices_suit_even_points)
{
    enum { N = 1024, BITS = 10 };
    static double at[N], other[N], out[N];
    for (unsigned i = 0; i < N; ++i) {
        unsigned reversed = 0;
        for (unsigned k = 0; k < BITS; ++k)
            reversed |= (i >> k & 1) << (BITS - 1 - k);
        at[i] = (i + 0.5) / N;
        other[i] = (reversed + 0.5) / N;

        out[i] = 2.0 * at[i] + other[i];  // S1 = 4/5
    }
    GivenOrder order;
    GivenFirst even, ranks;
    assert_true(given_make_order(at, N, 1, &arena, &order, &err));
    assert_true(given_find_first(&order, out, &(GivenOptions){.net = true}, &even, &err));
    assert_true(given_find_first(&order, out, &USUAL, &ranks, &err));
    assert_int_equal(even.estimator, GIVEN_SLICES);
    assert_true(fabs(even.value - 0.8) < 0.006);
    assert_true(fabs(ranks.value - 0.8) > 0.1);
    assert_true(isnan(even.conf));
}
