// command -- `pendula pairs FROM TO`: which parameter of one method damps like a given one of another.
#include "analysis/pairs/pairs.h"

#include "analysis/pairs/pairs_file.h"
#include "analysis/plot/figure.h"
#include "base/suggest.h"
#include "terminal/commands.h"
#include "terminal/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 100000, CURVE_VALUES = 101 };

typedef struct PairsArguments {
    PairsRequest request;  // what points to settings, overrides and values is filled last
    Words        settings, overrides;
    Numbers      values;
    Format       format;
    const char  *output, *device, *stem;
    double       chosen;  // of FROM's values; NaN: none
    Outputs      outputs;
} PairsArguments;

enum { KEY_CRITERION = OPTION_LONG, KEY_OMEGA, KEY_TO_OMEGA, KEY_BAND, KEY_VALUES, KEY_RANGE, KEY_PROBLEM };
enum { KEY_METRIC = KEY_PROBLEM + 1, KEY_FORMAT, KEY_FORCE, KEY_PLOT, KEY_PAIR };

static const struct argp_option pairs_options[] = {
    {"criterion", KEY_CRITERION, "NAME", 0,
     "what both are to have in common: low_frequency (default), high_frequency, radius, damping_ratio, decay, "
     "max_decay or measured",
     0},
    {"omega-h", KEY_OMEGA, "VALUE", 0, "Omega = omega h at which they are compared (default: 1)", 0},
    {"to-omega-h", KEY_TO_OMEGA, "VALUE", 0, "Omega of TO, where its step is another (decay)", 0},
    {"band", KEY_BAND, "A,B", 0, "compare from Omega = A to B: the largest |logarithm of the ratio| is the least", 0},
    {"values", KEY_VALUES, "LIST", 0,
     "values of FROM's parameter, with commas; more with each --values (default: 21 evenly in its range)", 0},
    {"range", KEY_RANGE, "A,B", 0, "look for TO's parameter from A to B only", 0},
    {"parameter", 'p', "NAME=VALUE", 0,
     "fix a parameter of the methods that have it, or METHOD.NAME=VALUE (may be repeated)", 0},
    {"problem", KEY_PROBLEM, "NAME", 0,
     "what `measured` runs and updates are counted on; none: nothing is run (default: the criterion's)", 0},
    {"set", 's', "KEY=VALUE", 0, "override a key of the problem's run, e.g. end=100 (may be repeated)", 0},
    {"metric", KEY_METRIC, "METRIC", 0,
     "what `measured` compares, as a sweep file has it, e.g. {log_decrement: {of: slow}}", 0},
    {"device", 'd', "DEVICE", 0, "where the problem is run, as in `pendula run`", 0},
    FORMAT_OPTION(KEY_FORMAT),
    {"output", 'o', "FILE", 0, "where the table goes; FILE.h5: a result file beside the table", 0},
    FORCE_OPTION(KEY_FORCE),
    {"plot", KEY_PLOT, "FILE", 0, "draw FILE.png and FILE.svg too", 0},
    {"pair", KEY_PAIR, "VALUE", 0, "the value of FROM's for which damping over Omega is drawn (default: the middle)",
     0},
    {0}};

static error_t parse_criterion(const char *value, PairsRequest *request, const struct argp_state *state)
{
    for (int i = 0; i < CRITERION_COUNT; ++i)
        if (strcmp(criterion_names[i], value) == 0) {
            request->criterion = (Criterion)i;
            return 0;
        }
    const char *near = suggest(value, criterion_names, CRITERION_COUNT);
    return options_refuse(state, "unknown criterion '%.60s'%s%s%s", value, near ? ", did you mean '" : "",
                          near ? near : "", near ? "'" : "");
}

// What only makes sense with something else.
static error_t check(const PairsArguments *given, const struct argp_state *state)
{
    const PairsRequest *request = &given->request;
    if (!request->methods[PAIR_TO])
        return options_refuse(state, "which two methods? Name FROM and TO of `pendula list methods`");
    if (request->band[1] > 0.0 && (request->omega_h[PAIR_FROM] > 0.0 || request->omega_h[PAIR_TO] > 0.0))
        return options_refuse(state, "--band and --omega-h exclude each other");
    if (!isnan(given->chosen) && !given->stem)
        return options_refuse(state, "--pair says what --plot draws, and needs it");
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options        *options = state->input;
    PairsArguments *given = options->target;
    PairsRequest   *request = &given->request;
    switch (key) {
    case KEY_CRITERION: return parse_criterion(value, request, state);
    case KEY_OMEGA: return numbers_parse_one("--omega-h", value, NUMBERS_POSITIVE, &request->omega_h[PAIR_FROM], state);
    case KEY_TO_OMEGA:
        return numbers_parse_one("--to-omega-h", value, NUMBERS_POSITIVE, &request->omega_h[PAIR_TO], state);
    case KEY_BAND: return numbers_parse_range("--band", value, NUMBERS_POSITIVE, request->band, state);
    case KEY_VALUES: return numbers_parse("--values", value, MOST_VALUES, NUMBERS_ANY, &given->values, state);
    case KEY_RANGE: return numbers_parse_range("--range", value, NUMBERS_ANY, request->range, state);
    case 'p': return options_add_word(&given->settings, value, options->err) ? 0 : EINVAL;
    case KEY_PROBLEM: request->problem = value; return 0;
    case 's': return options_add_word(&given->overrides, value, options->err) ? 0 : EINVAL;
    case KEY_METRIC: request->metric = value; return 0;
    case 'd':
        if (strcmp(value, "reference") == 0)
            return options_refuse(state, "-d: kernels are run, and the reference has none; name an OpenCL device");
        given->device = value;
        return 0;
    case KEY_FORMAT: return table_parse_format(value, &given->format, state);
    case 'o': given->output = value; return 0;
    case KEY_FORCE: given->outputs.force = true; return 0;
    case KEY_PLOT: given->stem = figure_stem(value); return 0;
    case KEY_PAIR: return numbers_parse_one("--pair", value, NUMBERS_ANY, &given->chosen, state);
    case ARGP_KEY_ARG:
        if (request->methods[PAIR_TO])
            return options_refuse(state, "two methods at a time, got a third, '%.100s'", value);
        request->methods[request->methods[PAIR_FROM] ? PAIR_TO : PAIR_FROM] = value;
        return 0;
    case ARGP_KEY_END: return check(given, state);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp pairs_argp = {
    .options = pairs_options,
    .parser = parse_option,
    .args_doc = "FROM TO",
    .doc = "Finds damping-equivalent parameters: for values of FROM's free parameter those of TO's for which both "
           "methods damp alike, with all there are, why there is none, and what else the methods do there. Of newmark "
           "gamma is free, and beta = (gamma + 1/2)^2/4, unless one is fixed by -p.\v"
           "low_frequency compares what -ln(radius) is for Omega -> 0, high_frequency the radius for Omega -> "
           "infinity, radius and damping_ratio those at an Omega or over a band, decay the decay over a fixed time, "
           "max_decay the fastest decay of any mode, measured a metric of a problem."};

// The same criterion at many values between the least and the largest, and at the ends of what has equivalents: a
// smooth curve. Nothing is run for it.
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

// Opens the device for what is to be run, if anything. A linear criterion can do without.
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
static bool find(PairsArguments *given, Error *err)
{
    PairsRequest *request = &given->request;
    Catalog       catalog = {0};
    Device       *device = NULL;
    Pairs         pairs = {0};
    const Card   *method;
    bool          ok = (!given->stem || figure_check_stem(&given->outputs, given->stem, err)) &&
              outputs_check(&given->outputs, given->output, err) &&
              (!pairs_file_is(given->output) || pairs_file_check(given->output, given->values.count, err)) &&
              catalog_read(&catalog, err);
    for (size_t i = 0; ok && i < PAIR_SIDES; ++i)
        ok = setting_find_card(&catalog, CARD_METHOD, request->methods[i], &method, err);
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
    catalog_free(&catalog);
    return ok;
}

bool pairs_command(int argc, char **argv, Error *err)
{
    PairsArguments given = {.request.range = {(double)NAN, (double)NAN}, .output = "-", .chosen = (double)NAN};
    bool           help = false;
    bool           ok = options_parse(&pairs_argp, argc, argv, &given, &help, err);
    if (ok && !help)
        ok = find(&given, err);
    options_free_words(&given.settings);
    options_free_words(&given.overrides);
    numbers_free(&given.values);
    return ok;
}
