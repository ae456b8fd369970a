// command -- `pendula conform SWEEP.yaml`: kernels beside kernels of other devices and lane counts, and certified.
#include "analysis/conform/conform_plot.h"
#include "analysis/conform/conform_print.h"
#include "analysis/plot/figure.h"
#include "base/clock.h"
#include "base/stop.h"
#include "base/yaml.h"
#include "terminal/commands.h"
#include "terminal/compiling.h"
#include "device/driver.h"
#include "terminal/sweep_argument.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ConformArguments {
    SweepArgument sweep;
    const char   *json, *junit, *stem;
    Words         devices;
    BitsLanes     lanes;
    uint64_t      sample;
    Outputs       outputs;
    ProgressMode  progress;
} ConformArguments;

enum { KEY_JSON = OPTION_LONG, KEY_JUNIT, KEY_PLOT, KEY_LANES, KEY_SAMPLE, KEY_FORCE };

static const struct argp_option conform_options[] = {
    {"device", 'd', "DEVICE", 0, "a device to check, as in `run` (may be repeated; default: all that there are)", 0},
    OPTION_SET,
    {"lanes", KEY_LANES, "LIST", 0, "lane counts to compare, of 1, 2, 4, 8, 16 (default: 1,8,16, on a GPU 1)", 0},
    {"sample", KEY_SAMPLE, "N", 0, "look at N points of each group, spread over it (default: at all)", 0},
    {"json", KEY_JSON, "FILE", 0, "write the report as JSON; - is stdout", 0},
    {"junit", KEY_JUNIT, "FILE", 0, "write it as JUnit's XML, a test case for each group", 0},
    {"plot", KEY_PLOT, "FILE", 0, "draw FILE.png and FILE.svg: shares of bounds over points, ulps between devices", 0},
    FORCE_OPTION(KEY_FORCE),
    {0}};

static error_t parse_lanes(const char *list, BitsLanes *lanes, struct argp_state *state)
{
    *lanes = (BitsLanes){0};
    for (const char *s = list;; ++s) {
        static const char *const words[] = {"1", "2", "4", "8", "16"};
        const size_t             length = strcspn(s, ",");
        int                      count = 0;
        for (int i = 0; i < BITS_LANES; ++i)
            if (strlen(words[i]) == length && memcmp(words[i], s, length) == 0)
                count = 1 << i;
        for (size_t i = 0; i < lanes->count; ++i)
            count = lanes->counts[i] == count ? 0 : count;
        if (!count)
            return options_refuse(state, "--lanes takes a list of 1, 2, 4, 8 and 16, got '%.100s'", list);
        lanes->counts[lanes->count++] = count;
        s += length;
        if (!*s)
            return 0;
    }
}

static error_t parse_sample(const char *text, uint64_t *sample, struct argp_state *state)
{
    double number;
    if (!yaml_parse_number(text, &number) || !(number >= 1.0 && number <= 1e9) || number != floor(number))
        return options_refuse(state, "--sample takes a whole number from 1 to 1e9, got '%.100s'", text);
    *sample = (uint64_t)number;
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options          *options = state->input;
    ConformArguments *given = options->target;
    switch (key) {
    case 'd':
        if (strcmp(value, "reference") == 0)
            return options_refuse(state, "every device is compared with the reference; -d names the devices");
        return options_add_word(&given->devices, value, options->err) ? 0 : EINVAL;
    case KEY_LANES: return parse_lanes(value, &given->lanes, state);
    case KEY_SAMPLE: return parse_sample(value, &given->sample, state);
    case KEY_JSON: given->json = value; return 0;
    case KEY_JUNIT: given->junit = value; return 0;
    case KEY_PLOT: given->stem = figure_stem(value); return 0;
    case KEY_FORCE: given->outputs.force = true; return 0;
    default: return sweep_argument_parse(&given->sweep, key, value, state);
    }
}

static const struct argp conform_argp = {
    conform_options,
    parse_option,
    "SWEEP.yaml",
    "Shows that the kernels compute what the methods' papers say. Every point runs on every device at several lane "
    "counts, which must agree in every bit; every substep of every point is put into the method's equations, and every "
    "metric into its formula, which must hold to rounding. Every metric that applies is added to those of the sweep. "
    "Exits with 7 where a group does not conform.\v"
    "Certificates need a C compiler: gcc or clang, or what PENDULA_CC names. docs/CONFORMANCE.md says what is shown, "
    "and how each bound is derived.",
    NULL,
    NULL,
    NULL};

// The report: text as it comes, the files at the end.
typedef struct ConformReport {
    FILE         *text;  // NULL where stdout is for the JSON
    Table         json;
    Text          cases;  // of JUnit
    ConformCurves curves;
    bool          drawn;
    size_t        groups;
    ProgressLine  line;
    ProgressMode  progress;
    Compiling     compiling;
    bool          begun;
} ConformReport;

static void show_progress(const ConformProgress *progress, void *user)
{
    ConformReport *report = user;
    if (!report->begun)
        progress_line_begin(&report->line, report->progress, stderr, progress->total_points, progress->total_steps);
    report->begun = true;
    progress_line_update(&report->line, progress->points, progress->steps, progress->failed);
}

static bool report_group(const Conformance *conformance, void *user, Error *err)
{
    ConformReport *report = user;
    Text           text = {0};
    ++report->groups;
    conform_print_text(conformance, &text);
    conform_print_json(conformance, &report->json);
    conform_print_junit(conformance, &report->cases);
    bool ok = text_check(&text, err) && (!report->drawn || conform_plot_add(conformance, &report->curves, err));
    if (ok && report->text) {
        progress_line_end(&report->line, NULL);
        report->begun = false;
        ok = options_print(&text, err);
    }
    text_free(&text);
    return ok;
}

// Looks at the reports' names before anything runs. The plan says what is read.
static bool check_outputs(ConformArguments *given, Error *err)
{
    if (!given->json && !given->junit && !given->stem)
        return true;
    if (!sweep_argument_read(&given->sweep, err))
        return false;
    for (size_t i = 0; plan_file(&given->sweep.plan, i); ++i)
        outputs_keep(&given->outputs, plan_file(&given->sweep.plan, i));
    return (!given->json || outputs_check(&given->outputs, given->json, err)) &&
           (!given->junit || outputs_check(&given->outputs, given->junit, err)) &&
           (!given->stem || figure_check_stem(&given->outputs, given->stem, err));
}

static bool write_reports(ConformArguments *given, ConformReport *report, size_t failed, double seconds, Error *err)
{
    Text xml = {0};
    bool ok = true;
    table_end(&report->json);
    if (given->json)
        ok = outputs_write(&given->outputs, given->json, report->json.text, err);
    if (ok && given->junit) {
        conform_print_junit_suite(given->sweep.path, report->groups, failed, seconds, &report->cases, &xml);
        ok = outputs_write(&given->outputs, given->junit, &xml, err);
    }
    if (ok && given->stem)
        ok = conform_plot(&report->curves, given->sweep.path, given->stem, &given->outputs, err);
    text_free(&xml);
    return ok;
}

static bool check_sweep(ConformArguments *given, Error *err)
{
    const double         begun = clock_seconds();
    Text                 json = {0};
    size_t               failed = 0;
    ConformReport        report = {.text = given->json && strcmp(given->json, "-") == 0 ? NULL : stdout,
                                   .json = {.text = &json, .format = FORMAT_JSON},
                                   .progress = given->progress,
                                   .drawn = given->stem != NULL};
    const ConformRequest request = {.sweep = given->sweep.path,
                                    .overrides = given->sweep.overrides.items,
                                    .override_count = given->sweep.overrides.count,
                                    .devices = given->devices.items,
                                    .device_count = given->devices.count,
                                    .lanes = given->lanes,
                                    .sample = given->sample,
                                    .drawn = report.drawn,
                                    .signals = stop_count(),
                                    .notice = &report.compiling.notice,
                                    .progress = show_progress,
                                    .report = report_group,
                                    .user = &report};
    table_begin(&report.json);
    bool ok = check_outputs(given, err) && stop_catch(driver_remove, err) &&
              compiling_start(&report.compiling, &report.line, given->progress, err) &&
              conform_run(&request, &failed, err);
    compiling_stop(&report.compiling);
    stop_release();
    progress_line_end(&report.line, options_event(ok, err));
    ok = ok && write_reports(given, &report, failed, clock_seconds() - begun, err);
    if (ok && failed)
        ok = fail(err, ERROR_CONFORMANCE, "%s: %zu of %zu groups do not conform", given->sweep.path, failed,
                  report.groups);
    conform_plot_free(&report.curves);
    text_free(&report.cases);
    text_free(&json);
    return ok;
}

bool conform_command(int argc, char **argv, Error *err)
{
    ConformArguments given = {0};
    bool             help = false;
    bool ok = options_progress(&given.progress, err) && options_parse(&conform_argp, argc, argv, &given, &help, err);
    if (ok && !help)
        ok = check_sweep(&given, err);
    sweep_argument_free(&given.sweep);
    options_free_words(&given.devices);
    return ok;
}
