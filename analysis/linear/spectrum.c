// spectrum -- rows of a spectrum over Omega, and stability limits over zeta; its entries, from a command line.
#include "analysis/linear/spectrum.h"
#include "analysis/linear/setting.h"

#include <math.h>
#include <string.h>

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

enum { MOST_ENTRIES = 1000 };

// Adds an entry with the parameters of `like`, whose parameter `which` becomes `value`; `like` may be the place itself.
static bool add_entry(Spectrum *spectrum, const SpectrumEntry *like, size_t which, double value, Error *err)
{
    const size_t count = like->method->parameter_count;
    if (spectrum->entry_count == MOST_ENTRIES)
        return fail(err, ERROR_USAGE, "more than %d methods and settings, give fewer", MOST_ENTRIES);
    SpectrumEntry *entry = &spectrum->entries[spectrum->entry_count];
    double        *parameters = arena_take(&spectrum->arena, count, sizeof *parameters, err);
    if (!parameters)
        return false;
    for (size_t i = 0; i < count; ++i)
        parameters[i] = i == which ? value : like->parameters[i];
    *entry = *like;
    entry->parameters = parameters;
    ++spectrum->entry_count;
    return true;
}

// Multiplies the entries from `first` on by the values of a parameter.
static bool spread(Spectrum *spectrum, size_t first, size_t which, Setting *setting, Error *err)
{
    const size_t         last = spectrum->entry_count;
    const CardParameter *parameter = &spectrum->entries[first].method->parameters[which];
    char                *rest = arena_copy(&spectrum->arena, setting->values, err);
    bool                 more = false;
    if (!rest)
        return false;
    for (char *word; (word = strsep(&rest, ",")) != NULL; more = true) {
        double value;
        if (more && parameter->choices)
            return fail(err, ERROR_USAGE, "-p %s: one word at a time", parameter->name);
        if (!setting_value(parameter, word, &value, err))
            return false;
        for (size_t i = first; i < last; ++i)
            if (!more)
                spectrum->entries[i].parameters[which] = value;
            else if (!add_entry(spectrum, &spectrum->entries[i], which, value, err))
                return false;
    }
    return true;
}

// Leaves out the parameters that have no effect beside those that are set; setting them is refused.
static bool leave_idle(Spectrum *spectrum, size_t first, Setting *settings, size_t setting_count, Error *err)
{
    const Card *method = spectrum->entries[first].method;
    for (size_t i = 0; i < method->parameter_count; ++i) {
        Setting *setting = NULL;
        if (card_parameter_counts(method, i, spectrum->entries[first].parameters))
            continue;
        if (!setting_find(settings, setting_count, method, &method->parameters[i], &setting, err))
            return false;
        if (setting)
            return fail(err, ERROR_USAGE, "-p %s: it has no effect beside the others that are set, leave it out",
                        setting->name);
        for (size_t e = first; e < spectrum->entry_count; ++e)
            spectrum->entries[e].parameters[i] = (double)NAN;
    }
    return true;
}

// Adds a method with every combination of its settings.
static bool add_method(Spectrum *spectrum, const Card *method, Setting *settings, size_t setting_count, Error *err)
{
    const size_t first = spectrum->entry_count, count = method->parameter_count;
    double      *initial = arena_take(&spectrum->arena, count, sizeof *initial, err);
    if (!initial)
        return false;
    for (size_t i = 0; i < count; ++i)
        initial[i] = method->parameters[i].initial;
    const Theory *theory;
    if (!theory_make(method, &spectrum->arena, &theory, err))
        return false;
    const SpectrumEntry entry = {method, theory, initial, spectrum->probe_count++};
    if (!add_entry(spectrum, &entry, count, 0.0, err))
        return false;
    for (size_t i = 0; i < count; ++i) {
        Setting *setting = NULL;
        if (!setting_find(settings, setting_count, method, &method->parameters[i], &setting, err) ||
            (setting && !spread(spectrum, first, i, setting, err)))
            return false;
        if (!setting && isnan(initial[i]) && !method->parameters[i].derived)
            return fail(err, ERROR_USAGE, "%s: parameter '%s' has no default, give it by -p %s=VALUE", method->name,
                        method->parameters[i].name, method->parameters[i].name);
    }
    return leave_idle(spectrum, first, settings, setting_count, err);
}

static bool add_all(Spectrum *spectrum, Setting *settings, size_t setting_count, Error *err)
{
    for (size_t i = 0; i < spectrum->catalog->card_count; ++i) {
        const Card *card = &spectrum->catalog->cards[i];
        if (card->kind == CARD_METHOD && !card->adaptive && !add_method(spectrum, card, settings, setting_count, err))
            return false;
    }
    return true;
}

static bool add_named(Spectrum *spectrum, const char *name, Setting *settings, size_t setting_count, Error *err)
{
    const Card *method = NULL;
    if (strcmp(name, "all") == 0)
        return add_all(spectrum, settings, setting_count, err);
    if (!setting_find_card(spectrum->catalog, CARD_METHOD, name, &spectrum->arena, &method, err))
        return false;
    if (method->adaptive)
        return fail(err, ERROR_USAGE, "method '%s' chooses its substeps: its step is no matrix, and has no spectrum",
                    name);
    return add_method(spectrum, method, settings, setting_count, err);
}

static bool check_used(const Spectrum *spectrum, const Setting *settings, size_t count, Arena *arena, Error *err)
{
    const Card **methods = arena_take(arena, spectrum->entry_count, sizeof *methods, err);
    for (size_t e = 0; methods && e < spectrum->entry_count; ++e)
        methods[e] = spectrum->entries[e].method;
    return methods && setting_check_used(settings, count, methods, spectrum->entry_count, err);
}

bool spectrum_open(const Catalog *catalog, const char *const *methods, size_t method_count, const char *const *settings,
                   size_t setting_count, Spectrum *spectrum, Error *err)
{
    *spectrum = (Spectrum){.catalog = catalog};
    Setting *taken = NULL;
    spectrum->entries = arena_take(&spectrum->arena, MOST_ENTRIES, sizeof *spectrum->entries, err);
    bool ok = spectrum->entries && setting_read_all(settings, setting_count, &spectrum->arena, &taken, err);
    for (size_t i = 0; ok && i < method_count; ++i)
        ok = add_named(spectrum, methods[i], taken, setting_count, err);
    ok = ok && check_used(spectrum, taken, setting_count, &spectrum->arena, err);
    if (ok) {
        spectrum->probes = arena_take(&spectrum->arena, spectrum->probe_count, sizeof(Probe *), err);
        ok = spectrum->probes != NULL;
    }
    if (!ok)
        spectrum_close(spectrum);
    return ok;
}

void spectrum_place(Text *text, const SpectrumEntry *entry)
{
    const char *before = "";
    for (size_t i = 0; i < entry->method->parameter_count; ++i) {
        const CardParameter *parameter = &entry->method->parameters[i];
        if (isnan(entry->parameters[i]))
            continue;
        text_add(text, "%s%s = ", before, parameter->name);
        before = ", ";
        if (parameter->choices)
            text_add(text, "%s", parameter->choices[(size_t)entry->parameters[i]]);
        else
            text_add(text, "%.6g", entry->parameters[i]);
    }
}
