// band -- search over a band: along a grid of TO's parameter, then by golden section.
#include "analysis/pairs/search.h"

#include <math.h>

enum { OMEGAS = 129, GRID = 129, GOLDEN_ROUNDS = 60 };

// One pair at a time.
typedef struct Band {
    Criterion     criterion;
    const Family *to;
    double        omega[OMEGAS];       // evenly in ln Omega
    double        from[OMEGAS];        // logarithms of FROM at its value
    double        grid[GRID][OMEGAS];  // of TO along its range
} Band;

// ln(radius), or ln(xi): -INFINITY where nothing is damped, NaN where there is no such number.
static void find_logarithms(const Band *band, const Family *family, double value, double *logarithms)
{
    double parameters[THEORY_PARAMETERS];
    family_at(family, value, parameters);
    for (int i = 0; i < OMEGAS; ++i) {
        const double omega = band->omega[i], noise = criterion_noise(band->criterion, omega);
        const double number = criterion_number(band->criterion, family->theory, parameters, omega);
        logarithms[i] = band->criterion == CRITERION_RADIUS ? -number
                        : fabs(number) <= noise             ? -(double)INFINITY
                                                            : log(number);
    }
}

// How much more TO damps than FROM: for ln(radius) the smaller one is that of more damping.
static double excess(const Band *band, double to, double from)
{
    if (isinf(to) && isinf(from))
        return 0.0;
    return band->criterion == CRITERION_RADIUS ? from - to : to - from;
}

// The top of the parabola through three neighbours where the middle one is the largest.
static double top(double before, double at, double after)
{
    const double slope = 0.5 * (after - before), curvature = before - 2.0 * at + after;
    return curvature < 0.0 ? at - 0.5 * slope * slope / curvature : at;
}

// The largest |excess| of these logarithms of TO; `side` becomes its sign where all of it has one.
static double largest_excess(const Band *band, const double *to, int *side)
{
    double sizes[OMEGAS], largest = 0.0;
    bool   more = false, less = false;
    for (int i = 0; i < OMEGAS; ++i) {
        const double e = excess(band, to[i], band->from[i]);
        if (isnan(e))
            return (double)INFINITY;
        sizes[i] = fabs(e);
        largest = fmax(largest, sizes[i]);
        more = more || e > 0.0;
        less = less || e < 0.0;
    }
    for (int i = 1; i + 1 < OMEGAS; ++i)
        if (sizes[i] >= sizes[i - 1] && sizes[i] >= sizes[i + 1] && isfinite(sizes[i - 1]) && isfinite(sizes[i + 1]))
            largest = fmax(largest, top(sizes[i - 1], sizes[i], sizes[i + 1]));
    *side = more && !less ? 1 : less && !more ? -1 : 0;
    return largest;
}

static double look(const Band *band, double value, int *side)
{
    double to[OMEGAS];
    find_logarithms(band, band->to, value, to);
    return largest_excess(band, to, side);
}

// Golden section. Returns whether even the best damps less (-1) or more (1) than FROM in all of the band; 0: neither.
static int narrow(const Band *band, double low, double high, Pair *pair)
{
    int    side = 0;
    Golden g = golden_begin(low, high);
    for (int k = 0; k < 2; ++k)
        g.inner[k].f = look(band, g.inner[k].q, &side);
    for (int round = 0; round < GOLDEN_ROUNDS; ++round) {
        GoldenNode *node = golden_narrow(&g, -1.0);
        node->f = look(band, node->q, &side);
    }
    const GoldenNode *best = golden_best(&g, -1.0);
    if (best->f <= pair->residual)
        pair->to = best->q;
    pair->low = fmin(g.low, pair->to);
    pair->high = fmax(g.high, pair->to);
    pair->residual = look(band, pair->to, &side);
    return side;
}

static double grid_value(const Band *band, int i)
{
    return band->to->least + (band->to->most - band->to->least) * i / (GRID - 1);
}

// Returns as narrow(); `to` stays NaN where that is not 0, and where FROM or every parameter of TO lacks the number
// somewhere in the band.
static int fit_one(const Band *band, Pair *pair)
{
    const Pair without = *pair;
    int        best = -1, side = 0;
    pair->residual = (double)INFINITY;
    for (int i = 0; i < GRID; ++i) {
        const double size = largest_excess(band, band->grid[i], &side);
        if (!(size < pair->residual))
            continue;
        pair->residual = size;
        pair->to = grid_value(band, i);
        best = i;
    }
    if (best >= 0)
        side = narrow(band, grid_value(band, best > 0 ? best - 1 : 0),
                      grid_value(band, best + 1 < GRID ? best + 1 : best), pair);
    // A best at the end of the range that still misses to one side is not an equivalent.
    const double edge = 1e-6 * (band->to->most - band->to->least);
    if (best < 0 || (pair->to > band->to->least + edge && pair->to < band->to->most - edge) ||
        pair->residual <= 4.0 * criterion_noise(band->criterion, band->omega[0]))
        side = 0;
    if (best < 0 || side != 0)
        *pair = without;
    return side;
}

bool search_band(Pairs *pairs, Error *err)
{
    const Family *from = &pairs->families[PAIR_FROM], *to = &pairs->families[PAIR_TO];
    Band         *band = arena_take(&pairs->arena, 1, sizeof *band, err);
    if (!band)
        return false;
    band->criterion = pairs->criterion;
    band->to = to;
    for (int i = 0; i < OMEGAS; ++i)
        band->omega[i] = pairs->band[0] * pow(pairs->band[1] / pairs->band[0], (double)i / (OMEGAS - 1));
    for (int i = 0; i < GRID; ++i)
        find_logarithms(band, to, grid_value(band, i), band->grid[i]);
    for (Pair *pair = pairs->pairs; pair < pairs->pairs + pairs->count; ++pair) {
        find_logarithms(band, from, pair->from, band->from);
        const int side = fit_one(band, pair);
        if (side != 0)
            pair->reason = arena_format(&pairs->arena, err, "at every %s %s damps %s in all of the band",
                                        family_parameter(to)->name, to->method->name, side > 0 ? "more" : "less");
        else if (isnan(pair->to))
            pair->reason = "not every Omega of the band has a damped oscillating mode in both methods";
        if (!pair->reason)
            return false;
    }
    return true;
}
