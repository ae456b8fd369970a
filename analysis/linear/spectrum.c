// spectrum -- rows of a spectrum over Omega, and stability limits over zeta.
#include "analysis/linear/spectrum.h"

#include <math.h>

// The scan steps by 6 % and each division into PARTS makes the interval so much smaller.
enum { SCAN = 281, PARTS = 64, DIVISIONS = 5 };

enum { MOST_ROWS = 200000 };

// The probe of an entry, built where there is none yet; NULL without a device.
static bool find_probe(Spectrum *spectrum, const SpectrumEntry *entry, Probe **probe, Error *err)
{
    Probe **found = &spectrum->probes[entry->probe];
    // One lane is enough for so few points, and compiled the soonest; the bits are the same with any other number.
    const ProbeOptions options = {.lanes = 1, .jacobian = probe_rule(entry->method), .choices = entry->parameters};
    if (spectrum->device && !*found &&
        !probe_make(spectrum->device, spectrum->catalog, entry->method, &options, found, err))
        return false;
    *probe = *found;
    return true;
}

static SpectrumRow make_row(const SpectrumEntry *entry, const ProbePoint *at, const Matrix *probed)
{
    const Mode none = {(double)NAN, (double)NAN, (double)NAN};
    const Mode own = probed ? matrix_mode(*probed, at->omega_h) : none;
    const Mode mode =
        entry->theory ? matrix_mode(theory_matrix(entry->theory, at->omega_h, at->zeta, at->parameters), at->omega_h)
                      : own;
    return (SpectrumRow){at->omega_h, at->zeta, mode, own.radius};
}

bool spectrum_rows(Spectrum *spectrum, const Numbers *omegas, const Numbers *zetas, SpectrumRow **rows, Error *err)
{
    const size_t count = omegas->count * zetas->count, all = count * spectrum->entry_count;
    if (all > MOST_ROWS)
        return fail(err, ERROR_USAGE, "%zu rows, at most %d: give fewer values", all, MOST_ROWS);
    ProbePoint *points = arena_take(&spectrum->arena, count, sizeof *points, err);
    Matrix     *matrices = points ? arena_take(&spectrum->arena, count, sizeof *matrices, err) : NULL;
    *rows = matrices ? arena_take(&spectrum->arena, all, sizeof **rows, err) : NULL;
    bool ok = *rows != NULL;
    for (size_t e = 0; ok && e < spectrum->entry_count; ++e) {
        const SpectrumEntry *entry = &spectrum->entries[e];
        Probe               *probe = NULL;
        for (size_t i = 0; i < count; ++i)
            points[i] =
                (ProbePoint){omegas->items[i % omegas->count], zetas->items[i / omegas->count], entry->parameters};
        ok =
            find_probe(spectrum, entry, &probe, err) && (!probe || probe_matrices(probe, points, count, matrices, err));
        for (size_t i = 0; ok && i < count; ++i)
            (*rows)[e * count + i] = make_row(entry, &points[i], probe ? &matrices[i] : NULL);
    }
    return ok;
}

// One zeta's interval: stable up to low, not at high.
typedef struct Interval {
    double zeta, low, high;
} Interval;

// A search for limits: the probe, and its buffers.
typedef struct LimitSearch {
    Probe        *probe;
    const double *parameters;
    double        slack;  // of matrix_is_stable()
    ProbePoint   *points;
    Matrix       *matrices;
} LimitSearch;

// Narrows intervals by looking at `parts` - 1 places inside of each, or, at the first time, by the scan.
static bool narrow(LimitSearch *search, Interval *intervals, size_t count, size_t places, bool scan, Error *err)
{
    for (size_t i = 0; i < count * places; ++i) {
        const Interval *at = &intervals[i / places];
        const double    part = (double)(i % places + (scan ? 0 : 1)) / (double)(scan ? places - 1 : places + 1);
        search->points[i] = (ProbePoint){scan ? SPECTRUM_LEAST * pow(SPECTRUM_LARGEST / SPECTRUM_LEAST, part)
                                              : at->low + part * (at->high - at->low),
                                         at->zeta, search->parameters};
    }
    if (!probe_matrices(search->probe, search->points, count * places, search->matrices, err))
        return false;
    for (size_t i = 0; i < count; ++i) {
        size_t k = i * places;
        while (k < (i + 1) * places && matrix_is_stable(search->matrices[k], search->slack))
            intervals[i].low = search->points[k++].omega_h;
        if (k < (i + 1) * places)
            intervals[i].high = search->points[k].omega_h;
    }
    return true;
}

static bool search_all(LimitSearch *search, const double *zetas, size_t count, Interval *intervals, Interval *finite,
                       Error *err)
{
    size_t finite_count = 0;
    for (size_t i = 0; i < count; ++i)
        intervals[i] = (Interval){zetas[i], 0.0, (double)INFINITY};
    if (!narrow(search, intervals, count, SCAN, true, err))
        return false;
    for (size_t i = 0; i < count; ++i)
        if (isfinite(intervals[i].high))
            finite[finite_count++] = intervals[i];
    for (int division = 0; division < DIVISIONS && finite_count > 0; ++division)
        if (!narrow(search, finite, finite_count, PARTS - 1, false, err))
            return false;
    for (size_t i = count; i-- > 0;)
        if (isfinite(intervals[i].high))
            intervals[i] = finite[--finite_count];
    return true;
}

static double critical_of(Interval interval)
{
    return isfinite(interval.high) ? 0.5 * (interval.low + interval.high) : (double)INFINITY;
}

bool spectrum_search(Probe *probe, const double *parameters, const double *zetas, size_t zeta_count, double *critical,
                     Error *err)
{
    const size_t most = zeta_count * SCAN;
    Arena        arena = {0};
    LimitSearch  search = {.probe = probe,
                           .parameters = parameters,
                           .slack = 1.0,
                           .points = arena_take(&arena, most, sizeof *search.points, err),
                           .matrices = arena_take(&arena, most, sizeof *search.matrices, err)};
    Interval *intervals = arena_take(&arena, 3 * zeta_count, sizeof *intervals, err), *slack = intervals + zeta_count;
    bool      ok = search.points && search.matrices && intervals &&
              search_all(&search, zetas, zeta_count, intervals, slack + zeta_count, err);
    double least = (double)INFINITY;
    for (size_t i = 0; ok && i < zeta_count; ++i) {
        critical[i] = critical_of(intervals[i]);
        least = fmin(least, critical[i]);
    }
    // A radius of 1 + c Omega^k, with no limit but 0, seems to have one at (excess/c)^(1/k), which moves with the
    // slack.
    if (ok && least < 0.3) {
        search.slack = 10.0;
        ok = search_all(&search, zetas, zeta_count, slack, slack + zeta_count, err);
        for (size_t i = 0; ok && i < zeta_count; ++i)
            if (critical[i] < 0.3 && critical_of(slack[i]) > 1.25 * critical[i])
                critical[i] = 0.0;
    }
    arena_free(&arena);
    return ok;
}

bool spectrum_limits(Spectrum *spectrum, const Numbers *zetas, SpectrumLimit **limits, Error *err)
{
    const size_t count = zetas->count;
    double      *critical = arena_take(&spectrum->arena, count, sizeof *critical, err);
    *limits = critical ? arena_take(&spectrum->arena, count * spectrum->entry_count, sizeof **limits, err) : NULL;
    bool ok = *limits != NULL;
    for (size_t e = 0; ok && e < spectrum->entry_count; ++e) {
        const SpectrumEntry *entry = &spectrum->entries[e];
        const Theory        *theory = entry->theory;
        Probe               *probe = NULL;
        ok = find_probe(spectrum, entry, &probe, err) &&
             (!probe || spectrum_search(probe, entry->parameters, zetas->items, count, critical, err));
        for (size_t i = 0; ok && i < count; ++i) {
            const double zeta = zetas->items[i];
            (*limits)[e * count + i] =
                (SpectrumLimit){zeta, theory ? theory_limit(theory, zeta, entry->parameters) : (double)NAN,
                                probe ? critical[i] : (double)NAN};
        }
    }
    return ok;
}

void spectrum_close(Spectrum *spectrum)
{
    for (size_t i = 0; spectrum->probes && i < spectrum->probe_count; ++i)
        probe_free(spectrum->probes[i]);
    arena_free(&spectrum->arena);
    *spectrum = (Spectrum){0};
}
