// command -- `pendula spectrum METHOD...`: radius, damping and period of methods, and their stability limits.
#include "analysis/linear/spectrum.h"
#include "analysis/plot/figure.h"
#include "base/sort.h"
#include "terminal/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OMEGAS = 10000, MOST_ZETAS = 200 };
enum { TEXT_OMEGAS = 17, PLOT_OMEGAS = 201, TEXT_ZETAS = 16, PLOT_ZETAS = 61 };

typedef struct SpectrumArguments {
    Words       methods, settings;
    Numbers     omegas, zetas;
    Format      format;
    const char *output, *device, *stem;
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

// What was given, in ascending order where that is asked for; without it `count` values evenly from `from` to `to`, on
// a logarithmic scale unless `from` is 0.
static bool choose(const Numbers *given, bool sorted, double from, double to, size_t count, Numbers *chosen, Error *err)
{
    chosen->count = given->count ? given->count : count;
    chosen->items = calloc(chosen->count, sizeof *chosen->items);
    if (!chosen->items)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < chosen->count; ++i)
        chosen->items[i] = given->count     ? given->items[i]
                           : i + 1 == count ? to
                           : from > 0.0     ? from * pow(to / from, (double)i / (double)(count - 1))
                                            : to * (double)i / (double)(count - 1);
    if (sorted)
        sort_numbers(chosen->items, chosen->count);
    return true;
}

static error_t parse_logarithmic(const char *value, SpectrumArguments *given, struct argp_state *state)
{
    const Options *options = state->input;
    Numbers        bounds = {0};
    error_t        code = numbers_parse("--omega-h-log", value, 3, NUMBERS_ANY, &bounds, state);
    if (code == 0) {
        const double from = bounds.items[0], to = bounds.count > 1 ? bounds.items[1] : 0.0,
                     count = bounds.count > 2 ? bounds.items[2] : 0.0;
        numbers_free(&given->omegas);
        if (bounds.count != 3 || !(from > 0.0 && to > from) || count != floor(count) || count < 2.0 ||
            count > MOST_OMEGAS)
            code = options_refuse(state, "--omega-h-log takes A,B,N with 0 < A < B and N from 2 to %d, got '%.100s'",
                                  MOST_OMEGAS, value);
        else if (!choose(&(Numbers){0}, false, from, to, (size_t)count, &given->omegas, options->err))
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
    case KEY_ZETA:
        numbers_free(&given->zetas);  // a list replaces the one before
        return numbers_parse("--zeta", value, MOST_ZETAS, NUMBERS_NOT_NEGATIVE, &given->zetas, state);
    case KEY_OMEGA:
        numbers_free(&given->omegas);
        return numbers_parse("--omega-h", value, MOST_OMEGAS, NUMBERS_POSITIVE, &given->omegas, state);
    case KEY_OMEGA_LOG: return parse_logarithmic(value, given, state);
    case KEY_FORMAT: return table_parse_format(value, &given->format, state);
    case 'o': given->output = value; return 0;
    case 'd':
        if (strcmp(value, "reference") == 0)
            return options_refuse(state, "-d: kernels are probed, and the reference has none; name an OpenCL device");
        given->device = value;
        return 0;
    case KEY_PLOT: given->stem = figure_stem(value); return 0;
    case KEY_FORCE: given->outputs.force = true; return 0;
    case KEY_LIMITS: given->limits = true; return 0;
    case ARGP_KEY_ARG: return options_add_word(&given->methods, value, options->err) ? 0 : EINVAL;
    case ARGP_KEY_NO_ARGS: return options_refuse(state, "which methods? Name some of `pendula list methods`, or `all`");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp spectrum_argp = {
    .options = spectrum_options,
    .parser = parse_option,
    .args_doc = "METHOD...",
    .doc = "Tells what methods do to a damped oscillator: spectral radius, damping ratio and relative period error "
           "over Omega = omega h, and the largest stable Omega over zeta. METHOD is a name, or `all`.\v"
           "radius, damping_ratio and period_error are theory's; radius_kernel is read off the method's own kernel, "
           "and so is all of a method without a row of theory. Rayleigh damping counts in units of omega. A method "
           "that is stable at every Omega has the limit infinite, inf in csv and \"inf\" in json; one that is unstable "
           "at every Omega has 0."};

// The values at which a spectrum, or limits, are computed.
typedef struct Places {
    Numbers omegas, zetas;
} Places;

// Curves want more values than a table, and in order.
static bool choose_places(const SpectrumArguments *given, bool drawn, Places *places, Error *err)
{
    return choose(&given->omegas, drawn, 1e-2, 1e2, drawn ? PLOT_OMEGAS : TEXT_OMEGAS, &places->omegas, err) &&
           (given->limits ? choose(&given->zetas, drawn, 0.0, 1.5, drawn ? PLOT_ZETAS : TEXT_ZETAS, &places->zetas, err)
                          : choose(&given->zetas, false, 0.0, 0.0, 1, &places->zetas, err));
}

static void free_places(Places *places)
{
    numbers_free(&places->omegas);
    numbers_free(&places->zetas);
}

// In text some limits stand below the spectrum.
static bool tabulate(Spectrum *spectrum, const SpectrumArguments *given, Error *err)
{
    double         usual[] = {0.0, 0.05, 0.2, 0.5, 1.0, 1.5};
    const Numbers  few = {usual, sizeof usual / sizeof *usual};
    Places         places = {0};
    const Numbers *zetas = given->limits ? &places.zetas : given->zetas.count ? &given->zetas : &few;
    SpectrumRow   *rows;
    SpectrumLimit *limits;
    Text           text = {0};
    bool           ok = choose_places(given, false, &places, err);
    if (ok && !given->limits && (ok = spectrum_rows(spectrum, &places.omegas, &places.zetas, &rows, err)))
        spectrum_print(&text, given->format, spectrum, rows, NULL, places.omegas.count * places.zetas.count);
    if (ok && (given->limits || given->format == FORMAT_TEXT) && (ok = spectrum_limits(spectrum, zetas, &limits, err)))
        spectrum_print(&text, given->format, spectrum, NULL, limits, zetas->count);
    ok = ok && outputs_write(&given->outputs, given->output, &text, err);
    text_free(&text);
    free_places(&places);
    return ok;
}

static bool draw(Spectrum *spectrum, const SpectrumArguments *given, Error *err)
{
    const char    *stem = given->stem;
    const Outputs *outputs = &given->outputs;
    Places         places = {0};
    SpectrumRow   *rows;
    SpectrumLimit *limits;
    bool           ok = choose_places(given, true, &places, err);
    if (given->limits)
        ok = ok && spectrum_limits(spectrum, &places.zetas, &limits, err) &&
             spectrum_plot_limits(spectrum, limits, places.zetas.count, stem, outputs, err);
    else
        ok = ok && spectrum_rows(spectrum, &places.omegas, &places.zetas, &rows, err) &&
             spectrum_plot_rows(spectrum, rows, places.omegas.count, places.zetas.count, stem, outputs, err);
    if (ok)
        options_say("%s.png, %s.svg; script %s.gp", stem, stem, stem);
    free_places(&places);
    return ok;
}

// Names and settings are looked at first: they need no device.
static bool look(SpectrumArguments *given, Error *err)
{
    Catalog  catalog = {0};
    Device  *device = NULL;
    Spectrum spectrum = {0};
    Error    missing = {0};
    bool     ok = outputs_check(&given->outputs, given->output, err) &&
              (!given->stem || figure_check_stem(&given->outputs, given->stem, err)) && catalog_read(&catalog, err) &&
              spectrum_open(&catalog, given->methods.items, given->methods.count, given->settings.items,
                            given->settings.count, &spectrum, err);
    if (ok && given->device)
        ok = device_open(given->device, PRECISION_DOUBLE, &device, err);
    else if (ok && !device_open(NULL, PRECISION_DOUBLE, &device, &missing))
        fprintf(stderr, "pendula: %s; without a device there is theory alone\n", missing.message);
    spectrum.device = device;
    ok = ok && tabulate(&spectrum, given, err);
    outputs_keep(&given->outputs, given->output);
    ok = ok && (!given->stem || draw(&spectrum, given, err));
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
    if (ok && !help)
        ok = look(&given, err);
    options_free_words(&given.methods);
    options_free_words(&given.settings);
    numbers_free(&given.omegas);
    numbers_free(&given.zetas);
    return ok;
}
