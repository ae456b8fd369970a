// given_sample -- leaves out points that are not finite, finds mean and variance, cuts slices.
#include "analysis/sensitivity/given_sample.h"

#include <stdlib.h>

void given_sample_free(GivenSample *sample)
{
    free(sample->x);
    free(sample->y);
    *sample = (GivenSample){0};
}

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

bool given_sample_make(const GivenOrder *order, const double *y, GivenSample *sample, Error *err)
{
    *sample = (GivenSample){0};
    sample->x = calloc(order->count + 1, sizeof *sample->x);
    sample->y = calloc(order->count + 1, sizeof *sample->y);
    if (!sample->x || !sample->y)
        return fail(err, ERROR_INTERNAL, "out of memory for %zu points", order->count);
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
