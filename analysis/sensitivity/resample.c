// resample -- Welford's recurrence, half widths of intervals, and draws by counter-based random numbers.
#include "analysis/sensitivity/resample.h"

#include "base/philox.h"
#include "design/distribution.h"

#include <math.h>

void resample_add(ResampleSpread *spread, double value)
{
    if (!isfinite(value))
        return;
    const double before = value - spread->mean;
    spread->mean += before / (double)++spread->count;
    spread->squares += before * (value - spread->mean);
}

double resample_deviation(const ResampleSpread *spread)
{
    return spread->count < 2 ? (double)NAN : sqrt(spread->squares / (double)(spread->count - 1));
}

double resample_half_width(double deviation)
{
    return 1.959963984540054 * deviation;
}

// f / (f + t^2) has a Beta distribution.
double resample_student(double freedom)
{
    const Distribution beta = {.kind = DISTRIBUTION_BETA, .numbers = {freedom / 2.0, 0.5, 0.0, 1.0}};
    if (!(freedom > 0.0))
        return (double)NAN;
    const double part = distribution_quantile(&beta, 0.05);
    return sqrt(freedom * (1.0 - part) / part);
}

double resample_skewed(double mean, double half)
{
    return mean > 0.0 ? mean * expm1(half / mean) : half;
}

void resample_draw(uint64_t seed, uint64_t replicate, size_t count, uint32_t *times)
{
    for (size_t i = 0; i < count; ++i)
        times[i] = 0;
    for (size_t i = 0; i < count; i += 4) {
        const Philox four = philox(seed, i / 4, replicate);
        for (size_t k = 0; k < 4 && i + k < count; ++k)
            ++times[philox_below(four.word[k], count)];
    }
}
