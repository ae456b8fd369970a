// density -- bars and a kernel over fine bins.
#include "analysis/distribution/density.h"

#include <math.h>

enum { END_LOW, QUARTILE_LOW, QUARTILE_HIGH, END_HIGH };
const double density_quantiles[DENSITY_QUANTILES] = {0.01, 0.25, 0.75, 0.99};

// A scale is logarithmic where positive numbers span so much; bars reach so far beyond the middle of the numbers.
static const double span = 1000.0, reach = 0.5;

static double on_scale(const DensityEstimate *density, double number)
{
    return density->logarithmic ? log(number) : number;
}

// Bars around whole numbers, as wide as it takes to have no more than fit.
static void choose_whole(DensityEstimate *density)
{
    const double first = density->low, numbers = density->high - density->low + 1.0,
                 width = fmax(ceil(numbers / DENSITY_BARS), 1.0);
    density->bar_count = (size_t)ceil(numbers / width);
    density->low = first - 0.5;
    density->high = density->low + width * (double)density->bar_count;
}

bool density_begin(DensityEstimate *density, const DensityShape *shape)
{
    enum { LEAST_BARS = 8 };
    *density = (DensityEstimate){
        .whole = shape->whole, .logarithmic = !shape->whole && shape->least > 0.0 && shape->most > span * shape->least};
    if (!(shape->least < shape->most))
        return false;
    double ends[DENSITY_QUANTILES];
    for (size_t i = 0; i < DENSITY_QUANTILES; ++i)
        ends[i] = on_scale(density, shape->quantiles[i]);
    const double n = (double)shape->count, between = ends[QUARTILE_HIGH] - ends[QUARTILE_LOW],
                 beyond = reach * (ends[END_HIGH] - ends[END_LOW]);
    density->low = on_scale(density, shape->least);
    density->high = on_scale(density, shape->most);
    if (beyond > 0.0 && isfinite(beyond)) {
        density->low = fmax(density->low, ends[END_LOW] - beyond);
        density->high = fmin(density->high, ends[END_HIGH] + beyond);
    }
    if (density->whole) {
        density->low = ceil(density->low);
        density->high = floor(density->high);
        choose_whole(density);
        return true;
    }
    const double length = density->high - density->low, width = 2.0 * between / cbrt(n);
    double       spread = between / 1.34;
    if (!density->logarithmic && (shape->deviation < spread || !(spread > 0.0)))
        spread = shape->deviation;
    if (!(spread > 0.0 && isfinite(spread)))
        spread = 0.25 * length;
    density->bar_count =
        (size_t)fmin(fmax(width > 0.0 ? ceil(length / width) : DENSITY_BARS, LEAST_BARS), DENSITY_BARS);
    density->bandwidth = fmax(0.9 * spread * pow(n, -0.2), 0.5 * length / (double)density->bar_count);
    return isfinite(length);
}

void density_add(DensityEstimate *density, double number)
{
    if (!isfinite(number))
        return;
    const double length = density->high - density->low, place = (on_scale(density, number) - density->low) / length;
    ++density->count;
    if (!(place >= 0.0 && place <= 1.0)) {
        ++density->outside;
        return;
    }
    const size_t bar = (size_t)(place * (double)density->bar_count);
    ++density->bars[bar < density->bar_count ? bar : density->bar_count - 1];
    const double fine = place * (DENSITY_BINS - 1);
    const size_t below = fine < DENSITY_BINS - 1 ? (size_t)fine : DENSITY_BINS - 2;
    density->fine[below] += (double)(below + 1) - fine;
    density->fine[below + 1] += fine - (double)below;
}

double density_end(const DensityEstimate *density, size_t bar)
{
    const double part = (double)bar / (double)density->bar_count,
                 end = density->low * (1.0 - part) + density->high * part;
    return density->logarithmic ? exp(end) : end;
}

double density_share(const DensityEstimate *density, double at)
{
    const double length = density->high - density->low, place = on_scale(density, at);
    double       sum = 0.0;
    for (size_t i = 0; i < DENSITY_BINS; ++i) {
        const double apart = (place - density->low - length * (double)i / (DENSITY_BINS - 1)) / density->bandwidth;
        if (density->fine[i] > 0.0 && fabs(apart) < 40.0)
            sum += density->fine[i] * exp(-0.5 * apart * apart);
    }
    return sum / (sqrt(2.0 * M_PI) * density->bandwidth * (double)density->count) * length / (double)density->bar_count;
}
