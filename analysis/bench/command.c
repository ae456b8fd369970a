// command -- `pendula bench`: measures devices on the standard workloads, or on the groups of sweep files.
#include "analysis/bench/bench.h"
#include "analysis/bench/workloads.h"
#include "terminal/commands.h"

#include <string.h>

enum { REPETITIONS = 7, STEPS = 1000, PRINTED_POINTS = 65536, MOST_NUMBER = 100000 };

static const double      repetition_seconds = 0.2;
static const char *const lane_counts[] = {"", "1", "2", "4", "8", "16", "32"};

typedef struct BenchArguments {
    BenchRequest    request;
    Text            line;  // the words of the command line
    bool            json, markdown;
    unsigned        lanes;    // place in lane_counts
    const Workload *printed;  // NULL: measure
} BenchArguments;

static bool take_workload(const char *option, char *name, void *workload, Error *err)
{
    (void)option;
    return (*(const Workload **)workload = workloads_find(name, err)) != NULL;
}

static bool check(void *arguments, Error *err)
{
    const BenchArguments *given = arguments;
    if (given->json && given->markdown)
        return fail(err, ERROR_USAGE, "either --json or --markdown");
    return given->request.overrides.count == 0 || given->request.sweeps.count > 0 ||
           fail(err, ERROR_USAGE, "-s changes a key of a sweep file; which one?");
}

static const Option bench_options[] = {
    {"device", 'd', "DEVICE", OPTION_DEVICES(BenchArguments, request.devices, "it is not made to be fast"),
     "an OpenCL device to measure (may be repeated; default: every one there is)"},
    {"workloads", 0, "W1,W3", OPTION_LIST(BenchArguments, request.workloads),
     "these of W1 W2 W3 W5 W4n4 W4n8 W1a W2a W5a W4n4a W4n8a W1s"},
    {"repetitions", 0, "N", OPTION_WHOLE(BenchArguments, request.repetitions, 1, MOST_NUMBER),
     "measurements of each (default: 7)"},
    {"steps", 0, "N", OPTION_WHOLE(BenchArguments, request.steps, 1, MOST_NUMBER),
     "steps of a workload's points (default: 1000)"},
    {"seconds", 0, "S", OPTION_NUMBER(BenchArguments, request.seconds, NUMBERS_BETWEEN(1e-3, 3600.0)),
     "about how long a measurement takes (default: 0.2)"},
    {"print", 0, "W1", OPTION_OWN_AT(BenchArguments, printed, const Workload *, take_workload),
     "print the sweep file of this workload, and measure nothing"},
    {"try-shapes", 0, NULL, OPTION_FLAG(BenchArguments, request.try_shapes),
     "first find by a trial with how many lanes, or which work groups, a device is fastest, and remember it"},
    {"lanes", 0, "N", OPTION_WORD(BenchArguments, lanes, lane_counts),
     "with so many lanes, the kernel by hand too: 1, 2, 4, 8, 16 or 32 (default: as a run would take)"},
    OPTION_ROW_SET(BenchArguments, request.overrides),
    {"json", 0, NULL, OPTION_FLAG(BenchArguments, json), "an array of objects, for programs"},
    {"markdown", 0, NULL, OPTION_FLAG(BenchArguments, markdown),
     "a page with a table, such as docs/results/BENCHMARK.md"}};

const Usage bench_command_usage = {
    USAGE_OPTIONS(bench_options),
    .arguments = ARGUMENTS_ALL(BenchArguments, request.sweeps, "[SWEEP.yaml...]", "sweep file", 0), .check = check,
    .about =
        "Measures how many steps a second OpenCL devices make on standard workloads, each beside a plain C loop of "
        "the same algorithm on all cores, and on the first six beside a kernel by hand (`bare`); with sweep files, on "
        "their groups instead, alone. Exits with 7 where kernel and loop do not come to the same end.",
    .notes =
        "W1 is the pendulum with generalized_alpha, W2 and W5 the stiff pendulum with theta2, Cartesian and polar, "
        "W3 the pendulum with rk4, W4n4 and W4n8 chains of 4 and 8 masses with generalized_alpha; with an `a` the "
        "Jacobian is analytic, with an `s` the precision single. Let nothing else run meanwhile."};

// The printer of the results: lines as they come, JSON and the page at the end.
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

static bool run(BenchArguments *given, Error *err)
{
    BenchReport report = {.given = given};
    report.table = (Table){.text = &report.text, .format = FORMAT_JSON};
    given->request.lanes = given->lanes ? 1 << (given->lanes - 1) : 0;
    given->request.say = say;
    given->request.report = report_result;
    given->request.user = &report;
    if (given->json)
        table_begin(&report.table);
    if (given->markdown)
        bench_print_page_begin(given->line.text, &report.text);
    bool ok = bench_run(&given->request, err);
    if (given->json) {
        table_end(&report.table);
        text_add(&report.text, "\n");
    }
    if (given->markdown)
        bench_print_page_end(report.gpu, &report.text);
    ok = ok && options_print(&report.text, err);
    text_free(&report.text);
    return ok;
}

static bool bench(void *given, Error *err)
{
    return ((BenchArguments *)given)->printed ? print_workload(given, err) : run(given, err);
}

bool bench_command(int argc, char **argv, Error *err)
{
    BenchArguments given = {.request = {.repetitions = REPETITIONS, .steps = STEPS, .seconds = repetition_seconds}};
    for (int i = 1; i < argc; ++i)
        text_add(&given.line, "%s%s", i > 1 ? " " : "", argv[i]);
    const bool ok = text_check(&given.line, err) && options_run(&bench_command_usage, argc, argv, &given, bench, err);
    text_free(&given.line);
    return ok;
}
