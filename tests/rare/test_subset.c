// test_subset -- subset simulation against closed forms: tails of linear functions and of sums of squares of normals.
#include "analysis/rare/subset.h"
#include "design/distribution.h"
#include "support/test.h"

// A function of normals, and the limit of a draw's calls.
typedef struct Form {
    size_t dimension;
    bool   squares;
} Form;

static bool evaluate(const double *points, size_t count, double *values, void *user, UNUSED Error *problem)
{
    const Form *form = user;
    for (size_t k = 0; k < count; ++k) {
        const double *point = points + k * form->dimension;
        double        sum = 0.0;
        for (size_t i = 0; i < form->dimension; ++i)
            sum += form->squares ? point[i] * point[i] : point[i] / sqrt((double)form->dimension);
        values[k] = sum;
    }
    return true;
}

static Subset run(Form *form, double threshold, size_t samples, size_t runs, uint64_t seed)
{
    static SubsetRequest request;
    Subset               subset;
    request = (SubsetRequest){.dimension = form->dimension,
                              .samples = samples,
                              .runs = runs,
                              .threshold = threshold,
                              .seed = seed,
                              .evaluate = evaluate,
                              .user = form};
    assert_fine(subset_run(&request, &subset, &err));
    return subset;
}

// The estimate of 32 runs: its error is that of the mean, below four of its deviations.
static void compare(Form form, double threshold, double due)
{
    Subset       subset = run(&form, threshold, 1000, 32, 1);
    double       squares = 0.0;
    const double value = subset.probability.value;
    for (size_t r = 0; r < 32; ++r)
        squares += pow(subset.runs[r].probability / value - 1.0, 2.0) / 31.0;
    const double error = sqrt(squares / 32.0);
    print_message("d = %zu: %.3g, due %.3g; deviation of a run %.2f, stated %.2f\n", form.dimension, value, due,
                  sqrt(squares), subset.runs[0].variation);
    assert_near(value / due, 1.0, 4.0 * error);
    assert_true(error < 0.12);
    subset_free(&subset);
}

TEST(tail_of_a_linear_function)
{
    compare((Form){.dimension = 2}, 3.5, 2.326290790355250e-4);
    compare((Form){.dimension = 2}, 4.753424308822899, 1e-6);
    compare((Form){.dimension = 50}, 3.5, 2.326290790355250e-4);
    compare((Form){.dimension = 50}, 4.753424308822899, 1e-6);
    compare((Form){.dimension = 2}, 5.997807015007686, 1e-9);
}

// The sum of two squares has the tail exp(-v / 2); of four, exp(-v / 2) (1 + v / 2), which is 1e-6 at v.
TEST(tail_of_a_sum_of_squares)
{
    compare((Form){.dimension = 2, .squares = true}, 6.0 * log(100.0), 1e-6);
    const double v = 33.37684158171984;
    assert_near(exp(-0.5 * v) * (1.0 + 0.5 * v), 1e-6, 1e-14);
    compare((Form){.dimension = 4, .squares = true}, v, 1e-6);
}

// How often stated intervals hold the probability: of a hundred seeds, of eight runs and of one.
TEST(coverage_of_intervals)
{
    const double due = 1e-6, threshold = 4.753424308822899;
    Form         form = {.dimension = 2};
    int          hits = 0, single = 0;
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        Subset                 subset = run(&form, threshold, 200, 8, seed);
        const IntervalEstimate of_one = subset.runs[0].interval;
        hits += subset.probability.low <= due && due <= subset.probability.high;
        single += of_one.low <= due && due <= of_one.high;
        subset_free(&subset);
    }
    print_message("intervals of eight runs hold %d of 100 times, of one run %d\n", hits, single);
    assert_in_range(hits, 85, 100);
    // A run's own interval leaves out what its levels have in common: it is too short, as its page says.
    assert_in_range(single, 65, 100);
}

TEST(same_numbers_of_the_same_seed)
{
    Form   form = {.dimension = 3};
    Subset a = run(&form, 4.0, 300, 2, 7), b = run(&form, 4.0, 300, 2, 7), c = run(&form, 4.0, 300, 2, 8);
    for (size_t r = 0; r < 2; ++r) {
        assert_true(a.runs[r].probability == b.runs[r].probability);
        assert_true(a.runs[r].variation == b.runs[r].variation);
    }
    assert_true(a.runs[0].probability != a.runs[1].probability);
    assert_true(a.runs[0].levels[1].threshold != c.runs[0].levels[1].threshold);
    subset_free(&a);
    subset_free(&b);
    subset_free(&c);
}

// The nearest point of a linear event lies at beta, and at equal shares of it in each coordinate.
TEST(nearest_point)
{
    Form   form = {.dimension = 2};
    Subset subset = run(&form, 4.0, 1000, 8, 3);
    assert_near(subset.distance, 4.0, 0.02);
    assert_true(subset.distance >= 4.0);
    assert_near(subset.nearest[0], 4.0 / sqrt(2.0), 0.3);
    assert_near(subset.nearest[1], 4.0 / sqrt(2.0), 0.3);
    subset_free(&subset);
}

// How much less points of chains count, by Au and Beck's equations 26 to 29: of points [step][chain] with the values.
static double correlation_of(const double *values, size_t samples, double threshold)
{
    const size_t chains = samples / SUBSET_CHAIN;
    double       covariances[SUBSET_CHAIN], share = 0.0, gamma = 0.0;
    for (size_t k = 0; k < samples; ++k)
        share += (values[k] >= threshold) / (double)samples;
    for (size_t lag = 0; lag < SUBSET_CHAIN; ++lag) {
        covariances[lag] = -share * share;
        for (size_t chain = 0; chain < chains; ++chain)
            for (size_t step = 0; step + lag < SUBSET_CHAIN; ++step)
                if (values[step * chains + chain] >= threshold && values[(step + lag) * chains + chain] >= threshold)
                    covariances[lag] += 1.0 / (double)((SUBSET_CHAIN - lag) * chains);
    }
    for (size_t lag = 1; lag < SUBSET_CHAIN; ++lag)
        gamma += 2.0 * (1.0 - (double)(lag * chains) / (double)samples) * covariances[lag] / covariances[0];
    return gamma;
}

// Levels: each keeps a tenth, chains accept near 0.44, and the points are those that the page promises.
TEST(levels)
{
    Form             form = {.dimension = 2};
    Subset           subset = run(&form, 4.753424308822899, 1000, 1, 5);
    const SubsetRun *only = &subset.runs[0];
    // The last of six thresholds may lie below the value, or above it.
    assert_in_range(only->level_count, 6, 7);
    assert_int_equal(subset.point_count, 1000 + 900 * (only->level_count - 1));
    for (size_t i = 0; i + 1 < only->level_count; ++i) {
        assert_near(only->levels[i].share, 0.1, 0.0);
        assert_true(only->levels[i + 1].threshold > only->levels[i].threshold);
        assert_near(only->levels[i + 1].acceptance, 0.44, 0.1);
        assert_near(only->levels[i].probability / pow(0.1, (double)i), 1.0, 1e-12);
    }
    assert_true(only->levels[0].correlation == 0.0);
    double squares = 0.0;
    for (size_t i = 0; i < only->level_count; ++i) {
        const SubsetLevel *level = &only->levels[i];
        if (i > 0 && i + 1 < only->level_count)
            assert_near(level->correlation, correlation_of(only->values[i], 1000, only->levels[i + 1].threshold),
                        1e-12);
        squares += (1.0 - level->share) / (level->share * 1000.0) * (1.0 + level->correlation);
    }
    assert_true(only->levels[1].correlation > 0.0);
    assert_near(only->variation, sqrt(squares), 1e-12);
    const double half = 1.959963984540054 * sqrt(log(1.0 + squares));
    assert_near(only->interval.low / only->probability, exp(-half), 1e-12);
    assert_near(only->interval.high / only->probability, exp(half), 1e-10);
    subset_free(&subset);
}

// Whole numbers: several points have the value of a threshold.
static bool round_down(const double *points, size_t count, double *values, UNUSED void *user, UNUSED Error *problem)
{
    for (size_t k = 0; k < count; ++k)
        values[k] = floor(points[k]);
    return true;
}

TEST(levels_of_equal_values)
{
    Subset        subset;
    SubsetRequest request = {
        .dimension = 1, .samples = 1000, .runs = 32, .threshold = 1.0, .seed = 1, .evaluate = round_down};
    assert_fine(subset_run(&request, &subset, &err));
    const double due = 0.022750131948179212;  // P(z >= 2)
    print_message("steps: %.4g, due %.4g\n", subset.probability.value, due);
    assert_near(subset.probability.value / due, 1.0, 0.08);
    double mean = 0.0;
    for (size_t r = 0; r < 32; ++r)
        mean += subset.runs[r].probability / 32.0;
    assert_near(mean / subset.probability.value, 1.0, 1e-12);
    subset_free(&subset);
    // From 2 on the next value has less than a tenth of the points.
    request.threshold = 2.0;
    assert_fine(subset_run(&request, &subset, &err));
    assert_near(subset.probability.value / 1.349898031630095e-3, 1.0, 0.15);
    subset_free(&subset);
}

// The interval of several runs is Student's of their logarithms, around the mean.
TEST(interval_of_runs)
{
    Form         form = {.dimension = 2};
    Subset       subset = run(&form, 3.0, 100, 3, 4);
    double       logs[3], mean = 0.0, mean_log = 0.0, squares = 0.0;
    const double student = 4.302652729911275;  // the quantile 0.975 of two degrees of freedom
    for (size_t r = 0; r < 3; ++r) {
        logs[r] = log(subset.runs[r].probability);
        mean += subset.runs[r].probability / 3.0;
        mean_log += logs[r] / 3.0;
    }
    for (size_t r = 0; r < 3; ++r)
        squares += pow(logs[r] - mean_log, 2.0);
    const double half = student * sqrt(squares / 2.0 / 3.0);
    assert_near(subset.probability.value / mean, 1.0, 1e-12);
    assert_near(log(subset.probability.high / mean), half, 1e-9);
    assert_near(log(subset.probability.low / mean), -half, 1e-9);
    subset_free(&subset);
}

// Beyond other thresholds the same points say how probable it is: of a sum of two squares exp(-v / 2). How often the
// intervals hold that is counted over a hundred seeds, in each level.
TEST(beyond_other_thresholds)
{
    enum { PLACES = 7 };
    const double end = 6.0 * log(100.0);
    Form         form = {.dimension = 2, .squares = true};
    int          hits[PLACES] = {0}, single[PLACES] = {0};
    double       means[PLACES] = {0.0};
    for (uint64_t seed = 1; seed <= 100; ++seed)
        for (size_t runs = 1; runs <= 8; runs += 7) {
            Subset subset = run(&form, end, 200, runs, seed);
            for (size_t i = 0; i < PLACES; ++i) {
                // Between the thresholds of the levels too.
                const double           v = end * (0.1 + 0.9 * (double)i / (PLACES - 1)), due = exp(-0.5 * v);
                const IntervalEstimate found = subset_beyond(&subset, v);
                *(runs == 1 ? &single[i] : &hits[i]) += found.low <= due && due <= found.high;
                means[i] += runs == 1 ? 0.0 : found.value / due / 100.0;
            }
            const IntervalEstimate last = subset_beyond(&subset, end);
            assert_true(last.value == subset.probability.value);
            assert_near(last.low / subset.probability.low, 1.0, 1e-12);
            assert_near(last.high / subset.probability.high, 1.0, 1e-12);
            if (runs == 1)
                assert_near(last.high / subset.runs[0].interval.high, 1.0, 1e-12);
            subset_free(&subset);
        }
    for (size_t i = 0; i < PLACES; ++i) {
        print_message("v = %.3g: intervals of eight runs hold %d of 100 times, of one run %d; mean %.3f\n",
                      end * (0.1 + 0.9 * (double)i / (PLACES - 1)), hits[i], single[i], means[i]);
        assert_in_range(hits[i], 85, 100);
        assert_in_range(single[i], 65, 100);
        // The method makes its mean too large, by a part that falls with the points of a level.
        assert_near(means[i], 1.0, 0.05 + 0.07 * (double)i);
    }
}

// What a threshold is that a point has exactly: such a point does not lie beyond it.
TEST(beyond_values_that_points_have)
{
    Subset        subset;
    SubsetRequest request = {
        .dimension = 1, .samples = 1000, .runs = 32, .threshold = 2.0, .seed = 1, .evaluate = round_down};
    assert_fine(subset_run(&request, &subset, &err));
    // floor(z) > 0 is z >= 1, floor(z) > 1 is z >= 2.
    assert_near(subset_beyond(&subset, 0.0).value / 0.15865525393145707, 1.0, 0.02);
    assert_near(subset_beyond(&subset, 1.0).value / 0.022750131948179212, 1.0, 0.08);
    assert_true(subset_beyond(&subset, 0.5).value == subset_beyond(&subset, 0.0).value);
    subset_free(&subset);
}

static bool stand(UNUSED const double *points, size_t count, double *values, UNUSED void *user, UNUSED Error *problem)
{
    for (size_t k = 0; k < count; ++k)
        values[k] = 1.0;
    return true;
}

static bool bounded(const double *points, size_t count, double *values, UNUSED void *user, UNUSED Error *problem)
{
    for (size_t k = 0; k < count; ++k)
        values[k] = points[k];
    return true;
}

TEST(refusals)
{
    Subset        subset;
    SubsetRequest request = {.dimension = 1, .samples = 90, .runs = 1, .threshold = 2.0, .evaluate = stand};
    assert_refused(subset_run(&request, &subset, &err), ERROR_USAGE, "a level has 100 to 1000000 samples");
    subset_free(&subset);
    request.samples = 105;
    assert_refused(subset_run(&request, &subset, &err), ERROR_USAGE, "a multiple of 10");
    subset_free(&subset);
    request.samples = 100;
    request.runs = 65;
    assert_refused(subset_run(&request, &subset, &err), ERROR_USAGE, "1 to 64 runs");
    subset_free(&subset);
    request.runs = 1;
    assert_refused(subset_run(&request, &subset, &err), ERROR_FAILED, "no higher than it began");
    subset_free(&subset);
    request.evaluate = bounded;
    request.threshold = 1e3;
    assert_refused(subset_run(&request, &subset, &err), ERROR_FAILED, "after 20 levels");
    subset_free(&subset);
    // Where everything lies in the event, one level finds it.
    request.threshold = -1e3;
    assert_fine(subset_run(&request, &subset, &err));
    assert_near(subset.probability.value, 1.0, 0.0);
    assert_int_equal(subset.point_count, 100);
    subset_free(&subset);
}
