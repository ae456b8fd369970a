// run -- sweep file to result file: plan, engines, device and store opened, run, logged and closed.
#include "run/run.h"

#include "base/json.h"
#include "base/outputs.h"
#include "plan/part.h"
#include "reference/reference.h"
#include "run/shared.h"
#include "run/sweep.h"
#include "run/work.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool on_reference(const Sweep *sweep)
{
    return sweep->request->device && strcmp(sweep->request->device, "reference") == 0;
}

// The sweep's stem with .h5, in the current folder; of a shard with its number, as many digits as that of the last.
static bool choose_output(Sweep *sweep, Error *err)
{
    const RunRequest *request = sweep->request;
    char             *output = sweep->summary->output;
    const size_t      capacity = sizeof sweep->summary->output;
    const char       *slash = strrchr(request->sweep, '/'), *name = slash ? slash + 1 : request->sweep;
    const char       *dot = strrchr(name, '.');
    const int         stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    int               length;
    if (request->output)
        length = snprintf(output, capacity, "%s", request->output);
    else if (request->shard_count)
        length =
            snprintf(output, capacity, "%.*s.shard-%0*" PRIu64 "-of-%" PRIu64 ".h5", stem, name,
                     snprintf(NULL, 0, "%" PRIu64, request->shard_count - 1), request->shard, request->shard_count);
    else
        length = snprintf(output, capacity, "%.*s.h5", stem, name);
    return (length > 0 && (size_t)length < capacity) || fail(err, ERROR_USAGE, "output name is empty or too long");
}

// Neither the result file nor what stands beside it may be a file that the run reads.
static bool check_output(const Sweep *sweep, Error *err)
{
    static const char *const endings[] = {"", ".log", ".lock", ".tmp", ".retry"};
    Outputs                  outputs = {0};
    bool                     ok = true;
    for (size_t i = 0; plan_file(&sweep->plan, i); ++i)
        outputs_keep(&outputs, plan_file(&sweep->plan, i));
    for (size_t i = 0; i < sweep->request->reuse_count; ++i)
        outputs_keep(&outputs, sweep->request->reuse[i]);
    for (size_t i = 0; ok && i < sizeof endings / sizeof *endings; ++i) {
        Text path = {0};
        text_add(&path, "%s%s", sweep->summary->output, endings[i]);
        ok = text_check(&path, err) && outputs_check_inputs(&outputs, path.text, err);
        text_free(&path);
    }
    return ok;
}

void sweep_say(const char *line, void *user)
{
    Sweep *sweep = user;
    if (!sweep->request->say)
        return;
    pthread_mutex_lock(&sweep->mutex);
    sweep->request->say(line, sweep->request->user);
    pthread_mutex_unlock(&sweep->mutex);
}

static void say_wait(const char *line, void *user)
{
    Sweep *sweep = user;
    pthread_mutex_lock(&sweep->mutex);
    sweep->request->wait(line, sweep->request->user);
    pthread_mutex_unlock(&sweep->mutex);
}

static bool read_plan(Sweep *sweep, Error *err)
{
    const RunRequest *request = sweep->request;
    if (!catalog_read(&sweep->catalog, err) ||
        !spec_read(request->sweep, request->overrides, request->override_count, &sweep->spec, err) ||
        !plan_make(&sweep->spec, &sweep->catalog, &sweep->plan, err))
        return false;
    sweep->plan.computed_by = on_reference(sweep) ? plan_reference : plan_kernels;
    for (size_t i = 0; i < sweep->plan.warning_count; ++i)
        sweep_say(sweep->plan.warnings[i], sweep);
    if (request->shard_count && !part_take(&sweep->plan, request->shard, request->shard_count, err))
        return false;
    uint64_t first, end;
    for (size_t g = 0; g < sweep->plan.group_count; ++g) {
        part_points(&sweep->plan, &sweep->plan.groups[g], &first, &end);
        sweep->summary->points += end - first;
    }
    sweep->progress.points_total = sweep->summary->points;
    part_range(&sweep->plan, &first, &end);
    sweep->summary->blocks = end - first;
    return true;
}

static bool compose_groups(Sweep *sweep, Error *err)
{
    const size_t groups = sweep->plan.group_count;
    sweep->engines = arena_take(&sweep->plan.arena, groups, sizeof *sweep->engines, err);
    bool ok = sweep->engines != NULL;
    for (size_t g = 0; ok && g < groups; ++g)
        ok = engine_compose(&sweep->engines[g], &sweep->plan, &sweep->plan.groups[g], err);
    return ok;
}

// What the reference lacks of a sweep: a problem or a method is refused, before a file is made; metrics are left out.
static bool check_reference(Sweep *sweep, Error *err)
{
    const Plan *plan = &sweep->plan;
    Text        line = {0};
    size_t      count = 0;
    for (size_t g = 0; g < plan->group_count; ++g) {
        const Group *group = &plan->groups[g];
        if (!reference_check(group, err)) {
            text_free(&line);
            return within(err, "group '%s'", group->label);
        }
        for (size_t v = 0; v < group->variable_count; ++v)
            if (!reference_computes(group, v))
                text_add(&line, "%s%s/%s", count++ ? ", " : "", group->label, group->variables[v].name);
    }
    Text whole = {0};
    text_add(&whole, "%zu metric%s left out, which the reference does not have (NaN, or -1 for a whole number): %s",
             count, count == 1 ? "" : "s", line.text ? line.text : "");
    const bool ok = text_check(&line, err) && text_check(&whole, err);
    if (ok && count)
        sweep_say(whole.text, sweep);
    text_free(&line);
    text_free(&whole);
    return ok;
}

static const char **find_sources(Sweep *sweep, Error *err)
{
    const char **texts = arena_take(&sweep->plan.arena, sweep->plan.group_count, sizeof *texts, err);
    for (size_t g = 0; texts && g < sweep->plan.group_count; ++g)
        texts[g] = sweep->engines[g].source.text;
    return texts;
}

static bool open_reuse(Sweep *sweep, Error *err)
{
    const RunRequest *request = sweep->request;
    const char      **texts = find_sources(sweep, err);
    return texts && (request->reuse_count == 0 || sweep->reuse ||
                     reuse_open(request->reuse, request->reuse_count, &sweep->plan, texts, request->sweep, sweep_say,
                                sweep, &sweep->reuse, err));
}

// The device of this process: the one that was asked for; else ranks of a machine take its GPUs in turn.
static bool choose_device_of_rank(const Sweep *sweep, char number[24], const char **which, Error *err)
{
    DeviceInfo *infos = NULL;
    size_t      count = 0, gpus = 0;
    *which = sweep->request->device;
    if (*which || sweep->ranks.local_count == 1)
        return true;
    if (!device_list(&infos, &count, err))
        return false;
    for (size_t i = 0; i < count; ++i)
        gpus += infos[i].gpu && (infos[i].fp64 || sweep->plan.precision == PRECISION_SINGLE);
    size_t turn = gpus ? (size_t)sweep->ranks.local_index % gpus : 0;
    for (size_t i = 0; gpus && i < count; ++i)
        if (infos[i].gpu && (infos[i].fp64 || sweep->plan.precision == PRECISION_SINGLE) && turn-- == 0) {
            snprintf(number, 24, "%zu", i);
            *which = number;
            break;
        }
    free(infos);
    return true;
}

// Opens the device and starts building what will be needed there.
static bool open_device(Sweep *sweep, Error *err)
{
    const RunRequest *request = sweep->request;
    const char       *which;
    char              number[24];
    if (!on_reference(sweep) && (!choose_device_of_rank(sweep, number, &which, err) ||
                                 !device_open(which, sweep->plan.precision, &sweep->device, err)))
        return false;
    snprintf(sweep->summary->device, sizeof sweep->summary->device, "%s",
             sweep->device ? device_info(sweep->device)->name : "reference");
    if (!sweep->device)
        return check_reference(sweep, err);
    if (request->say && device_notice(sweep->device))
        request->say(device_notice(sweep->device), request->user);
    sweep->arithmetic = device_arithmetic(sweep->device, sweep->plan.precision);
    if (request->say && sweep->arithmetic)
        request->say(sweep->arithmetic, request->user);
    sweep->builder = (Builder){.device = sweep->device,
                               .engines = sweep->engines,
                               .count = sweep->plan.group_count,
                               .lanes = request->lanes,
                               .wanted = sweep->wanted,
                               .signals = request->signals,
                               .notice = &sweep->notice};
    return (!request->wait || notice_start(&sweep->notice, err)) && builder_start(&sweep->builder, err);
}

static bool open_store(Sweep *sweep, Error *err)
{
    const char **texts = find_sources(sweep, err);
    const char  *path = sweep->place ? sweep->place : sweep->summary->output;
    if (!is_shared(sweep))
        return texts && store_prepare(path, &sweep->plan, texts, sweep->request->mode, &sweep->store, err);
    path = pieces_name(path, sweep->ranks.index, &sweep->plan.arena, err);
    if (!texts || !path || !store_prepare(path, &sweep->plan, texts, STORE_RESUME, &sweep->store, err))
        return false;
    for (uint64_t block = 0; block < sweep->plan.block_count; ++block)
        if (sweep->elsewhere[block])
            store_leave(sweep->store, block);
    return true;
}

// Whether the result file has been found complete: neither device nor kernels are needed then.
static bool complete(const Sweep *sweep)
{
    if (is_shared(sweep))
        return sweep->summary->blocks_reused == sweep->plan.block_count;
    return sweep->store && store_complete(sweep->store);
}

// Opens an existing file to resume. Of a new one, what can be known of path and space is said before anything is built.
static bool find_store(Sweep *sweep, Error *err)
{
    const StoreMode mode = sweep->request->mode;
    const char     *output = sweep->place ? sweep->place : sweep->summary->output;
    if (is_shared(sweep))
        return shared_find(sweep, err);
    if ((mode == STORE_RESUME || mode == STORE_TRUST) && access(output, F_OK) == 0)
        return (sweep->place || retry_adopt(output, &sweep->plan, err)) && open_store(sweep, err);
    return store_check(output, &sweep->plan, mode, err);
}

// Makes a new file while the kernels are built, and gives it its name when they are.
static bool make_store(Sweep *sweep, Error *err)
{
    const bool existing = sweep->store != NULL;
    if ((existing || open_store(sweep, err)) && (!sweep->device || builder_wait(&sweep->builder, err)) &&
        store_publish(sweep->store, err))
        return true;
    if (!existing) {
        store_close(sweep->store);
        sweep->store = NULL;
    }
    return false;
}

static void log_start(Sweep *sweep)
{
    char      now[32];
    time_t    seconds = time(NULL);
    struct tm parts;
    Text      line = {0};
    gmtime_r(&seconds, &parts);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &parts);
    text_add(&line, "{\"event\": \"start\", \"time\": \"%s\", ", now);
    if (is_shared(sweep))
        text_add(&line, "\"rank\": %d, \"ranks\": %d, ", sweep->ranks.index, sweep->ranks.count);
    text_add(&line, "\"device\": ");
    json_string(&line, sweep->summary->device);
    if (sweep->device) {
        text_add(&line, ", \"driver\": ");
        json_string(&line, device_info(sweep->device)->driver);
        text_add(&line, ", \"arithmetic\": ");
        json_string(&line, sweep->arithmetic ? sweep->arithmetic : "kept");
    }
    if (sweep->summary->retry)
        text_add(&line, ", \"retry\": %u", sweep->summary->retry);
    for (size_t i = 0; i < sweep->request->reuse_count; ++i) {
        text_add(&line, i ? ", " : ", \"reuse\": [");
        json_string(&line, sweep->request->reuse[i]);
    }
    text_add(&line, "%s, \"blocks\": %llu, \"blocks_reused\": %llu, \"blocks_damaged\": %llu}",
             sweep->request->reuse_count ? "]" : "", (unsigned long long)sweep->summary->blocks,
             (unsigned long long)sweep->summary->blocks_reused, (unsigned long long)store_damaged(sweep->store));
    Error unsaid = {0};
    if (!line.failed && !store_log(sweep->store, line.text, &unsaid)) {
        within(&unsaid, "the run goes on without its log");
        sweep_say(unsaid.message, sweep);
    }
    text_free(&line);
}

static void log_end(Sweep *sweep, const char *event)
{
    const RunSummary *summary = sweep->summary;
    char              line[400];
    snprintf(line, sizeof line,
             "{\"event\": \"%s\", \"seconds\": %.3f, \"compute_seconds\": %.3f, \"seconds_per_compute\": %.3f, "
             "\"lane_efficiency\": %.4f, \"blocks_computed\": %llu, \"points_copied\": %llu, \"steps\": %llu}",
             event, summary->seconds, summary->compute_seconds,
             summary->compute_seconds > 0 ? summary->seconds / summary->compute_seconds : 0,
             run_lane_efficiency(summary), (unsigned long long)summary->blocks_computed,
             (unsigned long long)summary->points_copied, (unsigned long long)summary->steps);
    // What kept the log from being written was said at the start.
    Error unsaid;
    store_log(sweep->store, line, &unsaid);
}

// Says where the run was stopped and how to go on.
static bool stopped(const Sweep *sweep, Error *err)
{
    const RunSummary *summary = sweep->summary;
    if (!sweep->store)
        return fail(err, ERROR_STOPPED, "stopped by a signal before '%s' was made; the same command starts again",
                    summary->output);
    return fail(err, ERROR_STOPPED,
                "stopped by a signal with %llu of %llu blocks done in '%s'; the same command with --resume goes on",
                (unsigned long long)(summary->blocks_reused + summary->blocks_computed),
                (unsigned long long)summary->blocks, summary->output);
}

// Says, behind why a device failed, what is kept and how to go on.
static bool device_failed(const Sweep *sweep, Error *err)
{
    const RunSummary *summary = sweep->summary;
    const Error       why = *err;
    return fail(err, ERROR_DEVICE, "%.4000s; '%s' keeps %llu of %llu blocks, and --resume goes on", why.message,
                summary->output, (unsigned long long)(summary->blocks_reused + summary->blocks_computed),
                (unsigned long long)summary->blocks);
}

static void say_damaged(Sweep *sweep)
{
    const unsigned long long damaged = store_damaged(sweep->store);
    char                     line[256];
    snprintf(line, sizeof line, "%llu block%s of '%.150s' %s damaged, and %s computed anew", damaged,
             damaged == 1 ? "" : "s", sweep->summary->output, damaged == 1 ? "is" : "are", damaged == 1 ? "is" : "are");
    if (damaged > 0)
        sweep_say(line, sweep);
}

// Runs what is to be computed, and brings it to the disk also where the run ends early.
static bool run_blocks(Sweep *sweep, double begin, Error *err)
{
    RunSummary *summary = sweep->summary;
    Error       finishing;
    say_damaged(sweep);
    log_start(sweep);
    pthread_mutex_lock(&sweep->mutex);
    sweep_show(sweep);
    pthread_mutex_unlock(&sweep->mutex);
    bool ok = sweep_compute(sweep, err);
    if (!store_finish(sweep->store, &finishing) && (ok || err->kind == ERROR_STOPPED)) {
        *err = finishing;
        ok = false;
    }
    if (!ok && err->kind == ERROR_DEVICE)
        device_failed(sweep, err);
    summary->seconds = clock_seconds() - begin;
    summary->steps = sweep->progress.steps_done;
    log_end(sweep, ok ? "end" : err->kind == ERROR_STOPPED ? "stopped" : "failed");
    return ok;
}

double run_lane_efficiency(const RunSummary *summary)
{
    return summary->work_spent > 0 ? (double)summary->work_used / (double)summary->work_spent : 1.0;
}

static void free_sweep(Sweep *sweep)
{
    for (size_t g = 0; sweep->engines && g < sweep->plan.group_count; ++g)
        engine_free(&sweep->engines[g]);
    for (int set = 0; set < PROGRAM_SETS; ++set)
        reuse_free(&sweep->found[set]);
    reuse_close(sweep->reuse);
    pieces_free(&sweep->pieces);
    device_close(sweep->device);
    plan_free(&sweep->plan);
    spec_free(&sweep->spec);
    catalog_free(&sweep->catalog);
    pthread_mutex_destroy(&sweep->mutex);
    free(sweep);
}

// Makes the run that of the points that failed.
static bool prepare_retry(Sweep *sweep, Error *err)
{
    const char *output = sweep->summary->output;
    uint64_t    points;
    if (!retry_prepare(output, sweep->request->retry, &sweep->plan, sweep->request->sweep, &points, &sweep->reuse, err))
        return false;
    sweep->summary->retry = points > 0 ? sweep->plan.attempt : 0;
    sweep->place = retry_name(output, &sweep->plan.arena, err);
    return sweep->place != NULL;
}

static bool make_ready(Sweep *sweep, Error *err)
{
    return choose_output(sweep, err) && read_plan(sweep, err) && check_output(sweep, err) &&
           compose_groups(sweep, err) && (!sweep->request->retry || prepare_retry(sweep, err));
}

static bool settle_retry(Sweep *sweep, Error *err)
{
    store_close(sweep->store);
    sweep->store = NULL;
    return retry_settle(sweep->place, sweep->summary->output, err);
}

static bool compute_missing(Sweep *sweep, double begin, Error *err)
{
    if (!complete(sweep) && !open_reuse(sweep, err))
        return false;
    return work_count(sweep, err) &&
           (complete(sweep) || (open_device(sweep, err) && tables_start(&sweep->tables, sweep->needed, err) &&
                                make_store(sweep, err) && run_blocks(sweep, begin, err)));
}

bool run_sweep(const RunRequest *request, RunSummary *summary, Error *err)
{
    const double begin = clock_seconds();
    Sweep       *sweep = calloc(1, sizeof *sweep);
    *summary = (RunSummary){0};
    if (!sweep)
        return fail(err, ERROR_INTERNAL, "out of memory");
    *sweep = (Sweep){.request = request,
                     .summary = summary,
                     .ranks = request->ranks ? *request->ranks : (Ranks){.count = 1, .local_count = 1},
                     .tables = {.plan = &sweep->plan, .say = sweep_say, .user = sweep},
                     .notice = {.tell = say_wait, .user = sweep},
                     .mutex = PTHREAD_MUTEX_INITIALIZER};
    bool       ok = ranks_agree(&sweep->ranks, make_ready(sweep, err), err);
    const bool nothing = ok && request->retry && summary->retry == 0;
    ok = ok && (nothing || find_store(sweep, err));
    if (ok && !nothing) {
        ok = compute_missing(sweep, begin, err);
        ok = is_shared(sweep) ? shared_unite(sweep, ok, begin, err) : ok && (!sweep->place || settle_retry(sweep, err));
    }
    if (!ok && err->kind == ERROR_STOPPED && (sweep->ranks.index == 0 || !is_shared(sweep)))
        stopped(sweep, err);
    tables_stop(&sweep->tables);
    builder_stop(&sweep->builder);
    notice_stop(&sweep->notice);
    store_close(sweep->store);
    // A compiler that was abandoned still uses the rest, until the process ends.
    if (!sweep->builder.abandoned)
        free_sweep(sweep);
    return ok;
}
