// command -- `pendula spectrum METHOD...`: radius, damping and period of methods, and their stability limits.
#include "analysis/linear/spectrum.h"
#include "analysis/plot/figure.h"
#include "analysis/linear/spectrum_plot.h"
#include "terminal/commands.h"
#include "terminal/numbers.h"
#include "analysis/linear/spectrum_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OMEGAS = 10000, MOST_ZETAS = 200, MOST_ROWS = 200000 };
enum { TEXT_OMEGAS = 17, PLOT_OMEGAS = 201, TEXT_ZETAS = 16, PLOT_ZETAS = 61 };

typedef struct SpectrumArguments {
    Words       methods, settings;
    Numbers     omegas, zetas;
    Format      format;
    const char *output, *device, *plot;
    Outputs     outputs;
    bool        limits;
} SpectrumArguments;

enum { KEY_ZETA = OPTION_LONG, KEY_OMEGA, KEY_OMEGA_LOG, KEY_FORMAT, KEY_PLOT, KEY_FORCE, KEY_LIMITS };

static const struct argp_option spectrum_options[] = {
    {"parameter", 'p', "NAME=VALUE", 0,
     "a parameter of the methods that have it, or METHOD.NAME=VALUE; several values with commas (may be repeated)", 0},
    {"zeta", KEY_ZETA, "LIST", 0, "damping ratios of the oscillator, with commas (default: 0; for limits 0 to 1.5)", 0},
    {"omega-h", KEY_OMEGA, "LIST", 0, "values of Omega = omega h, with commas", 0},
    {"omega-h-log", KEY_OMEGA_LOG, "A,B,N", 0, "N values of Omega from A to B, evenly on a logarithmic scale", 0},
    FORMAT_OPTION(KEY_FORMAT),
    {"output", 'o', "FILE", 0, "where to (default: standard output)", 0},
    {"device", 'd', "DEVICE", 0, "the device whose kernels are probed, as in `pendula run`", 0},
    {"plot", KEY_PLOT, "FILE", 0, "draw FILE.png and FILE.svg too", 0},
    FORCE_OPTION(KEY_FORCE),
    {"limits", KEY_LIMITS, NULL, 0, "the largest stable Omega over zeta in place of the spectrum", 0},
    {0}};

static bool make_logarithmic(double from, double to, size_t count, Numbers *numbers, Error *err)
{
    numbers->items = calloc(count, sizeof *numbers->items);
    numbers->count = count;
    if (!numbers->items)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < count; ++i)
        numbers->items[i] = i + 1 == count ? to : from * pow(to / from, (double)i / (double)(count - 1));
    return true;
}

static error_t parse_omegas(const char *value, SpectrumArguments *given, struct argp_state *state)
{
    numbers_free(&given->omegas);
    const error_t code = numbers_parse("--omega-h", value, MOST_OMEGAS, &given->omegas, state);
    for (size_t i = 0; code == 0 && i < given->omegas.count; ++i)
        if (!(given->omegas.items[i] > 0.0))
            return options_refuse(state, "--omega-h: %.10g is too small, it must be greater than 0",
                                  given->omegas.items[i]);
    return code;
}

static error_t parse_zetas(const char *value, SpectrumArguments *given, struct argp_state *state)
{
    numbers_free(&given->zetas);
    const error_t code = numbers_parse("--zeta", value, MOST_ZETAS, &given->zetas, state);
    for (size_t i = 0; code == 0 && i < given->zetas.count; ++i)
        if (!(given->zetas.items[i] >= 0.0))
            return options_refuse(state, "--zeta: %.10g is too small, it must be at least 0", given->zetas.items[i]);
    return code;
}

static error_t parse_logarithmic(const char *value, SpectrumArguments *given, struct argp_state *state)
{
    const Options *options = state->input;
    Numbers        bounds = {0};
    error_t        code = numbers_parse("--omega-h-log", value, 3, &bounds, state);
    if (code == 0) {
        const double from = bounds.items[0], to = bounds.count > 1 ? bounds.items[1] : 0.0,
                     count = bounds.count > 2 ? bounds.items[2] : 0.0;
        numbers_free(&given->omegas);
        if (bounds.count != 3 || !(from > 0.0 && to > from) || count != floor(count) || count < 2.0 ||
            count > MOST_OMEGAS)
            code = options_refuse(state, "--omega-h-log takes A,B,N with 0 < A < B and N from 2 to %d, got '%.100s'",
                                  MOST_OMEGAS, value);
        else if (!make_logarithmic(from, to, (size_t)count, &given->omegas, options->err))
            code = ENOMEM;
    }
    numbers_free(&bounds);
    return code;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options           *options = state->input;
    SpectrumArguments *given = options->target;
    switch (key) {
    case 'p': return options_add_word(&given->settings, value, options->err) ? 0 : EINVAL;
    case KEY_ZETA: return parse_zetas(value, given, state);
    case KEY_OMEGA: return parse_omegas(value, given, state);
    case KEY_OMEGA_LOG: return parse_logarithmic(value, given, state);
    case KEY_FORMAT: return table_parse_format(value, &given->format, state);
    case 'o': given->output = value; return 0;
    case 'd':
        if (strcmp(value, "reference") == 0)
            return options_refuse(state, "-d: kernels are probed, and the reference has none; name an OpenCL device");
        given->device = value;
        return 0;
    case KEY_PLOT: given->plot = value; return 0;
    case KEY_FORCE: given->outputs.force = true; return 0;
    case KEY_LIMITS: given->limits = true; return 0;
    case ARGP_KEY_ARG: return options_add_word(&given->methods, value, options->err) ? 0 : EINVAL;
    case ARGP_KEY_NO_ARGS: return options_refuse(state, "which methods? Name some of `pendula list methods`, or `all`");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp spectrum_argp = {
    spectrum_options,
    parse_option,
    "METHOD...",
    "Tells what methods do to a damped oscillator: spectral radius, damping ratio and relative period error over "
    "Omega = omega h, and the largest stable Omega over zeta. METHOD is a name, or `all`.\v"
    "radius, damping_ratio and period_error are theory's; radius_kernel is read off the method's own kernel, and so is "
    "all of a method without a row of theory. Rayleigh damping counts in units of omega. A method that is stable at "
    "every Omega has the limit infinite, inf in csv and \"inf\" in json; one that is unstable at every Omega has 0.",
    NULL,
    NULL,
    NULL};

// The rows of every entry; to be freed.
static SpectrumRow *make_rows(Spectrum *spectrum, const Numbers *omegas, const Numbers *zetas, Error *err)
{
    const size_t per_entry = omegas->count * zetas->count;
    if (per_entry * spectrum->entry_count > MOST_ROWS) {
        fail(err, ERROR_USAGE, "%zu rows, at most %d: give fewer values", per_entry * spectrum->entry_count, MOST_ROWS);
        return NULL;
    }
    SpectrumRow *rows = calloc(per_entry * spectrum->entry_count, sizeof *rows);
    if (!rows)
        fail(err, ERROR_INTERNAL, "out of memory");
    bool ok = rows != NULL;
    for (size_t e = 0; ok && e < spectrum->entry_count; ++e)
        ok = spectrum_rows(spectrum, e, omegas->items, omegas->count, zetas->items, zetas->count, &rows[e * per_entry],
                           err);
    if (ok)
        return rows;
    free(rows);
    return NULL;
}

static SpectrumLimit *make_limits(Spectrum *spectrum, const Numbers *zetas, Error *err)
{
    SpectrumLimit *limits = calloc(zetas->count * spectrum->entry_count, sizeof *limits);
    bool           ok = limits != NULL || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t e = 0; ok && e < spectrum->entry_count; ++e)
        ok = spectrum_limits(spectrum, e, zetas->items, zetas->count, &limits[e * zetas->count], err);
    if (ok)
        return limits;
    free(limits);
    return NULL;
}

static int ascending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

// A sorted copy of what was given.
static bool sort_numbers(const Numbers *given, Numbers *sorted, Error *err)
{
    sorted->items = calloc(given->count, sizeof *sorted->items);
    sorted->count = given->count;
    if (!sorted->items)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < given->count; ++i)
        sorted->items[i] = given->items[i];
    qsort(sorted->items, sorted->count, sizeof *sorted->items, ascending);
    return true;
}

// Zetas evenly from 0 to `last`.
static bool make_zetas(double last, size_t count, Numbers *zetas, Error *err)
{
    zetas->items = calloc(count, sizeof *zetas->items);
    zetas->count = count;
    for (size_t i = 1; zetas->items && i < count; ++i)
        zetas->items[i] = last * (double)i / (double)(count - 1);
    return zetas->items != NULL || fail(err, ERROR_INTERNAL, "out of memory");
}

static bool draw_limits(Spectrum *spectrum, const Numbers *given, const char *stem, const Outputs *outputs, Error *err)
{
    Numbers        zetas = {0};
    SpectrumLimit *limits = NULL;
    bool           ok = given->count ? sort_numbers(given, &zetas, err) : make_zetas(1.5, PLOT_ZETAS, &zetas, err);
    if (ok)
        limits = make_limits(spectrum, &zetas, err);
    ok = limits && spectrum_plot_limits(spectrum, limits, zetas.count, stem, outputs, err);
    free(limits);
    numbers_free(&zetas);
    return ok;
}

// Curves want more values than a table, and in order.
static bool draw_rows(Spectrum *spectrum, const Numbers *given, const Numbers *zetas, const char *stem,
                      const Outputs *outputs, Error *err)
{
    Numbers      omegas = {0};
    SpectrumRow *rows = NULL;
    bool ok = given->count ? sort_numbers(given, &omegas, err) : make_logarithmic(1e-2, 1e2, PLOT_OMEGAS, &omegas, err);
    if (ok)
        rows = make_rows(spectrum, &omegas, zetas, err);
    ok = rows && spectrum_plot_rows(spectrum, rows, omegas.count, zetas->count, stem, outputs, err);
    free(rows);
    numbers_free(&omegas);
    return ok;
}

// Without omegas the table has few, evenly on a logarithmic scale.
static bool tabulate(Spectrum *spectrum, const SpectrumArguments *given, const Numbers *zetas, Error *err)
{
    double        usual[] = {0.0, 0.05, 0.2, 0.5, 1.0, 1.5};
    const Numbers beside = {usual, sizeof usual / sizeof *usual};  // the spectrum
    Numbers       few = {0}, some = {0};
    Text          text = {0};
    bool          ok = (given->omegas.count || make_logarithmic(1e-2, 1e2, TEXT_OMEGAS, &few, err)) &&
              (given->zetas.count || make_zetas(1.5, TEXT_ZETAS, &some, err));
    if (ok && !given->limits) {
        const Numbers *omegas = given->omegas.count ? &given->omegas : &few;
        SpectrumRow   *rows = make_rows(spectrum, omegas, zetas, err);
        ok = rows != NULL;
        if (ok)
            spectrum_print_rows(&text, given->format, spectrum, rows, omegas->count * zetas->count);
        free(rows);
    }
    if (ok && (given->limits || given->format == FORMAT_TEXT)) {
        const Numbers *places = given->zetas.count ? &given->zetas : given->limits ? &some : &beside;
        SpectrumLimit *limits = make_limits(spectrum, places, err);
        ok = limits != NULL;
        if (ok)
            spectrum_print_limits(&text, given->format, spectrum, limits, places->count);
        free(limits);
    }
    ok = ok && outputs_write(&given->outputs, given->output, &text, err);
    text_free(&text);
    numbers_free(&few);
    numbers_free(&some);
    return ok;
}

static bool draw(Spectrum *spectrum, const SpectrumArguments *given, const Numbers *zetas, const char *stem, Error *err)
{
    const Outputs *outputs = &given->outputs;
    const bool     ok = given->limits ? draw_limits(spectrum, &given->zetas, stem, outputs, err)
                                      : draw_rows(spectrum, &given->omegas, zetas, stem, outputs, err);
    if (ok)
        options_say("%s.png, %s.svg; script %s.gp", stem, stem, stem);
    return ok;
}

// Names and settings are looked at first: they need no device.
static bool look(SpectrumArguments *given, const char *stem, Error *err)
{
    double         undamped = 0.0;
    const Numbers  none = {&undamped, 1};
    const Numbers *zetas = given->zetas.count ? &given->zetas : &none;
    Catalog        catalog = {0};
    Device        *device = NULL;
    Spectrum       spectrum = {0};
    Error          missing = {0};
    bool           ok = outputs_check(&given->outputs, given->output, err) &&
              (!stem || figure_check_stem(&given->outputs, stem, err)) && catalog_read(&catalog, err) &&
              spectrum_open(&catalog, given->methods.items, given->methods.count, given->settings.items,
                            given->settings.count, &spectrum, err);
    if (ok && given->device)
        ok = device_open(given->device, PRECISION_DOUBLE, &device, err);
    else if (ok && !device_open(NULL, PRECISION_DOUBLE, &device, &missing))
        fprintf(stderr, "pendula: %s; without a device there is theory alone\n", missing.message);
    spectrum.device = device;
    ok = ok && tabulate(&spectrum, given, zetas, err);
    outputs_keep(&given->outputs, given->output);
    ok = ok && (!stem || draw(&spectrum, given, zetas, stem, err));
    spectrum_close(&spectrum);
    device_close(device);
    catalog_free(&catalog);
    return ok;
}

bool linear_command(int argc, char **argv, Error *err)
{
    SpectrumArguments given = {.output = "-"};
    bool              help = false;
    bool              ok = options_parse(&spectrum_argp, argc, argv, &given, &help, err);
    if (ok && !help) {
        char *stem = given.plot ? figure_make_stem(given.plot) : NULL;
        ok = (stem || !given.plot || fail(err, ERROR_INTERNAL, "out of memory")) && look(&given, stem, err);
        free(stem);
    }
    options_free_words(&given.methods);
    options_free_words(&given.settings);
    numbers_free(&given.omegas);
    numbers_free(&given.zetas);
    return ok;
}
