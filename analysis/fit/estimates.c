// estimates -- ends of starts put together where they are the same, and the covariance at the best.
#include "analysis/fit/estimates.h"

#include "analysis/distribution/interval.h"

#include <math.h>
#include <stdlib.h>

// Ends are the same optimum where they differ by less than this part of the parameters, both over the lengths of J's
// columns, and a parameter that is near 0 counts by this part of the spread of its starts; a direction is unknown below
// this part of the largest singular value; a parameter moves along a direction from this part of it on.
static const double same_part = 1e-4, least_spread = 1e-2, unknown_part = 1e-7, moved_part = 1e-3;

static bool has_ended(const LevenbergFit *fit)
{
    return fit->end == LEVENBERG_SQUARES || fit->end == LEVENBERG_STEP || fit->end == LEVENBERG_GRADIENT;
}

static int compare(const void *a, const void *b)
{
    const LevenbergFit *first = *(LevenbergFit *const *)a, *second = *(LevenbergFit *const *)b;
    if (first->squares != second->squares)
        return first->squares < second->squares ? -1 : 1;
    return first < second ? -1 : first > second;
}

static bool is_same(const GroupFit *fit, const LevenbergFit *optimum, const LevenbergFit *other)
{
    const size_t k = fit->parameter_count;
    double       apart = 0.0, size = 0.0;
    for (size_t j = 0; j < k; ++j) {
        const double length = triangle_length(optimum->triangle, k, j);
        const double least = least_spread * fit->parameters[j].spread;
        apart = hypot(apart, length * (other->point[j] - optimum->point[j]));
        size = hypot(size, length * fmax(fabs(optimum->point[j]), least));
    }
    return apart <= same_part * size;
}

// The distinct optima, the best one first.
static bool find_optima(GroupFit *fit, Error *err)
{
    const size_t         n = fit->asked.starts;
    const LevenbergFit **ends = arena_take(&fit->arena, n, sizeof *ends, err);
    size_t               count = 0;
    fit->optima = arena_take(&fit->arena, FIT_OPTIMA, sizeof *fit->optima, err);
    if (!ends || !fit->optima)
        return false;
    for (size_t i = 0; i < n; ++i) {
        const LevenbergFit *end = &fit->levenberg.fits[i];
        fit->failed += end->end == LEVENBERG_FAILED;
        fit->converged += has_ended(end);
        if (end->end != LEVENBERG_FAILED)
            ends[count++] = end;
    }
    if (count == 0)
        return fail(err, ERROR_FAILED,
                    "%s: group '%s': none of %zu starts has a sum of squares: all points failed: look at one by "
                    "`pendula run`, or narrow the ranges",
                    fit->request->path, fit->group->label, n);
    qsort(ends, count, sizeof *ends, compare);
    for (size_t i = 0; i < count; ++i) {
        size_t which = 0;
        if (i > 0 && !has_ended(ends[i]))
            continue;
        while (which < fit->optimum_count && !is_same(fit, fit->optima[which].fit, ends[i]))
            ++which;
        if (which == FIT_OPTIMA) {
            ++fit->optima_more;
            continue;
        }
        if (which == fit->optimum_count)
            fit->optima[fit->optimum_count++] = (FitOptimum){.fit = ends[i]};
        ++fit->optima[which].starts;
    }
    return true;
}

// Keeps the direction of a singular vector as relative changes of the parameters, the largest of them 1.
static void keep_unknown(GroupFit *fit, const double *vector)
{
    const size_t        k = fit->parameter_count;
    const LevenbergFit *best = fit->optima[0].fit;
    double             *kept = fit->unknown + fit->unknown_count++ * k, largest = 0.0;
    for (size_t j = 0; j < k; ++j) {
        const double length = triangle_length(best->triangle, k, j),
                     size = best->point[j] != 0.0 ? fabs(best->point[j]) : fit->parameters[j].spread;
        kept[j] = length > 0.0 ? vector[j] / (length * size) : vector[j] != 0.0 ? INFINITY : 0.0;
        largest = fabs(kept[j]) > fabs(largest) ? kept[j] : largest;
    }
    for (size_t j = 0; j < k; ++j)
        kept[j] = isinf(largest) ? (isinf(kept[j]) ? 1.0 : 0.0) : kept[j] / largest;
}

double estimates_reach(const GroupFit *fit)
{
    // The mean of m numbers with the deviation sqrt(m) has the deviation 1, and m - 1 degrees of freedom.
    const double m = (double)fit->freedom + 1.0;
    return fit->request->absolute ? distribution_normal_quantile(0.975)
                                  : interval_mean(fit->freedom + 1, 0.0, sqrt(m)).high;
}

static bool find_uncertainty(GroupFit *fit, Error *err)
{
    const size_t        k = fit->parameter_count;
    const LevenbergFit *best = fit->optima[0].fit;
    double              vectors[TRIANGLE_MOST * TRIANGLE_MOST];
    bool                free[TRIANGLE_MOST];
    size_t              free_count = 0;
    fit->correlation = arena_take(&fit->arena, k * k, sizeof *fit->correlation, err);
    fit->unknown = arena_take(&fit->arena, k * k, sizeof *fit->unknown, err);
    double *inverse = fit->inverse = arena_take(&fit->arena, k * k, sizeof *fit->inverse, err);
    if (!fit->correlation || !fit->unknown || !inverse)
        return false;
    for (size_t j = 0; j < k; ++j) {
        FitParameter *parameter = &fit->parameters[j];
        parameter->value = best->point[j];
        free[j] = parameter->value > parameter->lower && parameter->value < parameter->upper;
        free_count += free[j];
    }
    fit->squares = best->squares;
    const size_t known = free_count - triangle_invert(best->triangle, k, free, unknown_part, inverse, vectors);
    for (size_t i = known; i < free_count; ++i)
        keep_unknown(fit, vectors + i * k);
    fit->freedom = fit->request->data->count - known;
    fit->error = fit->freedom > 0 ? sqrt(fit->squares / (double)fit->freedom) : (double)NAN;
    const double reach = estimates_reach(fit);
    for (size_t j = 0; j < k; ++j) {
        FitParameter *parameter = &fit->parameters[j];
        parameter->deviation = sqrt(inverse[j * k + j]) * (fit->request->absolute ? 1.0 : fit->error);
        for (size_t i = 0; i < fit->unknown_count; ++i)
            if (fabs(fit->unknown[i * k + j]) > moved_part)
                parameter->deviation = INFINITY;
        if (!free[j])
            parameter->deviation = (double)NAN;
        parameter->low = parameter->value - reach * parameter->deviation;
        parameter->high = parameter->value + reach * parameter->deviation;
        for (size_t i = 0; i < k; ++i)
            fit->correlation[j * k + i] = inverse[j * k + i] / sqrt(inverse[j * k + j] * inverse[i * k + i]);
    }
    return true;
}

bool estimates_find(GroupFit *fit, Error *err)
{
    return find_optima(fit, err) && find_uncertainty(fit, err);
}
