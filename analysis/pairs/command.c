// command -- `pendula pairs FROM TO`: which parameter of one method damps like a given one of another.
#include "analysis/pairs/pairs.h"

#include "analysis/plot/figure.h"
#include "terminal/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 100000, CURVE_VALUES = 101 };

typedef struct PairsArguments {
    PairsRequest request;  // its pointers to settings, overrides and values are filled last
    Words        settings, overrides;
    Numbers      values;
    Format       format;
    const char  *output, *device, *stem;
    double       chosen;  // of FROM's values; NaN: none
    Outputs      outputs;
} PairsArguments;

static const Option pairs_options[] = {
    {"criterion", 0, "NAME", OPTION_WORD(PairsArguments, request.criterion, criterion_names),
     "what both are to have in common: low_frequency (default), high_frequency, radius, damping_ratio, decay, "
     "max_decay or measured"},
    {"omega-h", 0, "VALUE", OPTION_NUMBER(PairsArguments, request.omega_h[PAIR_FROM], NUMBERS_POSITIVE),
     "Omega = omega h at which they are compared (default: 1)"},
    {"to-omega-h", 0, "VALUE", OPTION_NUMBER(PairsArguments, request.omega_h[PAIR_TO], NUMBERS_POSITIVE),
     "Omega of TO, where its step is another (decay)"},
    {"band", 0, "A,B", OPTION_RANGE(PairsArguments, request.band, NUMBERS_POSITIVE),
     "compare from Omega = A to B: the largest |logarithm of the ratio| is the least"},
    {"values", 0, "LIST", OPTION_NUMBERS(PairsArguments, values, MOST_VALUES, NUMBERS_ANY),
     "values of FROM's parameter, with commas; more with each --values (default: 21 evenly in its range)"},
    {"range", 0, "A,B", OPTION_RANGE(PairsArguments, request.range, NUMBERS_ANY),
     "look for TO's parameter from A to B only"},
    {"parameter", 'p', "NAME=VALUE", OPTION_TEXTS(PairsArguments, settings),
     "fix a parameter of the methods that have it, or METHOD.NAME=VALUE (may be repeated)"},
    {"problem", 0, "PROBLEM", OPTION_TEXT(PairsArguments, request.problem),
     "what `measured` runs and updates are counted on; none: nothing is run (default: the criterion's)"},
    {"set", 's', "KEY=VALUE", OPTION_TEXTS(PairsArguments, overrides),
     "override a key of the problem's run, e.g. end=100 (may be repeated)"},
    {"metric", 0, "METRIC", OPTION_TEXT(PairsArguments, request.metric),
     "what `measured` compares, as a sweep file has it, e.g. {log_decrement: {of: slow}}"},
    {"device", 'd', "DEVICE", OPTION_DEVICE(PairsArguments, device, "kernels are run, and the reference has none"),
     "where the problem is run, as in `pendula run`"},
    TABLE_ROW_FORMAT(PairsArguments, format),
    {"output", 'o', "FILE", OPTION_TEXT(PairsArguments, output),
     "where the table goes; FILE.h5: a result file beside the table"},
    OPTION_ROW_FORCE(PairsArguments, outputs.force),
    FIGURE_ROW_PLOT(PairsArguments, stem),
    {"pair", 0, "VALUE", OPTION_NUMBER(PairsArguments, chosen, NUMBERS_ANY),
     "the value of FROM's for which damping over Omega is drawn (default: the middle)"}};

// Checks options that only make sense with another one.
static bool check(void *arguments, Error *err)
{
    const PairsArguments *given = arguments;
    const PairsRequest   *request = &given->request;
    if (request->band[1] > 0.0 && (request->omega_h[PAIR_FROM] > 0.0 || request->omega_h[PAIR_TO] > 0.0))
        return fail(err, ERROR_USAGE, "--band and --omega-h exclude each other");
    return isnan(given->chosen) || given->stem || fail(err, ERROR_USAGE, "--pair says what --plot draws, and needs it");
}

const Usage pairs_command_usage = {
    USAGE_OPTIONS(pairs_options),
    .arguments = ARGUMENTS_TWO(PairsArguments, request.methods, "FROM TO", "method"),
    .remedy = "Name FROM and TO of `pendula list methods`",
    .check = check,
    .about = "Finds damping-equivalent parameters: for values of FROM's free parameter those of TO's for which both "
             "methods damp alike, with all there are, why there is none, and what else the methods do there. Of "
             "newmark gamma is free, and beta = (gamma + 1/2)^2/4, unless one is fixed by -p.",
    .notes = "low_frequency compares what -ln(radius) is for Omega -> 0, high_frequency the radius for Omega -> "
             "infinity, radius and damping_ratio those at an Omega or over a band, decay the decay over a fixed time, "
             "max_decay the fastest decay of any mode, measured a metric of a problem."};

// The same criterion at many values between the least and the largest, and at the ends of the ranges that have
// equivalents: a smooth curve. Nothing is run for it.
static bool find_curve(const PairsRequest *request, const Pairs *pairs, Pairs *curve, Error *err)
{
    double       low = pairs->pairs[0].from, high = low;
    PairsRequest fine = *request;
    const size_t count = CURVE_VALUES + 2 * pairs->range_count;
    double      *values = calloc(count, sizeof *values);
    for (size_t i = 0; i < pairs->count; ++i) {
        low = fmin(low, pairs->pairs[i].from);
        high = fmax(high, pairs->pairs[i].from);
    }
    for (size_t i = 0; values && i < CURVE_VALUES; ++i) {
        const double part = (double)i / (CURVE_VALUES - 1);
        values[i] = (1.0 - part) * low + part * high;
    }
    for (size_t i = 0; values && i < pairs->range_count; ++i) {
        // Just inside: at the ends themselves rounding decides.
        const PairsRange *range = &pairs->ranges[i];
        const double      inside = 1e-9 * (range->high - range->low);
        values[CURVE_VALUES + 2 * i] = fmin(fmax(range->low + inside, low), high);
        values[CURVE_VALUES + 2 * i + 1] = fmin(fmax(range->high - inside, low), high);
    }
    fine.values = values;
    fine.value_count = count;
    fine.problem = "none";
    fine.device = NULL;
    const bool ok = values ? pairs_find(&fine, curve, err) : fail(err, ERROR_INTERNAL, "out of memory");
    free(values);
    return ok;
}

static bool draw(const PairsArguments *given, const Pairs *pairs, Error *err)
{
    const char *stem = given->stem;
    const bool  measured = pairs->criterion == CRITERION_MEASURED;
    const Pair *pair = pairs_plot_choose(pairs, given->chosen);
    Pairs       curve = {0};
    const bool  ok = (measured || find_curve(&given->request, pairs, &curve, err)) &&
                    pairs_plot(pairs, measured ? pairs : &curve, pair, stem, &given->outputs, err);
    pairs_free(&curve);
    if (ok && pair)
        fprintf(stderr, "damping is drawn for %s = %.10g\n", pairs->columns[PAIR_FROM], pair->from);
    if (ok)
        options_say("%s.png, %s.svg; script %s.gp", stem, stem, stem);
    return ok;
}

// Opens the device for the runs, if there are any. A linear criterion can do without.
static bool open_device(const PairsArguments *given, Device **device, Error *err)
{
    const PairsRequest *request = &given->request;
    Error               missing = {0};
    if (request->criterion != CRITERION_MEASURED && request->problem && strcmp(request->problem, "none") == 0)
        return true;
    if (given->device || request->criterion == CRITERION_MEASURED)
        return device_open(given->device ? given->device : options_device(), PRECISION_DOUBLE, device, err);
    if (!device_open(NULL, PRECISION_DOUBLE, device, &missing))
        fprintf(stderr, "pendula: %s; without a device nothing is run, and no updates are counted\n", missing.message);
    return true;
}

static bool write_all(const PairsArguments *given, const Pairs *pairs, Error *err)
{
    const bool file = pairs_file_is(given->output);
    Text       text = {0};
    pairs_print(&text, given->format, pairs);
    const bool ok = outputs_write(&given->outputs, file ? "-" : given->output, &text, err) &&
                    (!file || pairs_file_write(given->output, given->outputs.force, pairs, err));
    text_free(&text);
    return ok;
}

// Names of files and methods are looked at before a device is opened.
static bool find(void *arguments, Error *err)
{
    PairsArguments *given = arguments;
    PairsRequest   *request = &given->request;
    Catalog         catalog = {0};
    Device         *device = NULL;
    Pairs           pairs = {0};
    Arena           arena = {0};
    const Card     *method;
    bool            ok = (!given->stem || figure_check_stem(&given->outputs, given->stem, err)) &&
              outputs_check(&given->outputs, given->output, err) &&
              (!pairs_file_is(given->output) || pairs_file_check(given->output, given->values.count, err)) &&
              catalog_read(&catalog, err);
    for (size_t i = 0; ok && i < PAIR_SIDES; ++i)
        ok = setting_find_card(&catalog, CARD_METHOD, request->methods[i], &arena, &method, err);
    ok = ok && open_device(given, &device, err);
    request->catalog = &catalog;
    request->device = device;
    request->settings = given->settings.items;
    request->setting_count = given->settings.count;
    request->overrides = given->overrides.items;
    request->override_count = given->overrides.count;
    request->values = given->values.items;
    request->value_count = given->values.count;
    ok = ok && pairs_find(request, &pairs, err) && write_all(given, &pairs, err);
    outputs_keep(&given->outputs, given->output);
    ok = ok && (!given->stem || draw(given, &pairs, err));
    pairs_free(&pairs);
    device_close(device);
    arena_free(&arena);
    catalog_free(&catalog);
    return ok;
}

bool pairs_command(int argc, char **argv, Error *err)
{
    PairsArguments given = {.request.range = {(double)NAN, (double)NAN}, .output = "-", .chosen = (double)NAN};
    return options_run(&pairs_command_usage, argc, argv, &given, find, err);
}
