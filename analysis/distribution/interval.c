// interval -- intervals by quantiles of the normal distribution and of Beta distributions.
#include "analysis/distribution/interval.h"

#include "design/distribution.h"

#include <math.h>

// The probability outside an interval, on either side.
static const double outside = 0.025;

static Distribution beta(double alpha, double beta)
{
    return (Distribution){.kind = DISTRIBUTION_BETA, .numbers = {alpha, beta, 0.0, 1.0}};
}

// The square of a Student's t over itself plus the degrees of freedom has a Beta distribution.
static double student_quantile(double freedom)
{
    const Distribution square = beta(0.5, 0.5 * freedom);
    const double       y = distribution_quantile(&square, 1.0 - 2.0 * outside);
    return sqrt(freedom * y / (1.0 - y));
}

IntervalEstimate interval_mean(uint64_t count, double mean, double deviation)
{
    const double half =
        count > 1 ? student_quantile((double)(count - 1)) * deviation / sqrt((double)count) : (double)NAN;
    return (IntervalEstimate){mean, mean - half, mean + half};
}

IntervalEstimate interval_deviation(uint64_t count, double deviation, double kurtosis)
{
    const double n = (double)count, z = -distribution_normal_quantile(outside);
    if (count < 4 || !isfinite(kurtosis))
        return (IntervalEstimate){deviation, deviation == 0.0 ? 0.0 : (double)NAN,
                                  deviation == 0.0 ? 0.0 : (double)NAN};
    const double scale = n / (n - z), error = scale * sqrt(fmax(kurtosis - (n - 3.0) / n, 0.0) / (n - 1.0));
    return (IntervalEstimate){deviation, deviation * sqrt(scale * exp(-z * error)),
                              deviation * sqrt(scale * exp(z * error))};
}

// The probability that at most `most` of the numbers lie below the quantile.
static double at_most(uint64_t count, double probability, uint64_t most)
{
    const Distribution above = beta((double)(count - most), (double)most + 1.0);
    return most >= count ? 1.0 : distribution_probability(&above, 1.0 - probability);
}

// The least number that at most so many of the numbers lie below with this probability, or more.
static uint64_t find_number(uint64_t count, double probability, double share)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (at_most(count, probability, middle) >= share)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void interval_ranks(uint64_t count, double probability, uint64_t *low, uint64_t *high)
{
    *low = find_number(count, probability, outside);
    *high = find_number(count, probability, 1.0 - outside) + 1;
}

IntervalEstimate interval_share(uint64_t hits, uint64_t count)
{
    const double       n = (double)count, k = (double)hits;
    const Distribution below = beta(k, n - k + 1.0), above = beta(k + 1.0, n - k);
    if (count == 0)
        return (IntervalEstimate){(double)NAN, (double)NAN, (double)NAN};
    return (IntervalEstimate){k / n, hits > 0 ? distribution_quantile(&below, outside) : 0.0,
                              hits < count ? distribution_quantile(&above, 1.0 - outside) : 1.0};
}

IntervalEstimate interval_correlation(uint64_t count, double correlation, double spread)
{
    const double half =
        count > 3 ? -distribution_normal_quantile(outside) * sqrt(spread / (double)(count - 3)) : (double)NAN;
    return (IntervalEstimate){correlation, tanh(atanh(correlation) - half), tanh(atanh(correlation) + half)};
}
