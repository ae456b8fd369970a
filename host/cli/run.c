// run -- `pendula run SWEEP.yaml`: runs a sweep into its result file, with progress and a resumable Ctrl-C.
#include "base/file.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "device/driver.h"
#include "plan/part.h"
#include "run/run.h"
#include "store/points.h"
#include "store/retry.h"
#include "store/verify.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum SummaryForm { SUMMARY_TEXT, SUMMARY_JSON, SUMMARY_NONE } SummaryForm;
typedef enum FailOn { FAIL_ON_NOTHING, FAIL_ON_ANY, FAIL_ON_ALL } FailOn;

typedef struct RunArguments {
    RunRequest   request;
    Words        overrides, reuse;
    unsigned     lanes;  // place in lane_counts
    bool         resume, trust, force;
    ProgressMode progress, asked;  // by PENDULA_PROGRESS; by an option, else PROGRESS_MODES
    SummaryForm  summary;
    FailOn       fail_on;
    bool         quiet;
} RunArguments;

// Reads a whole number above 0 with a unit behind it; without one it counts bytes.
static bool take_bytes(const char *option, char *value, void *bytes, Error *err)
{
    static const struct {
        const char *name;
        uint64_t    bytes;
    } units[] = {{"", 1},
                 {"B", 1},
                 {"KiB", UINT64_C(1) << 10},
                 {"MiB", UINT64_C(1) << 20},
                 {"GiB", UINT64_C(1) << 30},
                 {"TiB", UINT64_C(1) << 40},
                 {"kB", 1000},
                 {"MB", 1000000},
                 {"GB", 1000000000},
                 {"TB", UINT64_C(1000000000000)}};
    char *unit;
    errno = 0;
    const unsigned long long count = strtoull(value, &unit, 10);
    const bool               known = *value >= '0' && *value <= '9' && errno == 0 && count > 0;
    for (size_t i = 0; known && i < sizeof units / sizeof *units; ++i)
        if (strcmp(unit, units[i].name) == 0 && count <= UINT64_MAX / units[i].bytes) {
            *(uint64_t *)bytes = count * units[i].bytes;
            return true;
        }
    return fail(err, ERROR_USAGE, "%s takes a size such as 64MiB, got '%.200s'", option, value);
}

static bool take_retry(const char *option, char *value, void *statuses, Error *err)
{
    return retry_read(value, statuses) ||
           fail(err, ERROR_USAGE, "%s takes failed, or statuses separated by commas, got '%.200s'", option, value);
}

static bool take_shard(const char *option, char *value, void *given, Error *err)
{
    RunRequest *request = &((RunArguments *)given)->request;
    return part_read(value, &request->shard, &request->shard_count) ||
           fail(err, ERROR_USAGE, "%s takes I/N, with I from 0 to N - 1 and N at most %d, got '%.200s'", option,
                PART_MOST, value);
}

static bool check(void *given, Error *err)
{
    RunArguments *run = given;
    if (strcmp(run->request.sweep, "-") == 0 && !run->request.output)
        return fail(err, ERROR_USAGE, "a sweep from standard input has no name: give -o FILE.h5");
    if (run->resume && run->force)
        return fail(err, ERROR_USAGE, "--resume and --force exclude each other");
    if (run->request.retry && !run->resume)
        return fail(err, ERROR_USAGE, "--retry says what to --resume");
    if (run->request.retry && (run->request.shard_count || run->reuse.count || run->trust))
        return fail(err, ERROR_USAGE, "--retry excludes --shard, --reuse and --trust");
    if (run->trust && !run->resume)
        return fail(err, ERROR_USAGE, "--trust says how to --resume");
    if (run->asked < PROGRESS_MODES)
        run->progress = run->asked;
    if (run->quiet) {
        // --quiet stops text, not objects that are asked for.
        run->progress = run->asked == PROGRESS_JSON ? PROGRESS_JSON : PROGRESS_NONE;
        run->summary = run->summary == SUMMARY_TEXT ? SUMMARY_NONE : run->summary;
    }
    return true;
}

static const char *const lane_counts[] = {"", "1", "2", "4", "8", "16", "32"};
static const char *const summaries[] = {[SUMMARY_TEXT] = "text", [SUMMARY_JSON] = "json", [SUMMARY_NONE] = "none"};
static const char *const rules[] = {[FAIL_ON_NOTHING] = "", [FAIL_ON_ANY] = "any", [FAIL_ON_ALL] = "all"};

static const Option run_options[] = {
    {"output", 'o', "FILE.h5", OPTION_TEXT(RunArguments, request.output),
     "result file (default: the sweep's name with .h5 in the current folder). {KEY} in it stands for the value of a "
     "key as of -s, e.g. out-{parameters.eps}.h5; {{ and }} are braces"},
    {"device", 'd', "DEVICE", OPTION_TEXT(RunArguments, request.device),
     "gpu, cpu, native, an index of `list devices`, a name or platform or part of one, or reference (default: "
     "PENDULA_DEVICE, else that of the settings file, else the first GPU with the sweep's precision, else a CPU, else "
     "native). Several with commas between them share the run, as do `all`"},
    {"device-memory", 0, "SIZE", OPTION_OWN_AT(RunArguments, request.device_memory, uint64_t, take_bytes),
     "take no more of a device's memory, e.g. 64MiB; changes no result"},
    OPTION_ROW_SET(RunArguments, overrides),
    {"resume", 0, NULL, OPTION_FLAG(RunArguments, resume),
     "go on with an existing result file; start it where there is none. Blocks that are there are checked by their "
     "checksums, and damaged ones computed anew"},
    {"trust", 0, NULL, OPTION_FLAG(RunArguments, trust),
     "with --resume: take the blocks that are there without looking at them"},
    {"reuse", 0, "OLD.h5", OPTION_TEXTS(RunArguments, reuse),
     "copy from an older result file the points that this sweep has too, whatever their place (may be repeated)"},
    {"retry", 0, "STATUS", OPTION_OWN_AT(RunArguments, request.retry, unsigned, take_retry),
     "with --resume, of a complete file: compute again, by other `newton` and `substeps` settings, the points that "
     "ended with this status (several separated by commas; `failed`: all but ok), and keep the others"},
    {"shard", 0, "I/N", OPTION_OWN(take_shard),
     "compute the I-th of N parts, I from 0, into a file of its own (default: SWEEP.shard-I-of-N.h5), which `pendula "
     "merge` puts together with the others"},
    OPTION_ROW_FORCE(RunArguments, force),
    {"no-lock", 0, NULL, OPTION_FLAG(RunArguments, request.unlocked),
     "on a file system without locks (NFS, Lustre): write without one. See to it that no other process writes the same "
     "file: two would spoil it"},
    {"lanes", 0, "N", OPTION_WORD(RunArguments, lanes, lane_counts),
     "points per work item: 1, 2, 4, 8, 16 or 32 (default: the device's own, or what a trial finds best); changes no "
     "result"},
    OPTION_ROW_PROGRESS(RunArguments, asked),
    {"quiet", 'q', NULL, OPTION_FLAG(RunArguments, quiet), "print nothing but warnings and errors"},
    {"summary", 0, "FORM", OPTION_WORD(RunArguments, summary, summaries),
     "at the end print text, an object for programs (json), or none"},
    {"fail-on", 0, "RULE", OPTION_WORD(RunArguments, fail_on, rules),
     "exit with 10 where any point of the file failed, or all of them did (default: failed points are no failure)"}};

const Usage run_command_usage = {
    USAGE_OPTIONS(run_options), .arguments = ARGUMENTS_ONE(RunArguments, request.sweep, "SWEEP.yaml", "sweep file"),
    .check = check, .about = "Runs a sweep into an HDF5 result file.",
    .notes = "Ctrl-C (or SIGTERM, or SIGHUP) finishes the running batch within two seconds, else abandons it, keeps "
             "what is done and exits with 75; --resume goes on from there. A second one abandons it at once."};

// Adds the name of a file as a shell takes it.
static void add_word(Text *text, const char *word)
{
    static const char plain[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.,:=+-/@%";
    const char       *before = *word == '-' ? "./" : "";
    if (strspn(word, plain) == strlen(word)) {
        text_add(text, "%s%s", before, word);
        return;
    }
    text_add(text, "'%s", before);
    for (const char *c = word; *c; ++c)
        text_add(text, *c == '\'' ? "'\\''" : "%c", *c);
    text_add(text, "'");
}

// Adds the commands that a person may want next. Failed or copied points are left out where none was computed.
static void add_next(Text *text, const RunSummary *summary, uint64_t shards)
{
    const bool failed = summary->by_status[STATUS_OK] < summary->points_computed;
    text_add(text, "  next: pendula info ");
    add_word(text, summary->output);
    text_add(text, failed ? " (where they failed)" : " (what is in it)");
    if (shards) {
        text_add(text, "; pendula merge -o FILE.h5 SHARD.h5..., once all %" PRIu64 " shards are there\n", shards);
        return;
    }
    text_add(text, "; pendula plot ");
    add_word(text, summary->output);
    text_add(text, " (pictures)\n");
}

// Adds how points ended, each way to fail with its percentage.
static void add_statuses(Text *text, const RunSummary *summary)
{
    for (int status = 0; status < STATUS_COUNT; ++status) {
        const uint64_t count = summary->by_status[status];
        const double   percent = 100.0 * (double)count / (double)summary->points_computed;
        if (count == 0)
            continue;
        text_add(text, "  %-16s %" PRIu64, plan_status_names[status], count);
        // Nearly all are not all.
        if (status != STATUS_OK)
            text_add(text, "  (%.3g %%)", count < summary->points_computed && percent > 99.9 ? 99.9 : percent);
        text_add(text, "\n");
    }
}

// Adds the number of computed points, the speed, and how they ended.
static void add_computed(Text *text, const RunSummary *summary)
{
    const double compute = summary->compute_seconds;
    text_add(text, "%s: %" PRIu64 " points on %s in %.2f s", summary->output, summary->points_computed, summary->device,
             summary->seconds);
    if (compute >= 0.01)
        text_add(text, ", %s steps/s in %.2f s of computing (lane efficiency %.2f)",
                 text_amount((double)summary->steps / compute, NULL).text, compute, run_lane_efficiency(summary));
    text_add(text, "\n");
    add_statuses(text, summary);
}

static void add_text(const RunSummary *summary, const RunArguments *run, Text *text)
{
    if (run->request.retry && summary->retry == 0) {
        text_add(text, "%s: no point ended so by other settings; nothing is computed again\n", summary->output);
        return;
    }
    if (summary->retry)
        text_add(text, "%s: retry %u: %" PRIu64 " points computed again, the others kept\n", summary->output,
                 summary->retry, summary->points_computed);
    else if (run->resume)
        text_add(text,
                 "%s: %" PRIu64 " blocks reused, %" PRIu64 " computed; %" PRIu64 " points reused, %" PRIu64
                 " computed%s\n",
                 summary->output, summary->blocks_reused, summary->blocks_computed, summary->points_reused,
                 summary->points_computed, summary->blocks_computed ? "" : "; the file was complete");
    if (summary->points_copied > 0 && !summary->retry)
        text_add(text, "%s: %" PRIu64 " points copied from older files\n", summary->output, summary->points_copied);
    if (summary->points_computed > 0)
        add_computed(text, summary);
    add_next(text, summary, run->request.shard_count);
}

static void add_object(const RunSummary *summary, Text *text)
{
    text_add(text, "{");
    json_member_string(text, "file", summary->output);
    json_member_string(text, "devices", summary->device);
    json_member_whole(text, "points", summary->points);
    json_member_whole(text, "points_reused", summary->points_reused);
    json_member_whole(text, "points_copied", summary->points_copied);
    json_member_whole(text, "points_computed", summary->points_computed);
    json_member_whole(text, "blocks", summary->blocks);
    json_member_whole(text, "blocks_reused", summary->blocks_reused);
    json_member_whole(text, "blocks_computed", summary->blocks_computed);
    json_member_whole(text, "retry", summary->retry);
    json_open(text, "status", "{");
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (summary->by_status[status])
            json_member_whole(text, plan_status_names[status], summary->by_status[status]);
    text_add(text, "}");
    json_member_whole(text, "steps", summary->steps);
    json_member_number(text, "seconds", summary->seconds);
    json_member_number(text, "compute_seconds", summary->compute_seconds);
    json_member_number(text, "lane_efficiency", run_lane_efficiency(summary));
    text_add(text, "}\n");
}

// Adds the summary of a run: a few lines, one JSON object, or nothing.
static void add_summary(const RunSummary *summary, const RunArguments *run, Text *text)
{
    if (run->summary == SUMMARY_TEXT)
        add_text(summary, run, text);
    else if (run->summary == SUMMARY_JSON)
        add_object(summary, text);
}

// Looks for points of the result file that did not end with ok, whichever run computed them. Points that were not run
// do not count.
static bool check_points(const char *path, FailOn rule, Error *err)
{
    StoreFile file SCOPED(store_read_close) = {0};
    uint64_t  ok = 0, failed = 0;
    if (rule == FAIL_ON_NOTHING)
        return true;
    if (!verify_open(path, &file, err))
        return false;
    for (size_t g = 0; g < file.group_count; ++g) {
        Points   points SCOPED(points_close) = {0};
        uint64_t counts[POINTS_COUNTS];
        if (!points_open_design(&file, &file.groups[g], &points, err) || !points_count(&points, counts, err))
            return false;
        for (int status = 0; status < POINTS_COUNTS; ++status)
            if (status != STATUS_NOT_RUN)
                *(status == STATUS_OK ? &ok : &failed) += counts[status];
    }
    return failed == 0 || (rule == FAIL_ON_ALL && ok > 0) ||
           fail(err, ERROR_FAILED, "%s: %" PRIu64 " of %" PRIu64 " points failed; the file is complete", path, failed,
                failed + ok);
}

typedef struct Display {
    ProgressLine      line;
    ProgressMode      mode;
    bool              begun;
    const RunSummary *summary;
} Display;

static void begin_line(Display *display, uint64_t points, uint64_t steps)
{
    progress_line_begin(&display->line, display->mode, stderr, points, steps);
    display->line.file = display->summary->output;
}

static void show_progress(const RunProgress *progress, void *user)
{
    Display *display = user;
    if (!display->begun) {
        const int width = display->line.width;  // of the line before
        begin_line(display, progress->points_total, progress->steps_total);
        display->line.width = width;
        progress_line_resume(&display->line, progress->points_reused, 0);
        display->begun = true;
    }
    progress_line_update(&display->line, progress->points_reused + progress->points_done, progress->steps_done,
                         progress->points_failed);
}

static void show_wait(const ProgressCompile *compile, void *user)
{
    Display *display = user;
    if (!display->begun && !display->line.stream)
        begin_line(display, 0, 0);
    progress_line_compile(&display->line, compile);
}

// A program learns how a run ended also where nothing was to be computed, or nothing could be.
static void end_progress(Display *display, const char *event)
{
    const RunSummary *summary = display->summary;
    if (!display->begun && display->mode == PROGRESS_JSON) {
        begin_line(display, summary->points, 0);
        progress_line_resume(&display->line, summary->points_reused, 0);
    }
    progress_line_end(&display->line, event);
}

// Processes that share the blocks of a run compute neither a shard nor a retry.
static bool check_ranks(const RunRequest *request, Error *err)
{
    const Ranks *ranks = request->ranks;
    const bool   fine = ranks->count == 1 || (request->shard_count == 0 && !request->retry);
    return ranks_agree(ranks,
                       fine ||
                           fail(err, ERROR_USAGE,
                                "--shard and --retry are for a process alone, and this is one of %d that MPI started",
                                ranks->count),
                       err);
}

// Adds the remedy where the file system has no locks.
static void advise_lock(Error *err)
{
    const Error why = *err;
    if (why.kind == ERROR_IO && file_lacks_locks(why.code))
        fail(err, ERROR_IO,
             "%.4000s; --no-lock writes without a lock: see to it that no other process writes the same file",
             why.message);
}

static bool run_into_file(void *given, Error *err)
{
    RunArguments *run = given;
    RunRequest   *request = &run->request;
    Ranks         ranks = {.count = 1};
    RunSummary    summary = {0};
    Display       display = {.mode = run->progress, .summary = &summary};
    Text          text SCOPED(text_free) = {0};
    request->overrides = run->overrides.items;
    request->override_count = run->overrides.count;
    request->reuse = run->reuse.items;
    request->reuse_count = run->reuse.count;
    request->lanes = run->lanes ? 1 << (run->lanes - 1) : 0;
    request->mode = run->trust ? STORE_TRUST : run->resume ? STORE_RESUME : run->force ? STORE_REPLACE : STORE_NEW;
    request->ranks = &ranks;
    request->signals = stop_count();
    request->user = &display;
    stop_advise("; the same command with --resume goes on");
    // Threads that MPI starts leave the signals to ours.
    bool ok = stop_catch(driver_remove, err) && ranks_start(&ranks, err) && check_ranks(request, err);
    if (ranks.index == 0) {
        request->say = options_tell;
        request->progress = show_progress;
        request->wait = show_wait;
    }
    ok = ok && run_sweep(request, &summary, err);
    ranks_end();
    stop_release();
    if (!ok)
        advise_lock(err);
    if (ranks.index == 0)
        end_progress(&display, options_event(ok, err));
    if (ok && ranks.index == 0)
        add_summary(&summary, run, &text);
    return ok && options_print(&text, err) && (ranks.index > 0 || check_points(summary.output, run->fail_on, err));
}

bool run_command(int argc, char **argv, Error *err)
{
    RunArguments given = {.request.device = options_device(), .asked = PROGRESS_MODES};
    return options_progress(&given.progress, err) &&
           options_run(&run_command_usage, argc, argv, &given, run_into_file, err);
}
