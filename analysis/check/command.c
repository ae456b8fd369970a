// command -- `pendula check FILE.cl`: a kernel file of the user's, examined.
#include "analysis/check/check_print.h"

#include "base/clock.h"
#include "base/stop.h"
#include "device/driver.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <string.h>

typedef struct CheckArguments {
    const char *file;
    Words       devices;
    bool        json;
} CheckArguments;

static const Option check_options[] = {
    {"device", 'd', "DEVICE", OPTION_TEXTS(CheckArguments, devices),
     "a device to build for, as in `run` (may be repeated; default: native ones, and the first of OpenCL)"},
    {"json", 0, NULL, OPTION_FLAG(CheckArguments, json), "an array of objects, for programs"}};

static const Usage check_usage = {
    USAGE_OPTIONS(check_options), .arguments = ARGUMENTS_ONE(CheckArguments, file, "FILE.cl", "kernel file"),
    .about =
        "Examines a kernel file: its card beside its functions, a problem's functions beside each other and under the "
        "compiler's sanitizers, a method's order, a metric's windows; its kernels in both precisions at one lane and "
        "at several, which must have the same bits. Prints what is wrong as FILE:LINE: what, remedy; then notes, and "
        "what was examined and is right. Exits with 4 where something is wrong.",
    .notes = "Most of it needs a C compiler: clang, which has several lanes, or gcc. The file's functions are run: "
             "examine only files that you trust."};

static bool examine_file(const CheckArguments *given, Check *check, Error *err)
{
    const double begun = clock_seconds();
    Text         word = {0}, text = {0};
    const char  *path = strncmp(given->file, "./", 2) == 0 ? given->file + 2 : given->file;
    text_add(&word, "%s%s", strchr(path, '/') ? "" : "./", path);
    check->path = path;
    check->word = word.text;
    check->asked = given->devices.items;
    check->asked_count = given->devices.count;
    check->signals = stop_count();
    bool ok = text_check(&word, err);
    if (ok && strpbrk(path, "'\n\r\t"))
        ok = fail(err, ERROR_USAGE, "check: rename '%s': a sweep file cannot name it", path);
    ok = ok && stop_catch(driver_remove, err) && check_file(check, err);
    stop_release();
    if (ok && given->json)
        check_print_json(check, &text);
    else if (ok)
        check_print_text(check, clock_seconds() - begun, &text);
    ok = ok && text_check(&text, err) && options_print(&text, err);
    const size_t wrong = findings_count(&check->findings, FINDING_WRONG);
    if (ok && wrong)
        ok = fail(err, ERROR_INPUT, "%s: %zu %s", path, wrong, wrong == 1 ? "finding" : "findings");
    text_free(&text);
    text_free(&word);
    return ok;
}

static bool examine(void *given, Error *err)
{
    Check      check = {0};
    const bool ok = examine_file(given, &check, err);
    check_free(&check);
    return ok;
}

bool check_command(int argc, char **argv, Error *err)
{
    CheckArguments given = {0};
    return options_run(&check_usage, argc, argv, &given, examine, err);
}
