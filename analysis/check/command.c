// command -- `pendula check FILE`: a kernel file of the user's examined, or the orders of a sweep's methods.
#include "analysis/check/check.h"
#include "analysis/check/manufactured.h"

#include "base/clock.h"
#include "base/stop.h"
#include "device/driver.h"
#include "terminal/commands.h"
#include "terminal/compiling.h"
#include "terminal/sweep_argument.h"
#include "terminal/table.h"

#include <string.h>

typedef struct CheckArguments {
    SweepArgument sweep;  // or a kernel file in its place
    Words         devices;
    bool          manufactured, json;
    ProgressLine  line;
    ProgressMode  progress;
    Compiling     compiling;
} CheckArguments;

static const Option check_options[] = {
    {"device", 'd', "DEVICE", OPTION_TEXTS(CheckArguments, devices),
     "a device to build for, as in `run` (may be repeated; default: native ones, and the first of OpenCL)"},
    {"manufactured", 0, NULL, OPTION_FLAG(CheckArguments, manufactured),
     "of a sweep file with a system of its own: give it a smooth solution, halve the steps, and compare each method's "
     "order with its card's"},
    SWEEP_ARGUMENT_SET(CheckArguments, sweep),
    {"json", 0, NULL, OPTION_FLAG(CheckArguments, json), "an array of objects, for programs"}};

static bool is_sweep(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
}

static bool check_options_together(void *arguments, Error *err)
{
    const CheckArguments *given = arguments;
    if (!given->manufactured && given->sweep.overrides.count > 0)
        return fail(err, ERROR_USAGE, "-s sets a key of a sweep file: give --manufactured too");
    if (!given->manufactured && is_sweep(given->sweep.path))
        return fail(err, ERROR_USAGE,
                    "'%.200s' is a sweep file: --manufactured measures the orders of methods on it, and `pendula plan` "
                    "reads it",
                    given->sweep.path);
    return !given->manufactured || given->devices.count <= 1 ||
           fail(err, ERROR_USAGE, "--manufactured runs on one device: give -d once");
}

const Usage check_command_usage = {
    USAGE_OPTIONS(check_options),
    .arguments = ARGUMENTS_ONE(CheckArguments, sweep.path, "FILE.cl|SWEEP.yaml", "kernel file"),
    .check = check_options_together,
    .about =
        "Examines a kernel file: its card beside its functions, a problem's functions beside each other and under the "
        "compiler's sanitizers, a method's order, a metric's windows; its kernels in both precisions at one lane and "
        "at several, which must have the same bits. Prints what is wrong as FILE:LINE: what, remedy; then notes, and "
        "what was examined and is right. Exits with 4 where something is wrong.",
    .notes = "Most of it needs a C compiler: clang, which has several lanes, or gcc. The file's functions are run: "
             "examine only files that you trust."};

static const char *const kinds[FINDING_KINDS] = {"finding", "note", "right"};

// A line for each: findings first, "FILE:LINE: text", then notes, then examinations that found nothing.
static void add_text(const Check *check, double seconds, Text *text)
{
    const Findings *findings = &check->findings;
    for (int kind = 0; kind < FINDING_KINDS; ++kind)
        for (size_t i = 0; i < findings->count; ++i) {
            const CheckFinding *finding = &findings->list[i];
            if ((int)finding->kind != kind)
                continue;
            if (finding->line > 0)
                text_add(text, "%s:%zu: ", check->path, finding->line);
            else if (kind != FINDING_RIGHT)
                text_add(text, "%s: ", check->path);
            text_add(text, "%s%s\n",
                     kind == FINDING_WRONG  ? ""
                     : kind == FINDING_NOTE ? "note: "
                                            : "  right: ",
                     finding->text);
        }
    const size_t wrong = findings_count(findings, FINDING_WRONG), notes = findings_count(findings, FINDING_NOTE);
    text_add(text, "%s: %zu %s, %zu %s, %zu examined and right, in %.1f s\n", check->path, wrong,
             wrong == 1 ? "finding" : "findings", notes, notes == 1 ? "note" : "notes",
             findings_count(findings, FINDING_RIGHT), seconds);
}

// The same as an array of objects: file, line (null: of no line), kind, text.
static void add_json(const Check *check, Text *text)
{
    Table table = {.text = text, .format = FORMAT_JSON};
    table_begin(&table);
    for (size_t i = 0; i < check->findings.count; ++i) {
        const CheckFinding *finding = &check->findings.list[i];
        table_row(&table);
        table_word(&table, "file", check->path);
        if (finding->line > 0)
            table_whole(&table, "line", (int64_t)finding->line);
        else
            table_word(&table, "line", NULL);
        table_word(&table, "kind", kinds[finding->kind]);
        table_word(&table, "text", finding->text);
        table_end_row(&table);
    }
    table_end(&table);
}

static bool examine_file(CheckArguments *given, Check *check, Error *err)
{
    const double begun = clock_seconds();
    Text         word = {0}, text = {0};
    const char  *path = strncmp(given->sweep.path, "./", 2) == 0 ? given->sweep.path + 2 : given->sweep.path;
    text_add(&word, "%s%s", strchr(path, '/') ? "" : "./", path);
    check->path = path;
    check->word = word.text;
    check->asked = given->devices;
    check->signals = stop_count();
    bool ok = text_check(&word, err);
    if (ok && strpbrk(path, "'\n\r\t"))
        ok = fail(err, ERROR_USAGE, "check: rename '%s': a sweep file cannot name it", path);
    check->notice = &given->compiling.notice;
    ok = ok && stop_catch(driver_remove, err) &&
         compiling_start(&given->compiling, &given->line, given->progress, err) && check_file(check, err);
    compiling_stop(&given->compiling);
    progress_line_end(&given->line, options_event(ok, err));
    stop_release();
    if (ok && given->json)
        add_json(check, &text);
    else if (ok)
        add_text(check, clock_seconds() - begun, &text);
    ok = ok && text_check(&text, err) && options_print(&text, err);
    const size_t wrong = findings_count(&check->findings, FINDING_WRONG);
    if (ok && wrong)
        ok = fail(err, ERROR_INPUT, "%s: %zu %s", path, wrong, wrong == 1 ? "finding" : "findings");
    text_free(&text);
    text_free(&word);
    return ok;
}

static bool examine(CheckArguments *given, Error *err)
{
    Check      check = {0};
    const bool ok = examine_file(given, &check, err);
    check_free(&check);
    return ok;
}

// Prints the orders; those below their cards are an error.
static bool show_orders(const CheckArguments *given, const Manufactured *made, Error *err)
{
    Text   text = {0};
    size_t spoiled = 0;
    manufactured_print(made, given->json, &text);
    for (size_t g = 0; g < made->plan.group_count; ++g)
        spoiled += manufactured_spoils(&made->orders[g]);
    const bool ok = text_check(&text, err) && options_print(&text, err);
    text_free(&text);
    return ok &&
           (spoiled == 0 || fail(err, ERROR_INPUT, "%s: %zu of %zu methods without the order of %s", given->sweep.path,
                                 spoiled, made->plan.group_count, spoiled == 1 ? "its card" : "their cards"));
}

static bool examine_orders(CheckArguments *given, Error *err)
{
    SweepArgument *sweep = &given->sweep;
    Manufactured   made = {0};
    Device        *device = NULL;
    bool           ok = true;
    for (size_t i = 0; ok && i < MANUFACTURED_KEYS; ++i)
        ok = options_add_word(&sweep->overrides, manufactured_keys[i], err);
    ok = ok && sweep_argument_read(sweep, err) &&
         sweep_argument_device(&sweep->plan, given->devices.count ? given->devices.items[0] : options_device(), &device,
                               err) &&
         stop_catch(driver_remove, err) && manufactured_measure(&sweep->plan, device, stop_count(), &made, err);
    stop_release();
    ok = ok && show_orders(given, &made, err);
    manufactured_free(&made);
    device_close(device);
    sweep_argument_free(sweep);
    return ok;
}

static bool examine_any(void *arguments, Error *err)
{
    CheckArguments *given = arguments;
    return given->manufactured ? examine_orders(given, err) : examine(given, err);
}

bool check_command(int argc, char **argv, Error *err)
{
    CheckArguments given = {0};
    return options_progress(&given.progress, err) &&
           options_run(&check_command_usage, argc, argv, &given, examine_any, err);
}
