// given -- points by the order of a factor: means of slices, first-order indices by neighbours and values, PAWN.
#include "analysis/sensitivity/given.h"
#include "analysis/sensitivity/resample.h"
#include "base/philox.h"
#include "base/sort.h"

#include <stdlib.h>

// The points of one factor and one output, in the order of the factor.
typedef struct GivenSample {
    size_t  count;
    double *x, *y;                    // [count]; in the arena
    double  mean, variance, largest;  // of y; its largest magnitude
} GivenSample;

// The mean is found first: the variance then loses no digits to it.
static void find_moments(GivenSample *sample)
{
    const double n = (double)sample->count;
    double       sum = 0.0, rest = 0.0, squares = 0.0;
    for (size_t i = 0; i < sample->count; ++i) {
        sum += sample->y[i];
        sample->largest = fmax(sample->largest, fabs(sample->y[i]));
    }
    for (size_t i = 0; i < sample->count; ++i)
        rest += sample->y[i] - sum / n;
    sample->mean = sum / n + rest / n;
    for (size_t i = 0; i < sample->count; ++i)
        squares += (sample->y[i] - sample->mean) * (sample->y[i] - sample->mean);
    sample->variance = squares / n;
}

static bool make_sample(const GivenOrder *order, const double *y, Arena *arena, GivenSample *sample, Error *err)
{
    *sample = (GivenSample){.x = arena_take(arena, order->count, sizeof *sample->x, err),
                            .y = arena_take(arena, order->count, sizeof *sample->y, err)};
    if (!sample->x || !sample->y)
        return false;
    for (size_t i = 0; i < order->count; ++i) {
        const double value = y[order->points[i]];
        if (!isfinite(value))
            continue;
        sample->x[sample->count] = order->x[i];
        sample->y[sample->count++] = value;
    }
    find_moments(sample);
    return true;
}

static void centre(GivenSample *sample)
{
    for (size_t i = 0; i < sample->count; ++i)
        sample->y[i] -= sample->mean;
}

// The place nearest to `at` before which x changes.
static size_t find_change(const double *x, size_t count, size_t at)
{
    size_t low = at, high = at;
    while (low > 0 && low < count && x[low - 1] == x[low])
        --low;
    while (high > 0 && high < count && x[high - 1] == x[high])
        ++high;
    return at - low <= high - at ? low : high;
}

size_t given_cut(const double *x, size_t count, size_t slices, size_t *starts)
{
    size_t found = 0;
    for (size_t s = 0; s < slices && count > 0; ++s) {
        const size_t start = find_change(x, count, s * count / slices);
        if (start < count && (found == 0 || start > starts[found - 1]))
            starts[found++] = start;
    }
    starts[found] = count;
    return found;
}

static size_t cut(const GivenSample *sample, size_t slices, size_t *starts)
{
    return given_cut(sample->x, sample->count, slices, starts);
}

typedef struct OrderNode {
    double   x;
    uint64_t random;
    uint32_t point;
} OrderNode;

static int compare(const void *left, const void *right)
{
    const OrderNode *a = left, *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->random != b->random)
        return a->random < b->random ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

bool given_make_order(const double *x, size_t count, uint64_t seed, Arena *arena, GivenOrder *order, Error *err)
{
    OrderNode *nodes = calloc(count + 1, sizeof *nodes);
    uint32_t  *points = arena_take(arena, count, sizeof *points, err);
    double    *sorted = points ? arena_take(arena, count, sizeof *sorted, err) : NULL;
    const bool ok = nodes || fail(err, ERROR_INTERNAL, "out of memory for %zu points", count);
    *order = (GivenOrder){0, points, sorted};
    for (size_t i = 0; ok && sorted && i < count; ++i)
        if (isfinite(x[i]))
            nodes[order->count++] = (OrderNode){x[i], philox_bits(seed, i, 0), (uint32_t)i};
    if (order->count > 1)
        qsort(nodes, order->count, sizeof *nodes, compare);
    for (size_t i = 0; i < order->count; ++i) {
        points[i] = nodes[i].point;
        sorted[i] = nodes[i].x;
    }
    free(nodes);
    return ok && sorted;
}

static GivenSlice slice_of(const GivenSample *sample, size_t start, size_t end)
{
    const double n = (double)(end - start);
    double       mean = 0.0;
    int          exponent;
    for (size_t i = start; i < end; ++i)
        mean += sample->y[i] / n;
    const double squares = squares_about(sample->y + start, end - start, mean, &exponent);
    return (GivenSlice){.least = sample->x[start],
                        .most = sample->x[end - 1],
                        .count = end - start,
                        .mean = sample->mean + mean,
                        .error = n > 1.0 ? ldexp(sqrt(squares / (n - 1.0) / n), exponent) : (double)NAN};
}

bool given_find_means(const GivenOrder *order, const double *y, size_t slices, Arena *arena, GivenSlice **found,
                      size_t *found_count, Error *err)
{
    GivenSample sample = {0};
    Arena       room = {0};
    size_t     *starts = arena_take(&room, slices + 2, sizeof *starts, err);
    bool        ok = starts && make_sample(order, y, &room, &sample, err);
    centre(&sample);
    *found_count = ok ? cut(&sample, slices, starts) : 0;
    *found = ok ? arena_take(arena, *found_count, sizeof **found, err) : NULL;
    ok = *found != NULL;
    for (size_t s = 0; ok && s < *found_count; ++s)
        (*found)[s] = slice_of(&sample, starts[s], starts[s + 1]);
    arena_free(&room);
    return ok;
}

// Points per value of x at which the ratio is taken, and points of which ranks have an interval.
enum { LEAST_PER_VALUE = 4, LEAST_RANKED = 32 };

// What two neighbours add to the error of the index, to first order.
static double term_of(const GivenSample *sample, size_t i, double index)
{
    const double a = sample->y[i], b = sample->y[i + 1];
    return (0.5 * index * (a * a + b * b) - a * b) / sample->variance;
}

// Half of the interval of the index by ranks, by sums over pairs of terms that lie so many places apart.
static double find_half_width(const GivenSample *sample, double index)
{
    enum { LAGS = 6, SHARED = 2, LEAST_FREEDOM = 4 };
    static const double least_spread = 0.1;  // of the sum of squares: other sums may take more off by chance
    const size_t        count = sample->count - 1;
    double              products[LAGS] = {0}, last[LAGS] = {0}, fourth = 0.0, place = 0.0;
    for (size_t i = 0; i < count; ++i) {
        const double term = last[i % LAGS] = term_of(sample, i, index);
        for (size_t lag = 0; lag < LAGS && lag <= i; ++lag)
            products[lag] += term * last[(i - lag) % LAGS];
        fourth += term * term * term * term;
    }
    for (size_t lag = SHARED; lag < LAGS; ++lag)
        place += products[lag] / (LAGS - SHARED);
    const double squares = products[0];
    const double spread = fmax(squares + 2.0 * (products[1] - place), least_spread * squares);
    const double kurtosis = fourth * (double)count / (squares * squares);
    const double freedom = (double)count / (kurtosis + 2.0) * spread / squares;
    return squares > 0.0 ? resample_student(fmax(freedom, LEAST_FREEDOM)) * sqrt(spread) / (double)sample->count : 0.0;
}

static void find_by_ranks(const GivenSample *sample, GivenFirst *found)
{
    double jumps = 0.0;
    for (size_t i = 1; i < sample->count; ++i)
        jumps += (sample->y[i] - sample->y[i - 1]) * (sample->y[i] - sample->y[i - 1]);
    const double rest = 0.5 * jumps / ((double)sample->count * sample->variance);
    found->estimator = GIVEN_RANKS;
    found->value = 1.0 - rest;
    found->conf =
        sample->count < LEAST_RANKED ? (double)NAN : resample_skewed(rest, find_half_width(sample, found->value));
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

static void find_by_ratio(const GivenSample *sample, size_t value_count, GivenEstimator estimator, bool random,
                          GivenFirst *found)
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
    found->conf = random ? resample_half_width(resample_deviation(&influence) / sqrt(n)) : (double)NAN;
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
    slices = cut(sample, slices, starts);
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
    bool        ok = make_sample(order, y, &room, &sample, err);
    *found = (GivenFirst){.count = sample.count, .value = (double)NAN, .conf = (double)NAN};
    found->outcome = outcome_of(sample.count, 2, sample.variance, sample.largest);
    for (size_t i = 0; ok && i < sample.count; ++i)
        value_count += i == 0 || sample.x[i] != sample.x[i - 1];
    if (ok && found->outcome == OUTCOME_FOUND) {
        centre(&sample);
        if (options->whole_grid || sample.count >= LEAST_PER_VALUE * value_count)
            find_by_ratio(&sample, value_count, options->whole_grid ? GIVEN_GRID_RATIO : GIVEN_RATIO,
                          !options->whole_grid && !options->net, found);
        else if (!options->net)
            find_by_ranks(&sample, found);
        else if ((ok = merge_slices(&sample, &room, err)))
            find_by_ratio(&sample, value_count, GIVEN_SLICES, false, found);
    }
    arena_free(&room);
    return ok;
}

typedef struct PawnNode {
    double   y;
    uint32_t slice;
} PawnNode;

typedef struct Pawn {
    size_t    count, slice_count;
    PawnNode *nodes;      // [count] by ascending y
    size_t   *starts;     // [slice_count + 1]: of the slices, in the order of x
    size_t   *seen;       // [slice_count]: points of each slice so far
    double   *distances;  // [slice_count]
    double   *dummies;    // [3][permutations]
} Pawn;

static int compare_y(const void *left, const void *right)
{
    const PawnNode *a = left, *b = right;
    return (a->y > b->y) - (a->y < b->y);
}

static bool make_pawn(const GivenSample *sample, size_t slices, size_t permutations, Arena *arena, Pawn *pawn,
                      Error *err)
{
    *pawn = (Pawn){.count = sample->count,
                   .nodes = arena_take(arena, sample->count, sizeof *pawn->nodes, err),
                   .starts = arena_take(arena, slices + 2, sizeof *pawn->starts, err),
                   .seen = arena_take(arena, slices, sizeof *pawn->seen, err),
                   .distances = arena_take(arena, slices, sizeof *pawn->distances, err),
                   .dummies = arena_take(arena, permutations, 3 * sizeof *pawn->dummies, err)};
    if (!pawn->nodes || !pawn->starts || !pawn->seen || !pawn->distances || !pawn->dummies)
        return false;
    pawn->slice_count = cut(sample, slices, pawn->starts);
    for (size_t s = 0; s < pawn->slice_count; ++s)
        for (size_t i = pawn->starts[s]; i < pawn->starts[s + 1]; ++i)
            pawn->nodes[i] = (PawnNode){sample->y[i], (uint32_t)s};
    if (pawn->count > 1)
        qsort(pawn->nodes, pawn->count, sizeof *pawn->nodes, compare_y);
    return true;
}

// Compares the distributions at the node's y, of which `seen` and `below` points have been passed.
static void note_distance(Pawn *pawn, const PawnNode *node, size_t below)
{
    const size_t size = pawn->starts[node->slice + 1] - pawn->starts[node->slice];
    const double distance = fabs((double)pawn->seen[node->slice] / (double)size - (double)below / (double)pawn->count);
    pawn->distances[node->slice] = fmax(pawn->distances[node->slice], distance);
}

// Between two points of a slice its distribution stays, and that of all points rises: the largest distance is just
// before or at a point of the slice. Points of the same y are passed together.
static void find_distances(Pawn *pawn)
{
    const PawnNode *nodes = pawn->nodes;
    for (size_t s = 0; s < pawn->slice_count; ++s) {
        pawn->seen[s] = 0;
        pawn->distances[s] = 0.0;
    }
    for (size_t i = 0, end; i < pawn->count; i = end) {
        for (end = i; end < pawn->count && nodes[end].y == nodes[i].y; ++end)
            note_distance(pawn, &nodes[end], i);
        for (size_t k = i; k < end; ++k)
            ++pawn->seen[nodes[k].slice];
        for (size_t k = i; k < end; ++k)
            note_distance(pawn, &nodes[k], end);
    }
}

static GivenLevels levels_of(Pawn *pawn)
{
    const size_t count = pawn->slice_count;
    double      *distances = pawn->distances, sum = 0.0;
    find_distances(pawn);
    sort_numbers(distances, count);
    for (size_t s = 0; s < count; ++s)
        sum += distances[s];
    return (GivenLevels){0.5 * (distances[(count - 1) / 2] + distances[count / 2]), sum / (double)count,
                         distances[count - 1]};
}

// Fisher and Yates.
static void permute(Pawn *pawn, uint64_t seed, uint64_t permutation)
{
    Philox four = {{0}};
    for (size_t left = pawn->count, draw = 0; left > 1; --left, ++draw) {
        if (draw % 4 == 0)
            four = philox(seed, draw / 4, 1 + permutation);
        PawnNode      *a = &pawn->nodes[left - 1], *b = &pawn->nodes[philox_below(four.word[draw % 4], left)];
        const uint32_t slice = a->slice;
        a->slice = b->slice;
        b->slice = slice;
    }
}

// The level that one of 20 exceeds: with these permutations and the factor's own order, all are equally likely to be
// the largest.
static double find_level(double *numbers, size_t count)
{
    const size_t rank = (19 * (count + 1) + 19) / 20;
    sort_numbers(numbers, count);
    return rank <= count ? numbers[rank - 1] : (double)NAN;
}

static GivenLevels find_dummy(Pawn *pawn, size_t permutations, uint64_t seed)
{
    double *median = pawn->dummies, *mean = median + permutations, *most = mean + permutations;
    for (size_t p = 0; p < permutations; ++p) {
        permute(pawn, seed, p);
        const GivenLevels levels = levels_of(pawn);
        median[p] = levels.median;
        mean[p] = levels.mean;
        most[p] = levels.most;
    }
    return (GivenLevels){find_level(median, permutations), find_level(mean, permutations),
                         find_level(most, permutations)};
}

bool given_find_pawn(const GivenOrder *order, const double *y, size_t slices, size_t permutations, uint64_t seed,
                     GivenPawn *found, Error *err)
{
    const GivenLevels unknown = {(double)NAN, (double)NAN, (double)NAN};
    GivenSample       sample;
    Pawn              pawn = {0};
    Arena             room = {0};
    const bool        ok =
        make_sample(order, y, &room, &sample, err) && make_pawn(&sample, slices, permutations, &room, &pawn, err);
    *found = (GivenPawn){.count = sample.count, .slice_count = pawn.slice_count, .distance = unknown, .dummy = unknown};
    found->outcome = outcome_of(sample.count, 2, sample.variance, sample.largest);
    // Only the order of y matters: no value is too large.
    if (found->outcome == OUTCOME_TOO_LARGE)
        found->outcome = OUTCOME_FOUND;
    if (ok && pawn.slice_count > 0) {
        found->distance = levels_of(&pawn);
        found->dummy = find_dummy(&pawn, permutations, seed);
    }
    arena_free(&room);
    return ok;
}
