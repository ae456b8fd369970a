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

enum { KEY_FORCE = OPTION_LONG, KEY_UNPACK, KEY_SWEEP, KEY_PROGRESS };

static const struct argp_option pack_options[] = {
    {"output", 'o', "FILE.h5", 0, "the new file", 0},
    FORCE_OPTION(KEY_FORCE),
    {"unpack", KEY_UNPACK, NULL, 0, "make the file that was packed, byte for byte", 0},
    {"sweep", KEY_SWEEP, "SWEEP.yaml", 0,
     "of --unpack: the sweep file, which you trust: files that it names are opened beside it", 0},
    OPTION_PROGRESS(KEY_PROGRESS),
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options       *options = state->input;
    PackArguments *given = options->target;
    switch (key) {
    case 'o': given->request.to = value; return 0;
    case KEY_FORCE: given->request.force = true; return 0;
    case KEY_UNPACK: given->unpack = true; return 0;
    case KEY_SWEEP: given->sweep = value; return 0;
    case KEY_PROGRESS: return options_take_progress(value, &given->progress, state);
    case ARGP_KEY_END:
        if (!given->request.to || strcmp(given->request.to, "-") == 0)
            return options_refuse(state, "which file is to be made? -o FILE.h5");
        if (given->sweep && !given->unpack)
            return options_refuse(state, "--sweep belongs to --unpack");
        return options_take_one(&given->request.from, "result file", key, value, state);
    default: return options_take_one(&given->request.from, "result file", key, value, state);
    }
}

static const struct argp pack_argp = {
    .options = pack_options,
    .parser = parse_option,
    .args_doc = "FILE.h5",
    .doc =
        "Makes a compressed copy of a complete result file. All commands that read result files read it; `run` and "
        "`merge` do not continue it.\v"
        "Each block is checked by its checksum, in the file and again in the copy. --unpack needs the version of the "
        "program that made the file.",
};

static void show(uint64_t points, uint64_t total, void *user)
{
    ProgressLine *line = user;
    line->total_points = total;
    progress_line_update(line, points, 0, 0);
}

// Signals that stop are counted while a file is unpacked; pack_file() looks for them itself.
static bool make(const PackArguments *given, Packed *packed, Error *err)
{
    if (!given->unpack)
        return pack_file(&given->request, packed, err);
    const bool made = stop_catch(NULL, err) && pack_unpack(&given->request, packed, err);
    stop_release();
    return made;
}

static bool pack(PackArguments *given, Error *err)
{
    ProgressLine line = {0};
    Packed       packed;
    Spec         sweep = {0};
    Text         text = {0};
    given->request.sweep = given->sweep ? &sweep : NULL;
    given->request.signals = stop_count();
    given->request.progress = show;
    given->request.user = &line;
    progress_line_begin(&line, given->progress, stderr, 0, 0);
    line.file = given->request.to;
    output_note_locks(given->request.from, &text);
    options_log(&text);
    text_free(&text);
    bool ok = (!given->sweep || spec_read(given->sweep, NULL, 0, &sweep, err)) && make(given, &packed, err);
    progress_line_end(&line, options_event(ok, err));
    if (ok)
        text_add(&text, "%s: %" PRIu64 " points in %" PRIu64 " blocks, %.4g MB of %.4g MB\n", given->request.to,
                 packed.points, packed.blocks, (double)packed.after * 1e-6, (double)packed.before * 1e-6);
    ok = ok && options_print(&text, err);
    text_free(&text);
    spec_free(&sweep);
    return ok;
}

bool pack_command(int argc, char **argv, Error *err)
{
    PackArguments given = {0};
    bool          done = false;
    const bool ok = options_progress(&given.progress, err) && options_parse(&pack_argp, argc, argv, &given, &done, err);
    return ok && (done || pack(&given, err));
}
