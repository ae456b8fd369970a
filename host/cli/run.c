// run -- `pendula run SWEEP.yaml`: runs a sweep into its result file, with progress and a resumable Ctrl-C.
#include "cli/run_summary.h"

#include "base/file.h"
#include "base/progress.h"
#include "base/stop.h"
#include "terminal/commands.h"
#include "terminal/options.h"
#include "device/driver.h"
#include "plan/part.h"
#include "store/retry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct RunArguments {
    const char  *sweep, *output, *device;
    Words        overrides, reuse;
    int          lanes;
    uint64_t     device_memory;
    uint64_t     shard, shard_count;
    unsigned     retry;
    bool         resume, trust, force, unlocked;
    ProgressMode progress, asked;  // `asked`: by an option of its own
    SummaryForm  summary;
    FailOn       fail_on;
    bool         quiet;
} RunArguments;

enum {
    KEY_RESUME = OPTION_LONG,
    KEY_TRUST,
    KEY_FORCE,
    KEY_NO_LOCK,
    KEY_REUSE,
    KEY_SHARD,
    KEY_RETRY,
    KEY_PROGRESS,
    KEY_LANES,
    KEY_DEVICE_MEMORY,
    KEY_SUMMARY,
    KEY_FAIL_ON
};

static const struct argp_option run_options[] = {
    {"output", 'o', "FILE.h5", 0,
     "result file (default: the sweep's name with .h5 in the current folder). {KEY} in it stands for the value of a "
     "key "
     "as of -s, e.g. out-{parameters.eps}.h5; {{ and }} are braces",
     0},
    {"device", 'd', "DEVICE", 0,
     "gpu, cpu, native, an index of `list devices`, a name or platform or part of one, or reference (default: "
     "PENDULA_DEVICE, "
     "else that of the settings file, else the first GPU with the sweep's precision, else a CPU, else native). Several "
     "with commas between them share the run, as do `all`",
     0},
    {"device-memory", KEY_DEVICE_MEMORY, "SIZE", 0, "take no more of a device's memory, e.g. 64MiB; changes no result",
     0},
    OPTION_SET,
    {"resume", KEY_RESUME, NULL, 0,
     "go on with an existing result file; start it where there is none. Blocks that are there are checked by their "
     "checksums, and damaged ones computed anew",
     0},
    {"trust", KEY_TRUST, NULL, 0, "with --resume: take the blocks that are there without looking at them", 0},
    {"reuse", KEY_REUSE, "OLD.h5", 0,
     "copy from an older result file the points that this sweep has too, whatever their place (may be repeated)", 0},
    {"retry", KEY_RETRY, "STATUS", 0,
     "with --resume, of a complete file: compute again, by other `newton` and `substeps` settings, the points that "
     "ended "
     "with this status (several separated by commas; `failed`: all but ok), and keep the others",
     0},
    {"shard", KEY_SHARD, "I/N", 0,
     "compute the I-th of N parts, I from 0, into a file of its own (default: SWEEP.shard-I-of-N.h5), which `pendula "
     "merge` puts together with the others",
     0},
    {"force", KEY_FORCE, NULL, 0, "replace an existing result file", 0},
    {"no-lock", KEY_NO_LOCK, NULL, 0,
     "on a file system without locks (NFS, Lustre): write without one. See to it that no other process writes the same "
     "file: two would spoil it",
     0},
    {"lanes", KEY_LANES, "N", 0,
     "points per work item: 1, 2, 4, 8, 16 or 32 (default: the device's own, or what a trial finds best); changes no "
     "result",
     0},
    OPTION_PROGRESS(KEY_PROGRESS),
    {"quiet", 'q', NULL, 0, "print nothing but warnings and errors", 0},
    {"summary", KEY_SUMMARY, "FORM", 0, "at the end print text, an object for programs (json), or none", 0},
    {"fail-on", KEY_FAIL_ON, "RULE", 0,
     "exit with 10 where any point of the file failed, or all of them did (default: failed points are no failure)", 0},
    {0}};

// Reads a whole number above 0 with a unit behind it; without one it counts bytes.
static bool read_bytes(const char *text, uint64_t *bytes)
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
    const unsigned long long count = strtoull(text, &unit, 10);
    if (*text < '0' || *text > '9' || errno != 0 || count == 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
        if (strcmp(unit, units[i].name) == 0 && count <= UINT64_MAX / units[i].bytes) {
            *bytes = count * units[i].bytes;
            return true;
        }
    return false;
}

static error_t read_summary(const char *value, SummaryForm *form, struct argp_state *state)
{
    static const char *const forms[] = {[SUMMARY_TEXT] = "text", [SUMMARY_JSON] = "json", [SUMMARY_NONE] = "none"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i)
        if (strcmp(forms[i], value) == 0) {
            *form = (SummaryForm)i;
            return 0;
        }
    return options_refuse(state, "--summary takes text, json or none, got '%s'", value);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options      *options = state->input;
    RunArguments *run = options->target;
    switch (key) {
    case 'o': run->output = value; return 0;
    case 'd': run->device = value; return 0;
    case KEY_DEVICE_MEMORY:
        return read_bytes(value, &run->device_memory)
                   ? 0
                   : options_refuse(state, "--device-memory takes a size such as 64MiB, got '%s'", value);
    case 's': return options_add_word(&run->overrides, value, options->err) ? 0 : EINVAL;
    case KEY_RESUME: run->resume = true; return 0;
    case KEY_TRUST: run->trust = true; return 0;
    case KEY_REUSE: return options_add_word(&run->reuse, value, options->err) ? 0 : EINVAL;
    case KEY_RETRY:
        return retry_read(value, &run->retry)
                   ? 0
                   : options_refuse(state, "--retry takes failed, or statuses separated by commas, got '%s'", value);
    case KEY_SHARD:
        return part_read(value, &run->shard, &run->shard_count)
                   ? 0
                   : options_refuse(state, "--shard takes I/N, with I from 0 to N - 1 and N at most %d, got '%s'",
                                    PART_MOST, value);
    case KEY_FORCE: run->force = true; return 0;
    case KEY_NO_LOCK: run->unlocked = true; return 0;
    case KEY_LANES:
        for (int lanes = 1; lanes <= LANES_MOST; lanes *= 2) {
            char text[12];
            snprintf(text, sizeof text, "%d", lanes);
            if (strcmp(text, value) == 0) {
                run->lanes = lanes;
                return 0;
            }
        }
        return options_refuse(state, "--lanes takes 1, 2, 4, 8, 16 or 32, got '%s'", value);
    case KEY_PROGRESS: {
        const error_t taken = options_take_progress(value, &run->progress, state);
        run->asked = run->progress;
        return taken;
    }
    case 'q': run->quiet = true; return 0;
    case KEY_SUMMARY: return read_summary(value, &run->summary, state);
    case KEY_FAIL_ON:
        run->fail_on = strcmp(value, "any") == 0 ? FAIL_ON_ANY : FAIL_ON_ALL;
        return run->fail_on == FAIL_ON_ANY || strcmp(value, "all") == 0
                   ? 0
                   : options_refuse(state, "--fail-on takes any or all, got '%s'", value);
    case ARGP_KEY_ARG:
        if (run->sweep)
            return options_refuse(state, "one sweep file at a time, got '%s' and '%s'", run->sweep, value);
        run->sweep = value;
        return 0;
    case ARGP_KEY_END:
        if (!run->sweep)
            return options_refuse(state, "which sweep file?");
        if (strcmp(run->sweep, "-") == 0 && !run->output)
            return options_refuse(state, "a sweep from standard input has no name: give -o FILE.h5");
        if (run->resume && run->force)
            return options_refuse(state, "--resume and --force exclude each other");
        if (run->retry && !run->resume)
            return options_refuse(state, "--retry says what to --resume");
        if (run->retry && (run->shard_count || run->reuse.count || run->trust))
            return options_refuse(state, "--retry excludes --shard, --reuse and --trust");
        if (run->trust && !run->resume)
            return options_refuse(state, "--trust says how to --resume");
        if (run->quiet) {
            // Objects that are asked for are no words.
            run->progress = run->asked == PROGRESS_JSON ? PROGRESS_JSON : PROGRESS_NONE;
            run->summary = run->summary == SUMMARY_TEXT ? SUMMARY_NONE : run->summary;
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp run_argp = {
    .options = run_options,
    .parser = parse_option,
    .args_doc = "SWEEP.yaml",
    .doc = "Runs a sweep into an HDF5 result file.\v"
           "Ctrl-C (or SIGTERM, or SIGHUP) finishes the running batch within two seconds, else abandons it, keeps "
           "what is done and exits with 75; --resume goes on from there. A second one abandons it at once.",
};

static void say(const char *line, void *user)
{
    (void)user;
    options_say("pendula: %s", line);
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
        const int width = display->line.width;  // of what was said before
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

// Processes that share the blocks of a run are no shards besides.
static bool check_ranks(const RunArguments *run, const Ranks *ranks, Error *err)
{
    const bool fine = ranks->count == 1 || (run->shard_count == 0 && !run->retry);
    return ranks_agree(ranks,
                       fine ||
                           fail(err, ERROR_USAGE,
                                "--shard and --retry are for a process alone, and this is one of %d that MPI started",
                                ranks->count),
                       err);
}

// What helps where the file system has no locks.
static void advise_lock(Error *err)
{
    const Error why = *err;
    if (why.kind == ERROR_IO && file_lacks_locks(why.code))
        fail(err, ERROR_IO,
             "%.4000s; --no-lock writes without a lock: see to it that no other process writes the same file",
             why.message);
}

bool run_command(int argc, char **argv, Error *err)
{
    RunArguments run = {.device = options_device()};
    bool         help = false;
    bool         ok = options_progress(&run.progress, err) && options_parse(&run_argp, argc, argv, &run, &help, err);
    if (ok && !help) {
        Ranks            ranks = {.count = 1};
        RunSummary       summary = {0};
        Display          display = {.mode = run.progress, .summary = &summary};
        Text             text = {0};
        const RunRequest request = {.sweep = run.sweep,
                                    .overrides = run.overrides.items,
                                    .override_count = run.overrides.count,
                                    .output = run.output,
                                    .device = run.device,
                                    .device_memory = run.device_memory,
                                    .lanes = run.lanes,
                                    .unlocked = run.unlocked,
                                    .retry = run.retry,
                                    .ranks = &ranks,
                                    .shard = run.shard,
                                    .shard_count = run.shard_count,
                                    .reuse = run.reuse.items,
                                    .reuse_count = run.reuse.count,
                                    .mode = run.trust    ? STORE_TRUST
                                            : run.resume ? STORE_RESUME
                                            : run.force  ? STORE_REPLACE
                                                         : STORE_NEW,
                                    .signals = stop_count(),
                                    .say = say,
                                    .progress = show_progress,
                                    .wait = show_wait,
                                    .user = &display};
        RunRequest       silent = request;
        silent.say = NULL;
        silent.wait = NULL;
        silent.progress = NULL;
        // Threads that MPI starts leave the signals to ours.
        ok = stop_catch(driver_remove, err) && ranks_start(&ranks, err) && check_ranks(&run, &ranks, err) &&
             run_sweep(ranks.index ? &silent : &request, &summary, err);
        ranks_end();
        stop_release();
        if (!ok)
            advise_lock(err);
        if (ranks.index == 0)
            end_progress(&display, options_event(ok, err));
        const RunSummaryOf what = {.resumed = run.resume, .retried = run.retry != 0, .shards = run.shard_count};
        if (ok && ranks.index == 0)
            run_summary_add(&summary, &what, run.summary, &text);
        ok =
            ok && options_print(&text, err) && (ranks.index > 0 || run_summary_check(summary.output, run.fail_on, err));
        text_free(&text);
    }
    options_free_words(&run.overrides);
    options_free_words(&run.reuse);
    return ok;
}
