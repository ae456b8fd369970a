// chaos_points -- points sorted by a hash of their values.
#include "analysis/sensitivity/chaos_points.h"

#include "analysis/sensitivity/squares.h"
#include "base/philox.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ChaosEntry {
    uint64_t hash;
    size_t   number;
} ChaosEntry;

static int compare_entries(const void *a, const void *b)
{
    const ChaosEntry *left = a, *right = b;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

static uint64_t find_hash(const ChaosData *data, size_t point, uint64_t seed)
{
    uint64_t hash = 0, bits;
    for (size_t factor = 0; factor < data->factor_count; ++factor) {
        // The sum makes 0 of -0.
        const double x = data->x[factor][point] + 0.0;
        memcpy(&bits, &x, sizeof bits);
        hash = philox_bits(seed, hash ^ bits, factor);
    }
    return hash;
}

static bool is_same(const ChaosData *data, size_t a, size_t b)
{
    for (size_t factor = 0; factor < data->factor_count; ++factor)
        if (data->x[factor][a] != data->x[factor][b])
            return false;
    return true;
}

static void find_variance(const ChaosData *data, ChaosPoints *points)
{
    const size_t count = data->point_count;
    double       least = data->y[0], most = data->y[0], sum = 0.0;
    int          exponent;
    for (size_t i = 0; i < count; ++i) {
        least = fmin(least, data->y[i]);
        most = fmax(most, data->y[i]);
    }
    // Differences from a value that occurs do not overflow the sum before the values do, nor lose a small variance.
    for (size_t i = 0; i < count; ++i)
        sum += data->y[i] - least;
    points->mean = least + sum / (double)count;
    const double squares = squares_about(data->y, count, points->mean, &exponent);
    points->constant = most - least <= 8.0 * DBL_EPSILON * fmax(fabs(least), fabs(most));
    points->variance = points->constant ? 0.0 : ldexp(squares / (double)count, 2 * exponent);
    points->deviation = points->constant ? 1.0 : ldexp(sqrt(squares / (double)count), exponent);
}

// Those with the same hash follow each other; they are the same but for a hash that two points share.
static void join(const ChaosData *data, const ChaosEntry *entries, ChaosPoints *points)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < data->point_count; ++i) {
        const size_t number = entries[i].number;
        if (points->count == 0 || entries[i].hash != hash ||
            !is_same(data, number, points->numbers[points->count - 1])) {
            hash = entries[i].hash;
            points->numbers[points->count++] = number;
        }
        const size_t at = points->count - 1;
        const double value = (data->y[number] - points->mean) / points->deviation;
        const double step = value - points->values[at];
        points->counts[at] += 1.0;
        points->values[at] += step / points->counts[at];
        points->within += step * (value - points->values[at]);
    }
    points->within /= (double)data->point_count;
}

bool chaos_points_make(const ChaosData *data, uint64_t seed, Arena *arena, ChaosPoints *points, Error *err)
{
    const size_t count = data->point_count;
    *points = (ChaosPoints){0};
    points->numbers = arena_take(arena, count, sizeof *points->numbers, err);
    points->counts = points->numbers ? arena_take(arena, count, sizeof(double), err) : NULL;
    points->values = points->counts ? arena_take(arena, count, sizeof(double), err) : NULL;
    if (!points->values)
        return false;
    ChaosEntry *entries = malloc((count + 1) * sizeof *entries);
    if (!entries)
        return fail(err, ERROR_INTERNAL, "out of memory for %zu points", count);
    for (size_t i = 0; i < count; ++i)
        entries[i] = (ChaosEntry){find_hash(data, i, seed), i};
    qsort(entries, count, sizeof *entries, compare_entries);
    find_variance(data, points);
    join(data, entries, points);
    free(entries);
    return true;
}
