// command -- `pendula conform SWEEP.yaml`: kernels beside kernels of other devices and lane counts, and certified.
#include "analysis/conform/conform_plot.h"
#include "analysis/conform/conform_print.h"
#include "analysis/plot/figure.h"
#include "base/clock.h"
#include "base/stop.h"
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
    unsigned      lanes;  // bits of lane_counts
    uint64_t      sample;
    Outputs       outputs;
    ProgressMode  progress;
} ConformArguments;

static const char *const lane_counts[BITS_LANES] = {"1", "2", "4", "8", "16", "32"};

static const Option conform_options[] = {
    {"device", 'd', "DEVICE", OPTION_DEVICES(ConformArguments, devices, "every device is compared with it"),
     "a device to check, as in `run` (may be repeated; default: all that there are)"},
    SWEEP_ARGUMENT_SET(ConformArguments, sweep),
    {"lanes", 0, "LIST", OPTION_BITS(ConformArguments, lanes, lane_counts),
     "lane counts to compare, of 1, 2, 4, 8, 16, 32 (default: 1,8,16 and what a run takes, on a GPU 1)"},
    {"sample", 0, "N", OPTION_WHOLE(ConformArguments, sample, 1, 1000000000),
     "look at N points of each group, spread over it (default: at all)"},
    {"json", 0, "FILE", OPTION_TEXT(ConformArguments, json), "write the report as JSON; - is stdout"},
    {"junit", 0, "FILE", OPTION_TEXT(ConformArguments, junit), "write it as JUnit's XML, a test case for each group"},
    FIGURE_ROW_STEM(ConformArguments, stem, "FILE",
                    "draw FILE.png and FILE.svg: shares of bounds over points, ulps between devices"),
    OPTION_ROW_FORCE(ConformArguments, outputs.force)};

const Usage conform_command_usage = {
    USAGE_OPTIONS(conform_options), .arguments = SWEEP_ARGUMENT(ConformArguments, sweep),
    .about =
        "Shows that the kernels compute what the methods' papers say. Every point runs on every device at several lane "
        "counts, which must agree in every bit; every substep of every point is put into the method's equations, and "
        "every metric into its formula, which must hold to rounding. Every metric that applies is added to those of "
        "the sweep. Exits with 7 where a group does not conform.",
    .notes = "Certificates need a C compiler: gcc or clang, or what PENDULA_CC names. docs/CONFORMANCE.md says what is "
             "shown, and how each bound is derived."};

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

// Looks at the reports' names before anything runs. The sweep names the files that are read.
static bool check_outputs(ConformArguments *given, Error *err)
{
    if (!given->json && !given->junit && !given->stem)
        return true;
    if (!sweep_argument_read(&given->sweep, err))
        return false;
    sweep_argument_keep(&given->sweep, &given->outputs);
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

static BitsLanes list_lanes(unsigned places)
{
    BitsLanes lanes = {0};
    for (int i = 0; i < BITS_LANES; ++i)
        if (places & 1u << i)
            lanes.counts[lanes.count++] = 1 << i;
    return lanes;
}

static bool check_sweep(void *arguments, Error *err)
{
    ConformArguments    *given = arguments;
    const double         begun = clock_seconds();
    Text                 json = {0};
    size_t               failed = 0;
    ConformReport        report = {.text = given->json && strcmp(given->json, "-") == 0 ? NULL : stdout,
                                   .json = {.text = &json, .format = FORMAT_JSON},
                                   .progress = given->progress,
                                   .drawn = given->stem != NULL};
    const ConformRequest request = {.sweep = {.name = given->sweep.path,
                                              .overrides = given->sweep.overrides.items,
                                              .override_count = given->sweep.overrides.count},
                                    .devices = given->devices.items,
                                    .device_count = given->devices.count,
                                    .lanes = list_lanes(given->lanes),
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
    sweep_argument_free(&given->sweep);
    conform_plot_free(&report.curves);
    text_free(&report.cases);
    text_free(&json);
    return ok;
}

bool conform_command(int argc, char **argv, Error *err)
{
    ConformArguments given = {0};
    return options_progress(&given.progress, err) &&
           options_run(&conform_command_usage, argc, argv, &given, check_sweep, err);
}
