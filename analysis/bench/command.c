// command -- `pendula bench`: measures devices on the standard workloads, or on the groups of sweep files.
#include "analysis/bench/bench.h"
#include "analysis/bench/workloads.h"
#include "terminal/commands.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_WORKLOADS = OPTION_LONG,
    KEY_REPETITIONS,
    KEY_STEPS,
    KEY_SECONDS,
    KEY_JSON,
    KEY_MARKDOWN,
    KEY_PRINT,
    KEY_TRY_SHAPES
};
enum { REPETITIONS = 7, STEPS = 1000, PRINTED_POINTS = 65536, MOST_NUMBER = 100000 };

static const double repetition_seconds = 0.2, most_seconds = 3600.0;

typedef struct BenchArguments {
    BenchRequest    request;
    Text            names;  // what its workloads point into
    bool            json, markdown;
    const Workload *printed;  // NULL: measure
} BenchArguments;

static const struct argp_option bench_options[] = {
    {"device", 'd', "DEVICE", 0, "an OpenCL device to measure (may be repeated; default: every one there is)", 0},
    {"workloads", KEY_WORKLOADS, "W1,W3", 0, "these of W1 W2 W3 W5 W4n4 W4n8 W1a W2a W5a W4n4a W4n8a W1s", 0},
    {"repetitions", KEY_REPETITIONS, "N", 0, "measurements of each (default: 7)", 0},
    {"steps", KEY_STEPS, "N", 0, "steps of a workload's points (default: 1000)", 0},
    {"seconds", KEY_SECONDS, "S", 0, "about how long a measurement takes (default: 0.2)", 0},
    {"print", KEY_PRINT, "W1", 0, "print the sweep file of this workload, and measure nothing", 0},
    {"try-shapes", KEY_TRY_SHAPES, NULL, 0,
     "first find by a trial with how many lanes, or which work groups, a device is fastest, and remember it", 0},
    OPTION_SET,
    {"json", KEY_JSON, NULL, 0, "an array of objects, for programs", 0},
    {"markdown", KEY_MARKDOWN, NULL, 0, "a page with a table, such as docs/BENCHMARK.md", 0},
    {0}};

// Takes a list with commas.
static bool add_workloads(BenchArguments *given, const char *list, Error *err)
{
    // Names are cut out of one text, which must not move any more once they are pointed into.
    text_free(&given->names);
    given->request.workloads.count = 0;
    text_add(&given->names, "%s", list);
    bool ok = text_check(&given->names, err);
    for (char *rest = given->names.text, *name; ok && (name = strsep(&rest, ",")) != NULL;)
        ok = options_add_word(&given->request.workloads, name, err);
    return ok;
}

static bool read_number(const char *text, double least, double most, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    return *text && *end == '\0' && errno == 0 && *number >= least && *number <= most;
}

static error_t read_whole(const char *what, const char *value, int *number, struct argp_state *state)
{
    double read;
    if (!read_number(value, 1, MOST_NUMBER, &read) || read != floor(read))
        return options_refuse(state, "%s: a whole number from 1 to %d, not '%.100s'", what, MOST_NUMBER, value);
    *number = (int)read;
    return 0;
}

static error_t read_workload(const char *name, const Workload **workload, struct argp_state *state)
{
    const char *near = NULL;
    *workload = workloads_find(name, &near);
    if (*workload)
        return 0;
    return near ? options_refuse(state, "unknown workload '%.100s', did you mean '%s'?", name, near)
                : options_refuse(state, "unknown workload '%.100s'", name);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options        *options = state->input;
    BenchArguments *given = options->target;
    BenchRequest   *request = &given->request;
    switch (key) {
    case 'd':
        if (strcmp(value, "reference") == 0)
            return options_refuse(state, "the reference is not made to be fast; -d names OpenCL devices");
        return options_add_word(&request->devices, value, options->err) ? 0 : EINVAL;
    case 's': return options_add_word(&request->overrides, value, options->err) ? 0 : EINVAL;
    case KEY_WORKLOADS: return add_workloads(given, value, options->err) ? 0 : EINVAL;
    case KEY_REPETITIONS: return read_whole("repetitions", value, &request->repetitions, state);
    case KEY_STEPS: return read_whole("steps", value, &request->steps, state);
    case KEY_SECONDS:
        return read_number(value, 1e-3, most_seconds, &request->seconds)
                   ? 0
                   : options_refuse(state, "seconds: a number from 0.001 to %g, not '%.100s'", most_seconds, value);
    case KEY_PRINT: return read_workload(value, &given->printed, state);
    case KEY_TRY_SHAPES: request->try_shapes = true; return 0;
    case KEY_JSON: given->json = true; return 0;
    case KEY_MARKDOWN: given->markdown = true; return 0;
    case ARGP_KEY_ARG: return options_add_word(&request->sweeps, value, options->err) ? 0 : EINVAL;
    case ARGP_KEY_END:
        if (given->json && given->markdown)
            return options_refuse(state, "either --json or --markdown");
        if (request->overrides.count && request->sweeps.count == 0)
            return options_refuse(state, "-s changes a key of a sweep file; which one?");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp bench_argp = {
    .options = bench_options,
    .parser = parse_option,
    .args_doc = "[SWEEP.yaml...]",
    .doc =
        "Measures how many steps a second OpenCL devices make on standard workloads, each beside a plain C loop of "
        "the same algorithm on all cores, and on the first six beside a kernel by hand (`bare`); with sweep files, on "
        "their groups instead, alone. Exits with 7 where kernel and loop do not come to the same end.\v"
        "W1 is the pendulum with generalized_alpha, W2 and W5 the stiff pendulum with theta2, Cartesian and polar, "
        "W3 the pendulum with rk4, W4n4 and W4n8 chains of 4 and 8 masses with generalized_alpha; with an `a` the "
        "Jacobian is analytic, with an `s` the precision single. Let nothing else run meanwhile."};

// What the results are printed by: lines as they come, JSON and the page at the end.
typedef struct BenchReport {
    const BenchArguments *given;
    Text                  text;
    Table                 table;  // of json, in that text
    size_t                count, device_number;
    bool                  gpu;
} BenchReport;

static bool report_result(const BenchResult *result, void *user, Error *err)
{
    BenchReport *report = user;
    Text        *text = &report->text;
    const bool   new_device = report->count++ == 0 || result->device_number != report->device_number;
    report->device_number = result->device_number;
    report->gpu = report->gpu || result->device->gpu;
    if (report->given->json) {
        bench_print_json(result, &report->table);
        return true;
    }
    if (report->given->markdown) {
        bench_print_page(result, new_device, text);
        return true;
    }
    bench_print_lines(result, new_device, text);
    const bool ok = options_print(text, err);
    fflush(stdout);
    text_free(text);
    return ok;
}

static void say(const char *line, void *user)
{
    (void)user;
    fprintf(stderr, "bench: %s\n", line);
}

static bool print_workload(const BenchArguments *given, Error *err)
{
    Text text = {0};
    workloads_text(given->printed, PRINTED_POINTS, (size_t)given->request.steps, &text);
    const bool ok = options_print(&text, err);
    text_free(&text);
    return ok;
}

static bool run(BenchArguments *given, int argc, char **argv, Error *err)
{
    BenchReport report = {.given = given};
    Text        words = {0};
    report.table = (Table){.text = &report.text, .format = FORMAT_JSON};
    given->request.say = say;
    given->request.report = report_result;
    given->request.user = &report;
    for (int i = 1; i < argc; ++i)
        text_add(&words, "%s%s", i > 1 ? " " : "", argv[i]);
    if (given->json)
        table_begin(&report.table);
    if (given->markdown && words.text)
        bench_print_page_begin(words.text, &report.text);
    bool ok = bench_run(&given->request, err);
    if (given->json) {
        table_end(&report.table);
        text_add(&report.text, "\n");
    }
    if (given->markdown)
        bench_print_page_end(report.gpu, &report.text);
    ok = ok && options_print(&report.text, err);
    text_free(&report.text);
    text_free(&words);
    return ok;
}

bool bench_command(int argc, char **argv, Error *err)
{
    BenchArguments given = {.request = {.repetitions = REPETITIONS, .steps = STEPS, .seconds = repetition_seconds}};
    BenchRequest  *request = &given.request;
    bool           help = false;
    bool           ok = options_parse(&bench_argp, argc, argv, &given, &help, err);
    if (ok && !help)
        ok = given.printed ? print_workload(&given, err) : run(&given, argc, argv, err);
    text_free(&given.names);
    options_free_words(&request->sweeps);
    options_free_words(&request->overrides);
    options_free_words(&request->devices);
    options_free_words(&request->workloads);
    return ok;
}
