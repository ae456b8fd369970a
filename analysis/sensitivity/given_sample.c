// given_sample -- the order of points in a factor; those that are finite, their moments, slices and means there.
#include "analysis/sensitivity/given_sample.h"
#include "analysis/sensitivity/squares.h"
#include "base/philox.h"

#include <stdlib.h>

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

bool given_sample_make(const GivenOrder *order, const double *y, Arena *arena, GivenSample *sample, Error *err)
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

void given_sample_centre(GivenSample *sample)
{
    for (size_t i = 0; i < sample->count; ++i)
        sample->y[i] -= sample->mean;
}

// The place nearest to `at` before which x changes.
static size_t find_change(const GivenSample *sample, size_t at)
{
    size_t low = at, high = at;
    while (low > 0 && low < sample->count && sample->x[low - 1] == sample->x[low])
        --low;
    while (high > 0 && high < sample->count && sample->x[high - 1] == sample->x[high])
        ++high;
    return at - low <= high - at ? low : high;
}

size_t given_sample_cut(const GivenSample *sample, size_t slices, size_t *starts)
{
    size_t count = 0;
    for (size_t s = 0; s < slices && sample->count > 0; ++s) {
        const size_t start = find_change(sample, s * sample->count / slices);
        if (start < sample->count && (count == 0 || start > starts[count - 1]))
            starts[count++] = start;
    }
    starts[count] = sample->count;
    return count;
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
    bool        ok = starts && given_sample_make(order, y, &room, &sample, err);
    given_sample_centre(&sample);
    *found_count = ok ? given_sample_cut(&sample, slices, starts) : 0;
    *found = ok ? arena_take(arena, *found_count, sizeof **found, err) : NULL;
    ok = *found != NULL;
    for (size_t s = 0; ok && s < *found_count; ++s)
        (*found)[s] = slice_of(&sample, starts[s], starts[s + 1]);
    arena_free(&room);
    return ok;
}
