// resample -- Welford's recurrence, and draws by counter-based random numbers.
#include "analysis/sensitivity/resample.h"

#include "base/philox.h"

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
