// command -- `pendula replay FILE.h5 --point N`: one point once more, on the kernel and on the reference.
#include "analysis/replay/replay_print.h"
#include "terminal/commands.h"

#include <errno.h>

enum { KEY_POINT = OPTION_LONG, KEY_AT, KEY_GROUP, KEY_METHOD, KEY_TRACE, KEY_FROM, KEY_TO, KEY_FORMAT, KEY_SWEEP };

typedef struct ReplayArguments {
    ReplayRequest request;
    bool          trace;
    uint64_t      from, to;
    Format        format;
} ReplayArguments;

static const struct argp_option replay_options[] = {
    {"point", KEY_POINT, "N", 0, "number of the point in its group, in the file's order: row-major, from 0", 0},
    {"at", KEY_AT, "NAME=VALUE,...", 0,
     "the point at these values of the axes, the nearest there are, in place of --point", 0},
    {"group", KEY_GROUP, "LABEL", 0, "group of the point, where the file has several", 0},
    {"method", KEY_METHOD, "LABEL", 0, "the same", 0},
    {"device", 'd', "DEVICE", 0, "device of the kernel, as in `run`; reference: no kernel runs", 0},
    {"trace", KEY_TRACE, NULL, 0, "print every substep and every update, too", 0},
    {"from", KEY_FROM, "STEP", 0, "first step of the trace (default: 0)", 0},
    {"to", KEY_TO, "STEP", 0, "last step of the trace (default: that of the point)", 0},
    {"sweep", KEY_SWEEP, "SWEEP.yaml", 0,
     "the sweep file, which you trust: files that it names are opened beside it, and a kernel runs that is not the "
     "file's",
     0},
    FORMAT_OPTION(KEY_FORMAT),
    {0}};

static error_t parse_whole(const char *option, const char *text, uint64_t *number, struct argp_state *state)
{
    uint64_t whole = 0;
    bool     ok = *text != '\0';
    for (const char *c = text; ok && *c; ++c)
        ok = *c >= '0' && *c <= '9' && !__builtin_mul_overflow(whole, (uint64_t)10, &whole) &&
             !__builtin_add_overflow(whole, (uint64_t)(*c - '0'), &whole);
    if (!ok)
        return options_refuse(state, "%s takes a whole number, got '%.60s'", option, text);
    *number = whole;
    return 0;
}

static error_t check(const ReplayArguments *given, struct argp_state *state)
{
    const ReplayRequest *request = &given->request;
    if (!request->numbered && request->at.count == 0)
        return options_refuse(state, "which point? --point N or --at NAME=VALUE,...");
    if (request->numbered && request->at.count > 0)
        return options_refuse(state, "--point and --at exclude each other");
    if (!given->trace && (given->from > 0 || given->to < UINT64_MAX))
        return options_refuse(state, "--from and --to limit --trace, which is not given");
    if (given->from > given->to)
        return options_refuse(state, "--from %" PRIu64 " lies behind --to %" PRIu64, given->from, given->to);
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options         *options = state->input;
    ReplayArguments *given = options->target;
    ReplayRequest   *request = &given->request;
    switch (key) {
    case KEY_POINT: request->numbered = true; return parse_whole("--point", value, &request->point, state);
    case KEY_AT: return coordinates_parse("--at", value, &request->at, state);
    case KEY_GROUP:
    case KEY_METHOD: request->group = value; return 0;
    case 'd': request->device = value; return 0;
    case KEY_TRACE: given->trace = true; return 0;
    case KEY_FROM: return parse_whole("--from", value, &given->from, state);
    case KEY_TO: return parse_whole("--to", value, &given->to, state);
    case KEY_SWEEP: request->sweep = value; return 0;
    case KEY_FORMAT: return table_parse_format(value, &given->format, state);
    case ARGP_KEY_END: return check(given, state);
    default: return options_take_one(&request->file, "result file", key, value, state);
    }
}

static const struct argp replay_argp = {
    .options = replay_options,
    .parser = parse_option,
    .args_doc = "FILE.h5",
    .doc = "Runs one point of a result file again, on a kernel and on the CPU reference side by side, and says where "
           "and why the two part.\v"
           "--trace adds a row for each substep that was tried, and one for each update of its solves; csv and json "
           "then hold these rows alone. Residuals, Jacobians, pivots and conditions of the kernel are those that the "
           "reference makes of the kernel's state before the substep. Exits with 7 where a certificate does not hold, "
           "and where kernels that computed the file now have other results."};

static bool judge(const Replay *replay, Error *err)
{
    if (replay->judged > replay->certified)
        return fail(err, ERROR_CONFORMANCE,
                    "%s: point %" PRIu64 ": %" PRIu64 " substep(s) without a certificate, first by its size in step "
                    "%" PRId64 ", in %s: %.3g of %.3g",
                    replay->file.path, replay->point, replay->judged - replay->certified, replay->worst->step,
                    replay->worst->share.equation, replay->worst->share.difference, replay->worst->share.bound);
    if (replay->measured.metrics > replay->measured.certified)
        return fail(err, ERROR_CONFORMANCE,
                    "%s: point %" PRIu64 ": %" PRIu64 " result(s) without a certificate, first "
                    "by its size %s: %.3g of %.3g",
                    replay->file.path, replay->point, replay->measured.metrics - replay->measured.certified,
                    replay->measured.worst.equation, replay->measured.worst.difference, replay->measured.worst.bound);
    if (!replay->kernel.ran || !replay->origin.same || replay->origin.plan.computed_by != plan_kernels ||
        !replay_is_stored(replay))
        return true;
    for (size_t v = 0; v < replay->group.variable_count; ++v)
        if (replay_has(replay, v) && !replay_same(replay, &replay->kernel.results, &replay->stored, v))
            return fail(err, ERROR_CONFORMANCE, "%s: point %" PRIu64 ": the kernel's '%s' is not that of the file",
                        replay->file.path, replay->point, replay->group.variables[v].name);
    return true;
}

static bool print(const ReplayArguments *given, const Replay *replay, Error *err)
{
    Text text = {0};
    bool ok = true;
    options_log(&replay->file.notes);
    if (!given->trace || given->format == FORMAT_TEXT)
        replay_print(&text, given->format, replay);
    if (given->trace) {
        if (given->format == FORMAT_TEXT)
            text_add(&text, "\n");
        ok = replay_print_trace(&text, given->format, replay, given->from, given->to, err);
    }
    if (given->format == FORMAT_JSON)
        text_add(&text, "\n");
    ok = ok && options_print(&text, err);
    text_free(&text);
    return ok;
}

bool replay_command(int argc, char **argv, Error *err)
{
    ReplayArguments given = {.to = UINT64_MAX, .request = {.device = options_device()}};
    Replay          replay = {0};
    bool            done = false;
    bool            ok = options_parse(&replay_argp, argc, argv, &given, &done, err);
    if (ok && !done)
        ok = replay_run(&given.request, &replay, err) && print(&given, &replay, err) && judge(&replay, err);
    replay_free(&replay);
    return ok;
}
