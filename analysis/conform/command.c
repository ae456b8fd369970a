// command -- `pendula conform SWEEP.yaml`: kernels against kernels at other lane counts, and against the reference.
#include "analysis/conform/conform.h"
#include "terminal/commands.h"
#include "terminal/sweep_argument.h"
#include "terminal/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct ConformArguments {
    SweepArgument sweep;
    const char   *json;
    Words         devices;
    Outputs       outputs;
} ConformArguments;

enum { KEY_JSON = OPTION_LONG, KEY_FORCE };

static const struct argp_option conform_options[] = {
    {"device", 'd', "DEVICE", 0, "an OpenCL device to check (may be repeated; default: as in `run`)", 0},
    OPTION_SET,
    {"json", KEY_JSON, "FILE", 0, "write the report as JSON; - is stdout", 0},
    FORCE_OPTION(KEY_FORCE),
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options          *options = state->input;
    ConformArguments *given = options->target;
    switch (key) {
    case 'd':
        if (strcmp(value, "reference") == 0)
            return options_refuse(state, "every device is compared with the reference; -d names the devices");
        return options_add_word(&given->devices, value, options->err) ? 0 : EINVAL;
    case KEY_JSON: given->json = value; return 0;
    case KEY_FORCE: given->outputs.force = true; return 0;
    default: return sweep_argument_parse(&given->sweep, key, value, state);
    }
}

static const struct argp conform_argp = {
    conform_options,
    parse_option,
    "SWEEP.yaml",
    "Runs a sweep on OpenCL devices at several lane counts, which must agree in every bit, and on the "
    "CPU reference, within a bound derived from the reference's own sensitivity to rounding. What the reference does "
    "not "
    "have (a metric or a method of an added file, a problem of your own) is named, and compared between lane counts "
    "and "
    "devices only. Exits with 7 where a group does not pass.",
    NULL,
    NULL,
    NULL};

// The report: text as it comes, JSON at the end.
typedef struct ConformReport {
    FILE *text;  // NULL where stdout is for the JSON
    Table json;
} ConformReport;

static void add_parameters(Text *line, const Group *group, uint64_t point)
{
    for (size_t a = 0; a < group->axis_count; ++a)
        text_add(line, "%s%s = %.6g", a ? ", " : "", group->axes[a].name,
                 group->axes[a].values[group_index(group, a, point)]);
}

// What the comparison with the reference found, or why there was none.
static void add_reference(Text *text, const Group *group, const Conformance *c)
{
    if (*c->unreferenced) {
        text_add(text, "  reference: not compared; %s\n", c->unreferenced);
        return;
    }
    text_add(text,
             "  ill-conditioned: %" PRIu64 " (%.2f %%)\n"
             "  reference: %" PRIu64 " differ in status, %" PRIu64 " in counts, %" PRIu64 " beyond the bound; %" PRIu64
             " metrics beyond theirs\n"
             "  largest difference: %.3g ulp; nearest to its bound: %.3g of it, point %" PRIu64 "%s",
             c->ill_conditioned, 100.0 * (double)c->ill_conditioned / (double)c->points, c->status_differences,
             c->count_differences, c->beyond_bound, c->metric_differences, c->worst_ulp, c->worst_share, c->worst_point,
             group->axis_count ? ": " : "");
    add_parameters(text, group, c->worst_point);
    text_add(text, "\n");
    if (c->left_out_count)
        text_add(text, "  reference: does not have %zu metric%s, not compared with it:", c->left_out_count,
                 c->left_out_count == 1 ? "" : "s");
    for (size_t i = 0; i < c->left_out_count; ++i)
        text_add(text, "%s %s%s", i ? "," : "", c->left_out[i], i + 1 == c->left_out_count ? "\n" : "");
}

static void add_group_text(Text *text, const Group *group, const Conformance *c)
{
    text_add(text, "%s: %s on %s, %s, %" PRIu64 " points on %s\n  lanes ", c->label, c->method, c->problem,
             c->precision == PRECISION_SINGLE ? "single" : "double", c->points, c->device);
    for (size_t i = 0; i < c->lane_count; ++i)
        text_add(text, "%s%d", i ? ", " : "", c->lanes[i]);
    text_add(text, ": %s\n", c->bit_differences ? "BITS DIFFER" : "same bits");
    if (c->first_device)
        text_add(text, "  beside %s: %s\n", c->first_device, c->device_differences ? "BITS DIFFER" : "same bits");
    if (c->arithmetic)
        text_add(text, "  %s\n", c->arithmetic);
    add_reference(text, group, c);
    text_add(text, "  %s\n", c->passed ? "passed" : "FAILED");
}

static void add_group_json(Table *json, const Conformance *c)
{
    table_row(json);
    table_word(json, "label", c->label);
    table_word(json, "method", c->method);
    table_word(json, "problem", c->problem);
    table_word(json, "device", c->device);
    table_word(json, "arithmetic", c->arithmetic ? c->arithmetic : "kept");
    table_word(json, "precision", c->precision == PRECISION_SINGLE ? "single" : "double");
    table_open(json, "lanes", "[");
    for (size_t i = 0; i < c->lane_count; ++i)
        table_whole(json, NULL, c->lanes[i]);
    table_close(json, "]");
    table_whole(json, "points", (int64_t)c->points);
    table_truth(json, "bit_equal", c->bit_equal);
    table_whole(json, "bit_differences", (int64_t)c->bit_differences);
    table_whole(json, "device_differences", (int64_t)c->device_differences);
    table_truth(json, "reference", !*c->unreferenced);
    table_words(json, "left_out", c->left_out, c->left_out_count);
    table_number(json, "worst_ulp", c->worst_ulp);
    table_number(json, "worst_share", c->worst_share);
    table_whole(json, "worst_point", (int64_t)c->worst_point);
    table_whole(json, "status_differences", (int64_t)c->status_differences);
    table_whole(json, "count_differences", (int64_t)c->count_differences);
    table_whole(json, "beyond_bound", (int64_t)c->beyond_bound);
    table_whole(json, "metric_differences", (int64_t)c->metric_differences);
    table_truth(json, "within_bound", c->within_bound);
    table_whole(json, "ill_conditioned", (int64_t)c->ill_conditioned);
    table_truth(json, "passed", c->passed);
    table_end_row(json);
}

static void report_group(const Plan *plan, const Group *group, const Conformance *c, void *user)
{
    ConformReport *report = user;
    Text           text = {0};
    (void)plan;
    add_group_text(&text, group, c);
    if (report->text && text.text)
        fputs(text.text, report->text);
    text_free(&text);
    add_group_json(&report->json, c);
}

// Looks at the report's name before anything runs. The plan says what is read.
static bool check_output(ConformArguments *given, Error *err)
{
    const char *files[PLAN_FILES];
    if (!given->json || !sweep_argument_read(&given->sweep, err))
        return !given->json;
    for (size_t i = 0, count = plan_files(&given->sweep.plan, files); i < count; ++i)
        outputs_keep(&given->outputs, files[i]);
    return outputs_check(&given->outputs, given->json, err);
}

bool conform_command(int argc, char **argv, Error *err)
{
    ConformArguments given = {0};
    bool             help = false;
    bool             ok = options_parse(&conform_argp, argc, argv, &given, &help, err);
    if (ok && !help) {
        Text                 json = {0};
        ConformReport        report = {.text = given.json && strcmp(given.json, "-") == 0 ? NULL : stdout,
                                       .json = {.text = &json, .format = FORMAT_JSON}};
        size_t               failed = 0;
        const ConformRequest request = {.sweep = given.sweep.path,
                                        .overrides = given.sweep.overrides.items,
                                        .override_count = given.sweep.overrides.count,
                                        .devices = given.devices.items,
                                        .device_count = given.devices.count,
                                        .report = report_group,
                                        .user = &report};
        table_begin(&report.json);
        ok = check_output(&given, err) && conform_run(&request, &failed, err);
        table_end(&report.json);
        ok = ok && (!given.json || outputs_write(&given.outputs, given.json, &json, err));
        if (ok && failed)
            ok = fail(err, ERROR_CONFORMANCE, "%s: %zu group(s) do not conform", given.sweep.path, failed);
        text_free(&json);
    }
    sweep_argument_free(&given.sweep);
    options_free_words(&given.devices);
    return ok;
}
