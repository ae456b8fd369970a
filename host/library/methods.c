// methods -- what methods do to an oscillator: their spectra, and parameters that damp alike.
#include "library/library.h"

#include "analysis/linear/spectrum.h"
#include "analysis/pairs/pairs.h"
#include "store/held.h"

#include <math.h>
#include <string.h>

// Numbers of a caller as the room of linear theory takes them.
static Numbers as_numbers(const double *items, size_t count, Arena *arena, Error *err)
{
    Numbers numbers = {arena_take(arena, count, sizeof *items, err), count};
    if (numbers.items && count)
        memcpy(numbers.items, items, count * sizeof *items);
    return numbers;
}

static bool open_device(const char *which, Device **device, Error *err)
{
    *device = NULL;
    return !which || device_open(which, PRECISION_DOUBLE, device, err);
}

static bool check_places(const double *numbers, size_t count, bool above, const char *what, Error *err)
{
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(numbers[i]) || numbers[i] < 0.0 || (above && numbers[i] == 0.0))
            return fail(err, ERROR_USAGE, "%s is %.6g: %s 0, and finite", what, numbers[i],
                        above ? "above" : "at least");
    return true;
}

enum { OMEGAS, ZETAS };
static const char *const places[] = {"omega_h", "zeta"};

// A group for an entry, with its rows and limits.
static bool add_entry(StoreFile *file, const SpectrumEntry *entry, const Numbers numbers[2], const SpectrumRow *rows,
                      const SpectrumLimit *limits, Error *err)
{
    enum { OF_ROWS = 4, OF_LIMITS = 2 };
    static const char *const names[] = {"radius",        "damping_ratio", "period_error",
                                        "radius_kernel", "critical",      "critical_kernel"};
    const char *const        dims[] = {places[ZETAS], places[OMEGAS]};
    const uint64_t           shape[] = {numbers[ZETAS].count, numbers[OMEGAS].count};
    double                  *arrays[OF_ROWS + OF_LIMITS];
    Text                     label SCOPED(text_free) = {0};
    text_add(&label, "%s%s", entry->method->name, entry->method->parameter_count ? ", " : "");
    spectrum_place(&label, entry);
    StoreGroup *group = text_check(&label, err) ? held_group(file, label.text, 2 + OF_ROWS + OF_LIMITS, err) : NULL;
    bool        ok = group && held_add_text(file, group, NULL, "method", entry->method->name, err);
    for (size_t k = 0; ok && k < 2; ++k) {
        const uint64_t count = numbers[k].count;
        double        *values = held_add_numbers(file, group, places[k], 1, &places[k], &count, err);
        ok = values != NULL;
        for (size_t i = 0; ok && i < count; ++i)
            values[i] = numbers[k].items[i];
        if (ok)
            group->variables[k].scale = true;
    }
    for (size_t k = 0; ok && k < OF_ROWS + OF_LIMITS; ++k)
        ok = (arrays[k] = held_add_numbers(file, group, names[k], k < OF_ROWS ? 2 : 1, dims, shape, err)) != NULL;
    for (size_t i = 0; ok && i < shape[0] * shape[1]; ++i) {
        const Mode *mode = &rows[i].mode;
        arrays[0][i] = mode->radius;
        arrays[1][i] = mode->damping_ratio;
        arrays[2][i] = mode->period_error;
        arrays[3][i] = rows[i].radius_kernel;
    }
    for (size_t i = 0; ok && i < shape[0]; ++i) {
        arrays[4][i] = limits[i].theory;
        arrays[5][i] = limits[i].kernel;
    }
    return ok;
}

static bool add_entries(StoreFile *file, Spectrum *spectrum, const Numbers numbers[2], Error *err)
{
    const size_t   rows_each = numbers[OMEGAS].count * numbers[ZETAS].count;
    SpectrumRow   *rows;
    SpectrumLimit *limits;
    bool           ok = held_open("spectrum", spectrum->entry_count, file, err) &&
              spectrum_rows(spectrum, &numbers[OMEGAS], &numbers[ZETAS], &rows, err) &&
              spectrum_limits(spectrum, &numbers[ZETAS], &limits, err);
    for (size_t e = 0; ok && e < spectrum->entry_count; ++e)
        ok = add_entry(file, &spectrum->entries[e], numbers, rows + e * rows_each, limits + e * numbers[ZETAS].count,
                       err);
    return ok;
}

PendulaResult *pendula_spectrum(const char *const *methods, size_t method_count, const char *const *settings,
                                size_t setting_count, const double *omega_h, size_t omega_count, const double *zeta,
                                size_t zeta_count, const char *device, PendulaError **error)
{
    PLAIN_NUMERALS;
    Error    err = {0};
    Arena    arena SCOPED(arena_free) = {0};
    Catalog  catalog = {0};
    Spectrum spectrum = {0};
    Device  *opened = NULL;
    if (!methods || !omega_h || !zeta || method_count == 0 || omega_count == 0 || zeta_count == 0)
        return library_refuse(error, ERROR_USAGE, "a spectrum takes a method, an omega_h and a zeta at least"), NULL;
    if (!library_check_texts(methods, method_count, "method", error) ||
        !library_check_texts(settings, setting_count, "setting", error))
        return NULL;
    PendulaResult *result = library_new(sizeof *result, error);
    if (!result)
        return NULL;
    const Numbers numbers[] = {as_numbers(omega_h, omega_count, &arena, &err),
                               as_numbers(zeta, zeta_count, &arena, &err)};
    result->complete = numbers[OMEGAS].items && numbers[ZETAS].items &&
                       check_places(omega_h, omega_count, true, places[OMEGAS], &err) &&
                       check_places(zeta, zeta_count, false, places[ZETAS], &err) && catalog_read(&catalog, &err) &&
                       spectrum_open(&catalog, methods, method_count, settings, setting_count, &spectrum, &err) &&
                       open_device(device, &opened, &err);
    spectrum.device = opened;
    result->complete = result->complete && add_entries(&result->file, &spectrum, numbers, &err);
    spectrum_close(&spectrum);
    device_close(opened);
    catalog_free(&catalog);
    if (result->complete)
        return result;
    library_fail(error, &err);
    pendula_result_free(result);
    return NULL;
}

PendulaPairsOptions pendula_pairs_options(void)
{
    return (PendulaPairsOptions){.size = sizeof(PendulaPairsOptions)};
}

static bool check_band(const double band[2], Error *err)
{
    return (band[0] == 0.0 && band[1] == 0.0) || (band[0] > 0.0 && band[0] < band[1] && isfinite(band[1])) ||
           fail(err, ERROR_USAGE, "band is %.6g to %.6g: the first above 0 and below the second", band[0], band[1]);
}

static bool add_column(StoreFile *file, StoreGroup *group, const Pairs *pairs, const char *name, size_t column,
                       Error *err)
{
    static const char *const along[] = {"pair"};
    const uint64_t           count = pairs->count;
    double                  *numbers = held_add_numbers(file, group, name, 1, along, &count, err);
    for (size_t i = 0; numbers && i < count; ++i) {
        const Pair *pair = &pairs->pairs[i];
        numbers[i] = column == 0   ? pair->from
                     : column == 1 ? pair->to
                                   : pairs_words_number(pairs, pair, column - PAIR_SIDES);
    }
    return numbers != NULL;
}

// Further equivalents, NaN behind the last.
static bool add_roots(StoreFile *file, StoreGroup *group, const Pairs *pairs, Error *err)
{
    static const char *const along[] = {"pair", "root"};
    uint64_t                 shape[] = {pairs->count, 0};
    for (size_t i = 0; i < pairs->count; ++i)
        shape[1] = pairs->pairs[i].root_count > shape[1] ? pairs->pairs[i].root_count : shape[1];
    double *numbers = held_add_numbers(file, group, "roots", 2, along, shape, err);
    for (size_t i = 0; numbers && i < pairs->count; ++i)
        for (size_t r = 0; r < shape[1]; ++r)
            numbers[i * shape[1] + r] = r < pairs->pairs[i].root_count ? pairs->pairs[i].roots[r].at : (double)NAN;
    return numbers != NULL;
}

static bool hold_pairs(StoreFile *file, const Pairs *pairs, Error *err)
{
    enum { COLUMNS = PAIR_SIDES + PAIRS_COLUMNS };
    StoreGroup *group = held_open("pairs", 1, file, err) ? held_group(file, "pairs", COLUMNS + 1, err) : NULL;
    Text        equal SCOPED(text_free) = {0};
    pairs_words_equal(&equal, pairs);
    bool ok = group && text_check(&equal, err) && held_add_text(file, group, NULL, "message", equal.text, err);
    for (size_t k = 0; ok && k < COLUMNS; ++k) {
        const PairsColumn *column = k < PAIR_SIDES ? NULL : &pairs_words_columns[k - PAIR_SIDES];
        ok = add_column(file, group, pairs, column ? column->name : pairs->columns[k], k, err);
        if (ok && column)
            group->variables[k].about = column->about;
    }
    for (size_t i = 0; ok && i < pairs->count; ++i)
        ok = held_add_text(file, group, NULL, "reason", pairs->pairs[i].reason, err);
    return ok && add_roots(file, group, pairs, err);
}

PendulaResult *pendula_pairs(const char *from, const char *to, const double *values, size_t count,
                             const PendulaPairsOptions *given, PendulaError **error)
{
    PLAIN_NUMERALS;
    PendulaPairsOptions options;
    Error               err = {0};
    Catalog             catalog = {0};
    Pairs               pairs = {0};
    PairsRequest        request = {.catalog = &catalog, .methods = {from, to}, .values = values, .value_count = count};
    Device             *device = NULL;
    unsigned            criterion;
    if (!from || !to || (!values && count > 0))
        return library_refuse(error, ERROR_USAGE, "the methods of pairs, or the values, are NULL"), NULL;
    if (!library_take_options(given, &options, sizeof options, error) ||
        !library_check_texts(options.settings, options.setting_count, "setting", error) ||
        !library_find_word(options.criterion, "criterion", criterion_names, CRITERION_COUNT, CRITERION_LOW_FREQUENCY,
                           &criterion, error))
        return NULL;
    PendulaResult *result = library_new(sizeof *result, error);
    if (!result)
        return NULL;
    request.criterion = (Criterion)criterion;
    request.settings = options.settings;
    request.setting_count = options.setting_count;
    request.problem = options.device ? NULL : "none";
    request.metric = options.metric;
    request.omega_h[PAIR_FROM] = options.omega_h;
    request.omega_h[PAIR_TO] = options.to_omega_h;
    memcpy(request.band, options.band, sizeof request.band);
    const bool ranged = options.range[0] != 0.0 || options.range[1] != 0.0;
    request.range[0] = ranged ? options.range[0] : (double)NAN;
    request.range[1] = ranged ? options.range[1] : (double)NAN;
    result->complete = check_places(request.omega_h, PAIR_SIDES, false, places[OMEGAS], &err) &&
                       check_band(request.band, &err) && catalog_read(&catalog, &err) &&
                       open_device(options.device, &device, &err);
    request.device = device;
    result->complete =
        result->complete && pairs_find(&request, &pairs, &err) && hold_pairs(&result->file, &pairs, &err);
    if (!result->complete) {
        library_fail(error, &err);
        pendula_result_free(result);
        result = NULL;
    }
    pairs_free(&pairs);
    device_close(device);
    catalog_free(&catalog);
    return result;
}
