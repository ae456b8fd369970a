// merge -- `pendula merge -o FILE.h5 SHARD...`: puts the shards of a sweep together.
#include "base/progress.h"
#include "base/stop.h"
#include "store/merge.h"
#include "store/output.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <inttypes.h>
#include <string.h>

typedef struct MergeArguments {
    MergeRequest request;
    const char  *sweep;
    Words        shards;
    ProgressMode progress;
} MergeArguments;

static const Option merge_options[] = {
    {"output", 'o', "FILE.h5", OPTION_TEXT(MergeArguments, request.path), "the new file"},
    OPTION_ROW_FORCE(MergeArguments, request.force),
    {"sweep", 0, "SWEEP.yaml", OPTION_TEXT(MergeArguments, sweep),
     "the sweep file, which you trust: kernel files, points and matrices that it names are opened beside it"},
    OPTION_ROW_PROGRESS(MergeArguments, progress)};

static bool check(void *arguments, Error *err)
{
    const MergeArguments *given = arguments;
    return given->request.path || fail(err, ERROR_USAGE, "which file is to be made? -o FILE.h5");
}

const Usage merge_command_usage = {
    USAGE_OPTIONS(merge_options),
    .arguments = ARGUMENTS_ALL(MergeArguments, shards, "-o FILE.h5 SHARD.h5...", "shard", 1), .check = check,
    .about = "Puts the shards of a sweep together, which `pendula run --shard I/N` made. The file is that of one run "
             "without shards, byte for byte.",
    .notes = "Each block is checked by its checksum. Where blocks are missing or damaged, or a shard is not there, the "
             "file is made all the same, its missing points have status 0, and the exit code is 6; `pendula run "
             "SWEEP.yaml --resume -o FILE.h5` computes them."};

static bool judge(const char *path, const Merged *merged, Error *err)
{
    return merged->missing == 0 ||
           fail(err, ERROR_INCOMPLETE,
                "%s: %" PRIu64 " of %" PRIu64 " blocks are missing: %" PRIu64 " points, from point %" PRIu64
                " of group '%s' on; `pendula run --resume` computes them",
                path, merged->missing, merged->missing + merged->blocks, merged->points_missing, merged->first_point,
                merged->first_label);
}

static bool merge(void *arguments, Error *err)
{
    MergeArguments *given = arguments;
    MergeRequest   *request = &given->request;
    ProgressLine    line = {0};
    Merged          merged;
    Spec            sweep SCOPED(spec_free) = {0};
    Text            text SCOPED(text_free) = {0}, notes SCOPED(text_free) = {0};
    request->shards = given->shards.items;
    request->shard_count = given->shards.count;
    request->sweep = given->sweep ? &sweep : NULL;
    request->signals = stop_count();
    request->say = options_tell;
    request->progress = progress_line_count;
    request->user = &line;
    progress_line_begin(&line, given->progress, stderr, 0, 0);
    line.file = request->path;
    output_note_locks(request->shards[0], &notes);
    options_log(&notes);
    stop_advise("; the same command starts again");
    bool ok = (!given->sweep || spec_read(given->sweep, NULL, 0, &sweep, err)) && stop_catch(NULL, err) &&
              merge_files(request, &merged, err);
    stop_release();
    progress_line_end(&line, options_event(ok, err));
    if (ok)
        text_add(&text, "%s: %" PRIu64 " points of %zu shard%s in %" PRIu64 " blocks\n", request->path, merged.points,
                 request->shard_count, request->shard_count == 1 ? "" : "s", merged.blocks);
    return ok && options_print(&text, err) && judge(request->path, &merged, err);
}

bool merge_command(int argc, char **argv, Error *err)
{
    MergeArguments given = {0};
    return options_progress(&given.progress, err) && options_run(&merge_command_usage, argc, argv, &given, merge, err);
}
