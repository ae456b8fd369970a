// command -- `pendula check FILE.cl`: a kernel file of the user's, examined.
#include "analysis/check/check_print.h"

#include "base/clock.h"
#include "base/stop.h"
#include "device/driver.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <errno.h>
#include <string.h>

typedef struct CheckArguments {
    const char *file;
    Words       devices;
    bool        json;
} CheckArguments;

enum { KEY_JSON = OPTION_LONG };

static const struct argp_option check_options[] = {
    {"device", 'd', "DEVICE", 0,
     "a device to build for, as in `run` (may be repeated; default: native ones, and the first of OpenCL)", 0},
    {"json", KEY_JSON, NULL, 0, "an array of objects, for programs", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options        *options = state->input;
    CheckArguments *given = options->target;
    switch (key) {
    case 'd': return options_add_word(&given->devices, value, options->err) ? 0 : EINVAL;
    case KEY_JSON: given->json = true; return 0;
    default: return options_take_one(&given->file, "kernel file", key, value, state);
    }
}

static const struct argp check_argp = {
    check_options,
    parse_option,
    "FILE.cl",
    "Examines a kernel file: its card beside its functions, a problem's functions beside each other and under the "
    "compiler's sanitizers, a method's order, a metric's windows; its kernels in both precisions at one lane and at "
    "several, which must have the same bits. Prints what is wrong as FILE:LINE: what, remedy; then notes, and what was "
    "examined and is right. Exits with 4 where something is wrong.\v"
    "Most of it needs a C compiler: clang, which has several lanes, or gcc. The file's functions are run: examine only "
    "files that you trust.",
    NULL,
    NULL,
    NULL};

static bool examine(const CheckArguments *given, Check *check, Error *err)
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

bool check_command(int argc, char **argv, Error *err)
{
    CheckArguments given = {0};
    Check          check = {0};
    bool           done = false;
    bool           ok = options_parse(&check_argp, argc, argv, &given, &done, err);
    ok = ok && (done || examine(&given, &check, err));
    check_free(&check);
    options_free_words(&given.devices);
    return ok;
}
