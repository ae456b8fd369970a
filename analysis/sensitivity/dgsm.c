// dgsm -- derivative-based global measures: means of squares of the derivatives that a sweep found at its points.
#include "analysis/sensitivity/dgsm.h"
#include "analysis/sensitivity/resample.h"

#include <float.h>
#include <math.h>

// The first zero of the Bessel function J0.
static const double bessel_zero = 2.404825557695773;
static const double pi = 3.14159265358979323846;

double dgsm_constant(const Distribution *distribution)
{
    const double *n = distribution->numbers;
    switch (distribution->kind) {
    case DISTRIBUTION_UNIFORM: return (n[1] - n[0]) / pi * ((n[1] - n[0]) / pi);
    case DISTRIBUTION_NORMAL: return n[1] * n[1];
    case DISTRIBUTION_TRIANGULAR: {
        const double half = 0.5 * (n[2] - n[0]);
        return fabs(n[1] - 0.5 * (n[0] + n[2])) > 4.0 * DBL_EPSILON * (fabs(n[0]) + fabs(n[2]))
                   ? (double)NAN
                   : half / bessel_zero * (half / bessel_zero);
    }
    default: return (double)NAN;
    }
}

// Of a mean, or a ratio of means, that is never negative; the terms are independent.
static double half_width(double mean, const ResampleSpread *terms)
{
    const double error = resample_deviation(terms) / sqrt((double)terms->count);
    return resample_skewed(mean, resample_student((double)terms->count - 1.0) * error);
}

void dgsm_find(const double *y, const double *slopes, size_t count, double constant, Dgsm *found)
{
    ResampleSpread mean = {0}, squares = {0}, terms = {0};
    int            of_y = 0, of_slopes = 0;
    double         largest = 0.0, largest_slope = 0.0;
    *found = (Dgsm){(double)NAN, (double)NAN, (double)NAN, (double)NAN, OUTCOME_FOUND};
    for (size_t i = 0; i < count; ++i)
        if (isfinite(y[i]) && isfinite(slopes[i])) {
            resample_add(&mean, y[i]);
            largest = fmax(largest, fabs(y[i]));
            largest_slope = fmax(largest_slope, fabs(slopes[i]));
        }
    frexp(largest, &of_y);
    frexp(largest_slope, &of_slopes);
    ResampleSpread variance = {0};
    for (size_t i = 0; i < count; ++i)
        if (isfinite(y[i]) && isfinite(slopes[i])) {
            const double slope = ldexp(slopes[i], -of_slopes), apart = ldexp(y[i] - mean.mean, -of_y);
            resample_add(&squares, slope * slope);
            resample_add(&variance, apart * apart);
        }
    found->outcome = outcome_of(squares.count, DGSM_LEAST_POINTS, ldexp(variance.mean, 2 * of_y), largest);
    if (squares.count < DGSM_LEAST_POINTS)
        return;
    found->nu = ldexp(squares.mean, 2 * of_slopes);
    found->nu_conf = ldexp(half_width(squares.mean, &squares), 2 * of_slopes);
    if (found->outcome != OUTCOME_FOUND)
        return;
    // What each point adds to the ratio of both means, to first order.
    const double ratio = squares.mean / variance.mean;
    for (size_t i = 0; i < count; ++i)
        if (isfinite(y[i]) && isfinite(slopes[i])) {
            const double slope = ldexp(slopes[i], -of_slopes), apart = ldexp(y[i] - mean.mean, -of_y);
            resample_add(&terms, (slope * slope - ratio * apart * apart) / variance.mean);
        }
    found->bound = constant * ldexp(ratio, 2 * (of_slopes - of_y));
    found->bound_conf = constant * ldexp(half_width(ratio, &terms), 2 * (of_slopes - of_y));
}
