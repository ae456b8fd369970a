// given_first -- first-order indices from neighbours in x, and from the values that x takes.
#include "analysis/sensitivity/given_sample.h"
#include "analysis/sensitivity/resample.h"
#include "base/philox.h"

// Points per value of x at which the ratio is taken, and the expected sizes of subsamples.
enum { LEAST_PER_VALUE = 4, LEAST_SUBSAMPLE = 64, MOST_SUBSAMPLE = 1 << 14 };

// Sums over points in the order of x, y minus the mean of all.
typedef struct Chain {
    size_t count;
    double last;  // y
    double sum, squares;
    double jumps;  // squared differences of neighbours
} Chain;

static void add_link(Chain *chain, double y)
{
    if (chain->count++ > 0)
        chain->jumps += (y - chain->last) * (y - chain->last);
    chain->last = y;
    chain->sum += y;
    chain->squares += y * y;
}

// NaN where y is constant.
static double index_of(const Chain *chain)
{
    const double spread = chain->squares - chain->sum * chain->sum / (double)chain->count;
    return spread > (double)chain->count * DBL_EPSILON * chain->squares ? 1.0 - 0.5 * chain->jumps / spread
                                                                        : (double)NAN;
}

static double subsample(const GivenSample *sample, double share, uint64_t seed, uint64_t replicate)
{
    const double scale = 1.0 / log1p(-share);
    Chain        chain = {0};
    // Points between two of the subsample have a geometric distribution.
    for (size_t i = 0, draw = 0; i < sample->count; ++i, ++draw) {
        const double passed = floor(log(philox_unit(philox_bits(seed, draw, 1 + replicate))) * scale);
        if (passed >= (double)(sample->count - i))
            break;
        i += (size_t)passed;
        add_link(&chain, sample->y[i]);
    }
    return index_of(&chain);
}

static double share_of(size_t count)
{
    const double n = (double)count;
    return fmin(fmin(fmax(n / 8.0, LEAST_SUBSAMPLE), MOST_SUBSAMPLE) / n, 0.5);
}

static void find_by_ranks(const GivenSample *sample, const GivenOptions *options, GivenFirst *found)
{
    const double   share = share_of(sample->count);
    ResampleSpread spread = {0};
    Chain          chain = {0};
    for (size_t i = 0; i < sample->count; ++i)
        add_link(&chain, sample->y[i]);
    for (size_t r = 0; r < options->replicates; ++r)
        resample_add(&spread, subsample(sample, share, options->seed, r));
    found->estimator = GIVEN_RANKS;
    found->value = index_of(&chain);
    found->conf = resample_half_width(resample_deviation(&spread) * sqrt(share / (1.0 - share)));
}

// The points from `start` that have its x end here; their mean.
static size_t find_value(const GivenSample *sample, size_t start, double *mean)
{
    double sum = 0.0;
    size_t end = start;
    for (; end < sample->count && sample->x[end] == sample->x[start]; ++end)
        sum += sample->y[end];
    *mean = sum / (double)(end - start);
    return end;
}

static void find_by_ratio(const GivenSample *sample, size_t value_count, GivenEstimator estimator, GivenFirst *found)
{
    const bool     biased = estimator == GIVEN_RATIO;
    const double   n = (double)sample->count;
    double         within = 0.0, mean;
    ResampleSpread influence = {0};
    for (size_t i = 0, end; i < sample->count; i = end) {
        end = find_value(sample, i, &mean);
        for (size_t k = i; k < end; ++k)
            within += (sample->y[k] - mean) * (sample->y[k] - mean);
    }
    const double rest = within / n / sample->variance;
    found->estimator = estimator;
    found->value = 1.0 - (biased ? rest * (n - 1.0) / (n - (double)value_count) : rest);
    for (size_t i = 0, end; i < sample->count; i = end) {
        end = find_value(sample, i, &mean);
        for (size_t k = i; k < end; ++k) {
            const double y = sample->y[k];
            resample_add(&influence, (2.0 * y * mean - mean * mean - found->value * y * y) / sample->variance);
        }
    }
    found->conf =
        estimator == GIVEN_GRID_RATIO ? (double)NAN : resample_half_width(resample_deviation(&influence) / sqrt(n));
}

// Gives all points of a slice the same x. The number of slices is a power of two, as the number of a net's points is.
static bool merge_slices(GivenSample *sample, Arena *arena, Error *err)
{
    size_t slices = 1;
    while (4 * slices * slices <= sample->count)
        slices *= 2;
    size_t *starts = arena_take(arena, slices + 1, sizeof *starts, err);
    if (!starts)
        return false;
    slices = given_sample_cut(sample, slices, starts);
    for (size_t s = 0; s < slices; ++s)
        for (size_t i = starts[s]; i < starts[s + 1]; ++i)
            sample->x[i] = (double)s;
    return true;
}

bool given_find_first(const GivenOrder *order, const double *y, const GivenOptions *options, GivenFirst *found,
                      Error *err)
{
    GivenSample sample;
    Arena       room = {0};
    size_t      value_count = 0;
    bool        ok = given_sample_make(order, y, &room, &sample, err);
    *found = (GivenFirst){.count = sample.count, .value = (double)NAN, .conf = (double)NAN};
    found->outcome = outcome_of(sample.count, 2, sample.variance, sample.largest);
    for (size_t i = 0; ok && i < sample.count; ++i)
        value_count += i == 0 || sample.x[i] != sample.x[i - 1];
    if (ok && found->outcome == OUTCOME_FOUND) {
        given_sample_centre(&sample);
        if (options->whole_grid || sample.count >= LEAST_PER_VALUE * value_count)
            find_by_ratio(&sample, value_count, options->whole_grid ? GIVEN_GRID_RATIO : GIVEN_RATIO, found);
        else if (!options->net)
            find_by_ranks(&sample, options, found);
        else if ((ok = merge_slices(&sample, &room, err)))
            find_by_ratio(&sample, value_count, GIVEN_SLICES, found);
    }
    arena_free(&room);
    return ok;
}
