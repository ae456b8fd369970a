// run -- sweep file to result file: plan, engines, device and store opened, run, logged and closed.
#include "run/run.h"

#include "base/json.h"
#include "base/outputs.h"
#include "reference/reference.h"
#include "run/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool on_reference(const Sweep *sweep)
{
    return sweep->request->device && strcmp(sweep->request->device, "reference") == 0;
}

// The sweep's stem with .h5, in the current folder.
static bool choose_output(Sweep *sweep, Error *err)
{
    const RunRequest *request = sweep->request;
    char             *output = sweep->summary->output;
    const size_t      capacity = sizeof sweep->summary->output;
    const char       *slash = strrchr(request->sweep, '/'), *name = slash ? slash + 1 : request->sweep;
    const char       *dot = strrchr(name, '.');
    int               length = request->output ? snprintf(output, capacity, "%s", request->output)
                                               : snprintf(output, capacity, "%.*s.h5",
                                            dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
    return (length > 0 && (size_t)length < capacity) || fail(err, ERROR_USAGE, "output name is empty or too long");
}

// Neither the result file nor what stands beside it may be a file that the run reads.
static bool check_output(const Sweep *sweep, Error *err)
{
    static const char *const endings[] = {"", ".log", ".lock", ".tmp"};
    Outputs                  outputs = {0};
    bool                     ok = true;
    for (size_t i = 0; plan_file(&sweep->plan, i); ++i)
        outputs_keep(&outputs, plan_file(&sweep->plan, i));
    for (size_t i = 0; ok && i < sizeof endings / sizeof *endings; ++i) {
        Text path = {0};
        text_add(&path, "%s%s", sweep->summary->output, endings[i]);
        ok = text_check(&path, err) && outputs_check_inputs(&outputs, path.text, err);
        text_free(&path);
    }
    return ok;
}

static void say(const char *line, void *user)
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
        say(sweep->plan.warnings[i], sweep);
    sweep->progress.points_total = sweep->plan.point_count;
    sweep->summary->points = sweep->plan.point_count;
    sweep->summary->blocks = sweep->plan.block_count;
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
        say(whole.text, sweep);
    text_free(&line);
    text_free(&whole);
    return ok;
}

// Notes which groups have blocks to compute.
static bool find_wanted(Sweep *sweep, Error *err)
{
    sweep->wanted = arena_take(&sweep->plan.arena, sweep->plan.group_count, sizeof *sweep->wanted, err);
    for (size_t g = 0; sweep->wanted && g < sweep->plan.group_count; ++g) {
        const Group *group = &sweep->plan.groups[g];
        sweep->wanted[g] = sweep->store == NULL;
        for (uint64_t b = 0; !sweep->wanted[g] && b < group->block_count; ++b)
            sweep->wanted[g] = !store_done(sweep->store, group->first_block + b);
    }
    return sweep->wanted != NULL;
}

// Opens the device and starts building what will be needed there.
static bool open_device(Sweep *sweep, Error *err)
{
    const RunRequest *request = sweep->request;
    if (!on_reference(sweep) && !device_open(request->device, sweep->plan.precision, &sweep->device, err))
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
    const char **texts = arena_take(&sweep->plan.arena, sweep->plan.group_count, sizeof *texts, err);
    for (size_t g = 0; texts && g < sweep->plan.group_count; ++g)
        texts[g] = sweep->engines[g].source.text;
    return texts &&
           store_prepare(sweep->summary->output, &sweep->plan, texts, sweep->request->mode, &sweep->store, err);
}

// Whether the result file has been found complete: neither device nor kernels are needed then.
static bool complete(const Sweep *sweep)
{
    return sweep->store && store_reused(sweep->store) == sweep->plan.block_count;
}

// Opens an existing file to resume. Of a new one, what can be known of path and space is said before anything is built.
static bool find_store(Sweep *sweep, Error *err)
{
    const StoreMode mode = sweep->request->mode;
    const char     *output = sweep->summary->output;
    if (mode == STORE_RESUME && access(output, F_OK) == 0)
        return open_store(sweep, err);
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

// Counts what is to be computed and what is already there.
static void count_work(Sweep *sweep)
{
    RunProgress *progress = &sweep->progress;
    for (size_t g = 0; g < sweep->plan.group_count; ++g) {
        const Group *group = &sweep->plan.groups[g];
        const bool   same_steps = group->step.axis < 0 && group->steps.axis < 0;
        for (uint64_t b = 0; b < group->block_count; ++b) {
            const Batch batch = batch_make(group, b, 1);
            if (store_done(sweep->store, group->first_block + b)) {
                progress->points_reused += batch.point_count;
                continue;
            }
            for (size_t i = 0; !same_steps && i < batch.point_count; ++i)
                progress->steps_total += group_steps(group, batch.first_point + i);
            if (same_steps)
                progress->steps_total += batch.point_count * group_steps(group, batch.first_point);
        }
    }
    sweep->summary->points_reused = progress->points_reused;
    sweep->summary->blocks_reused = store_reused(sweep->store);
}

static void log_start(Sweep *sweep)
{
    char      now[32];
    time_t    seconds = time(NULL);
    struct tm parts;
    Text      line = {0};
    gmtime_r(&seconds, &parts);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &parts);
    text_add(&line, "{\"event\": \"start\", \"time\": \"%s\", \"device\": ", now);
    json_string(&line, sweep->summary->device);
    if (sweep->device) {
        text_add(&line, ", \"driver\": ");
        json_string(&line, device_info(sweep->device)->driver);
        text_add(&line, ", \"arithmetic\": ");
        json_string(&line, sweep->arithmetic ? sweep->arithmetic : "kept");
    }
    text_add(&line, ", \"blocks\": %llu, \"blocks_reused\": %llu}", (unsigned long long)sweep->summary->blocks,
             (unsigned long long)sweep->summary->blocks_reused);
    Error unsaid = {0};
    if (!line.failed && !store_log(sweep->store, line.text, &unsaid)) {
        within(&unsaid, "the run goes on without its log");
        say(unsaid.message, sweep);
    }
    text_free(&line);
}

static void log_end(Sweep *sweep, const char *event)
{
    const RunSummary *summary = sweep->summary;
    char              line[320];
    snprintf(line, sizeof line,
             "{\"event\": \"%s\", \"seconds\": %.3f, \"compute_seconds\": %.3f, \"seconds_per_compute\": %.3f, "
             "\"lane_efficiency\": %.4f, \"blocks_computed\": %llu, \"steps\": %llu}",
             event, summary->seconds, summary->compute_seconds,
             summary->compute_seconds > 0 ? summary->seconds / summary->compute_seconds : 0,
             run_lane_efficiency(summary), (unsigned long long)summary->blocks_computed,
             (unsigned long long)summary->steps);
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
                (unsigned long long)(store_reused(sweep->store) + summary->blocks_computed),
                (unsigned long long)summary->blocks, summary->output);
}

// Says, behind why a device failed, what is kept and how to go on.
static bool device_failed(const Sweep *sweep, Error *err)
{
    const RunSummary *summary = sweep->summary;
    const Error       why = *err;
    return fail(err, ERROR_DEVICE, "%.4000s; '%s' keeps %llu of %llu blocks, and --resume goes on", why.message,
                summary->output, (unsigned long long)(store_reused(sweep->store) + summary->blocks_computed),
                (unsigned long long)summary->blocks);
}

// Runs what is to be computed, and brings it to the disk also where the run ends early.
static bool run_blocks(Sweep *sweep, double begin, Error *err)
{
    RunSummary *summary = sweep->summary;
    Error       finishing;
    count_work(sweep);
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
    device_close(sweep->device);
    plan_free(&sweep->plan);
    spec_free(&sweep->spec);
    catalog_free(&sweep->catalog);
    pthread_mutex_destroy(&sweep->mutex);
    free(sweep);
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
                     .tables = {.plan = &sweep->plan, .say = say, .user = sweep},
                     .notice = {.tell = say_wait, .user = sweep},
                     .mutex = PTHREAD_MUTEX_INITIALIZER};
    bool ok = choose_output(sweep, err) && read_plan(sweep, err) && check_output(sweep, err) &&
              compose_groups(sweep, err) && find_store(sweep, err);
    if (ok && complete(sweep))
        count_work(sweep);
    else if (ok)
        ok = find_wanted(sweep, err) && open_device(sweep, err) && tables_start(&sweep->tables, sweep->wanted, err) &&
             make_store(sweep, err) && run_blocks(sweep, begin, err);
    if (!ok && err->kind == ERROR_STOPPED)
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
