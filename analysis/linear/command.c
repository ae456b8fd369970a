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

// The values given, in ascending order where that is asked for; without them `count` values evenly from `from` to `to`,
// on a logarithmic scale unless `from` is 0.
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

static bool take_logarithmic(const char *option, char *value, void *arguments, Error *err)
{
    static const NumbersRange any = NUMBERS_ANY;
    SpectrumArguments        *given = arguments;
    Numbers                   bounds = {0};
    bool                      ok = numbers_read(option, value, 3, &any, &bounds, err);
    const double              from = ok ? bounds.items[0] : 0.0, to = bounds.count > 1 ? bounds.items[1] : 0.0,
                 count = bounds.count > 2 ? bounds.items[2] : 0.0;
    numbers_free(&bounds);
    if (ok && (!(from > 0.0 && to > from) || count != floor(count) || count < 2.0 || count > MOST_OMEGAS))
        ok = fail(err, ERROR_USAGE, "%s takes A,B,N with 0 < A < B and N from 2 to %d, got '%.100s'", option,
                  MOST_OMEGAS, value);
    numbers_free(&given->omegas);
    return ok && choose(&(Numbers){0}, false, from, to, (size_t)count, &given->omegas, err);
}

static const Option spectrum_options[] = {
    {"parameter", 'p', "NAME=VALUE", OPTION_TEXTS(SpectrumArguments, settings),
     "a parameter of the methods that have it, or METHOD.NAME=VALUE; several values with commas (may be repeated)"},
    {"zeta", 0, "LIST", OPTION_NUMBERS(SpectrumArguments, zetas, MOST_ZETAS, NUMBERS_NOT_NEGATIVE),
     "damping ratios of the oscillator, with commas; more with each --zeta (default: 0; for limits 0 to 1.5)"},
    {"omega-h", 0, "LIST", OPTION_NUMBERS(SpectrumArguments, omegas, MOST_OMEGAS, NUMBERS_POSITIVE),
     "values of Omega = omega h, with commas; more with each --omega-h"},
    {"omega-h-log", 0, "A,B,N", OPTION_OWN(take_logarithmic),
     "N values of Omega from A to B, evenly on a logarithmic scale"},
    TABLE_ROW_FORMAT(SpectrumArguments, format),
    {"output", 'o', "FILE", OPTION_TEXT(SpectrumArguments, output), "where to (default: standard output)"},
    {"device", 'd', "DEVICE",
     OPTION_DEVICE(SpectrumArguments, device, "kernels are probed, and the reference has none"),
     "the device whose kernels are probed, as in `pendula run`"},
    FIGURE_ROW_PLOT(SpectrumArguments, stem),
    OPTION_ROW_FORCE(SpectrumArguments, outputs.force),
    {"limits", 0, NULL, OPTION_FLAG(SpectrumArguments, limits),
     "the largest stable Omega over zeta in place of the spectrum"}};

const Usage linear_command_usage = {
    USAGE_OPTIONS(spectrum_options), .arguments = ARGUMENTS_ALL(SpectrumArguments, methods, "METHOD...", "method", 1),
    .remedy = "Name some of `pendula list methods`, or `all`",
    .about = "Tells what methods do to a damped oscillator: spectral radius, damping ratio and relative period error "
             "over Omega = omega h, and the largest stable Omega over zeta. METHOD is a name, the path of a kernel "
             "file of your own (./mine.cl), or `all`.",
    .notes =
        "radius, damping_ratio and period_error are theory's, against the undamped oscillator: with --zeta they count "
        "its "
        "own damping too; radius_kernel is read off the method's own kernel, "
        "and so is all of a method whose card has no equations. Rayleigh damping counts in units of omega. A method "
        "that is stable at every Omega has the limit infinite, inf in csv and \"inf\" in json; one that is "
        "unstable at every Omega has 0."};

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
static bool look(void *arguments, Error *err)
{
    SpectrumArguments *given = arguments;
    Catalog            catalog = {0};
    Device            *device = NULL;
    Spectrum           spectrum = {0};
    Error              missing = {0};
    bool               ok = outputs_check(&given->outputs, given->output, err) &&
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
    return options_run(&linear_command_usage, argc, argv, &given, look, err);
}
