// moments -- sums of powers about a mean that moves.
#include "analysis/distribution/moments.h"

#include <math.h>

void moments_add(Moments *moments, double number)
{
    const double before = (double)moments->count++, n = (double)moments->count;
    const double apart = ldexp(number, moments->shift) - moments->mean, part = apart / n, squared = part * part,
                 term = apart * part * before;
    moments->mean += part;
    moments->fourths +=
        term * squared * (n * n - 3.0 * n + 3.0) + 6.0 * squared * moments->squares - 4.0 * part * moments->cubes;
    moments->cubes += term * part * (n - 2.0) - 3.0 * part * moments->squares;
    moments->squares += term;
}

int moments_shift(double largest)
{
    enum { ORDINARY = 200, MOST_SHIFT = 1000 };
    int exponent = 0;
    if (largest > 0.0)
        frexp(largest, &exponent);
    if (exponent >= -ORDINARY && exponent <= ORDINARY)
        return 0;
    return exponent < -MOST_SHIFT ? MOST_SHIFT : -exponent;
}

double moments_mean(const Moments *moments)
{
    return moments->count > 0 ? ldexp(moments->mean, -moments->shift) : (double)NAN;
}

double moments_deviation(const Moments *moments)
{
    return moments->count > 1 ? ldexp(sqrt(moments->squares / (double)(moments->count - 1)), -moments->shift)
                              : (double)NAN;
}

double moments_kurtosis(const Moments *moments)
{
    return moments->squares > 0.0 ? (double)moments->count * moments->fourths / (moments->squares * moments->squares)
                                  : (double)NAN;
}
