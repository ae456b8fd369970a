// pack -- `pendula pack FILE.h5 -o PACKED.h5`: a compressed copy of a result file for the archive, and the way back.
#include "base/progress.h"
#include "base/stop.h"
#include "store/output.h"
#include "store/pack.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <inttypes.h>
#include <string.h>

typedef struct PackArguments {
    PackRequest  request;
    bool         unpack;
    const char  *sweep;
    ProgressMode progress;
} PackArguments;

static const Option pack_options[] = {
    {"output", 'o', "FILE.h5", OPTION_TEXT(PackArguments, request.to), "the new file"},
    OPTION_ROW_FORCE(PackArguments, request.force),
    {"unpack", 0, NULL, OPTION_FLAG(PackArguments, unpack), "make the file that was packed, byte for byte"},
    {"sweep", 0, "SWEEP.yaml", OPTION_TEXT(PackArguments, sweep),
     "of --unpack: the sweep file, which you trust: files that it names are opened beside it"},
    OPTION_ROW_PROGRESS(PackArguments, progress)};

static bool check(void *arguments, Error *err)
{
    const PackArguments *given = arguments;
    if (!given->request.to || strcmp(given->request.to, "-") == 0)
        return fail(err, ERROR_USAGE, "which file is to be made? -o FILE.h5");
    return !given->sweep || given->unpack || fail(err, ERROR_USAGE, "--sweep belongs to --unpack");
}

const Usage pack_command_usage = {
    USAGE_OPTIONS(pack_options),
    .arguments = ARGUMENTS_ONE(PackArguments, request.from, "FILE.h5 -o PACKED.h5", "result file"), .check = check,
    .about =
        "Makes a compressed copy of a complete result file. All commands that read result files read it; `run` and "
        "`merge` do not continue it.",
    .notes =
        "Each block is checked by its checksum, in the file and again in the copy. --unpack needs the version of the "
        "program that made the file."};

// Signals that stop are counted while a file is unpacked; pack_file() looks for them itself.
static bool make(const PackArguments *given, Packed *packed, Error *err)
{
    if (!given->unpack)
        return pack_file(&given->request, packed, err);
    stop_advise("; the same command starts again");
    const bool made = stop_catch(NULL, err) && pack_unpack(&given->request, packed, err);
    stop_release();
    return made;
}

static bool pack(void *arguments, Error *err)
{
    PackArguments *given = arguments;
    ProgressLine   line = {0};
    Packed         packed;
    Spec           sweep SCOPED(spec_free) = {0};
    Text           text SCOPED(text_free) = {0}, notes SCOPED(text_free) = {0};
    given->request.sweep = given->sweep ? &sweep : NULL;
    given->request.signals = stop_count();
    given->request.progress = progress_line_count;
    given->request.user = &line;
    progress_line_begin(&line, given->progress, stderr, 0, 0);
    line.file = given->request.to;
    output_note_locks(given->request.from, &notes);
    options_log(&notes);
    bool ok = (!given->sweep || spec_read(given->sweep, NULL, 0, &sweep, err)) && make(given, &packed, err);
    progress_line_end(&line, options_event(ok, err));
    if (ok)
        text_add(&text, "%s: %" PRIu64 " points in %" PRIu64 " blocks, %.4g MB of %.4g MB\n", given->request.to,
                 packed.points, packed.blocks, (double)packed.after * 1e-6, (double)packed.before * 1e-6);
    return ok && options_print(&text, err);
}

bool pack_command(int argc, char **argv, Error *err)
{
    PackArguments given = {0};
    return options_progress(&given.progress, err) && options_run(&pack_command_usage, argc, argv, &given, pack, err);
}
