// command -- `pendula replay FILE.h5 --point N`: one point once more, on the kernel and on the reference.
#include "analysis/replay/replay.h"
#include "terminal/commands.h"

typedef struct ReplayArguments {
    ReplayRequest request;
    bool          trace;
    uint64_t      from, to;
    Format        format;
} ReplayArguments;

static const Option replay_options[] = {
    {"point", 0, "N", OPTION_WHOLE(ReplayArguments, request.point, 0, UINT64_MAX),
     "number of the point in its group, in the file's order: row-major, from 0"},
    {"at", 0, "AXIS=VALUE,...", OPTION_VALUES(ReplayArguments, request.at),
     "the point at these values of the axes, the nearest there are, in place of --point"},
    {"group", 0, "LABEL", OPTION_TEXT(ReplayArguments, request.group),
     "group of the point, where the file has several"},
    {"method", 0, "LABEL", OPTION_TEXT(ReplayArguments, request.group), "the same"},
    {"device", 'd', "DEVICE", OPTION_TEXT(ReplayArguments, request.device),
     "device of the kernel, as in `run`; reference: no kernel runs"},
    {"trace", 0, NULL, OPTION_FLAG(ReplayArguments, trace), "print every substep and every update, too"},
    {"from", 0, "STEP", OPTION_WHOLE(ReplayArguments, from, 0, UINT64_MAX), "first step of the trace (default: 0)"},
    {"to", 0, "STEP", OPTION_WHOLE(ReplayArguments, to, 0, UINT64_MAX),
     "last step of the trace (default: that of the point)"},
    {"sweep", 0, "SWEEP.yaml", OPTION_TEXT(ReplayArguments, request.sweep),
     "the sweep file, which you trust: files that it names are opened beside it, and a kernel runs that is not the "
     "file's"},
    TABLE_ROW_FORMAT(ReplayArguments, format)};

static bool check(void *arguments, Error *err)
{
    const ReplayArguments *given = arguments;
    const bool             numbered = given->request.point != REPLAY_AT, placed = given->request.at.count > 0;
    if (!numbered && !placed)
        return fail(err, ERROR_USAGE, "which point? --point N or --at NAME=VALUE,...");
    if (numbered && placed)
        return fail(err, ERROR_USAGE, "--point and --at exclude each other");
    if (!given->trace && (given->from > 0 || given->to < UINT64_MAX))
        return fail(err, ERROR_USAGE, "--from and --to limit --trace, which is not given");
    return given->from <= given->to ||
           fail(err, ERROR_USAGE, "--from %" PRIu64 " lies behind --to %" PRIu64, given->from, given->to);
}

const Usage replay_command_usage = {
    USAGE_OPTIONS(replay_options), .arguments = ARGUMENTS_ONE(ReplayArguments, request.file, "FILE.h5", "result file"),
    .check = check,
    .about = "Runs one point of a result file again, on a kernel and on the CPU reference side by side, and says where "
             "and why the two part.",
    .notes = "--trace adds a row for each substep that was tried, and one for each update of its solves; csv and json "
             "then hold these rows alone. Residuals, Jacobians, pivots and conditions of the kernel are those that the "
             "reference makes of the kernel's state before the substep. Exits with 7 where a certificate does not "
             "hold, and where kernels that computed the file now have other results."};

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

static bool run(void *arguments, Error *err)
{
    const ReplayArguments *given = arguments;
    Replay                 replay = {0};
    const bool ok = replay_run(&given->request, &replay, err) && print(given, &replay, err) && judge(&replay, err);
    replay_free(&replay);
    return ok;
}

bool replay_command(int argc, char **argv, Error *err)
{
    ReplayArguments given = {.to = UINT64_MAX, .request = {.device = options_device(), .point = REPLAY_AT}};
    return options_run(&replay_command_usage, argc, argv, &given, run, err);
}
