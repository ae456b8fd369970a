// run -- sweep file to result file: plan, engines, device and store opened, run, logged and closed.
#include "run/run.h"

#include "base/outputs.h"
#include "plan/part.h"
#include "reference/share.h"
#include "run/output_name.h"
#include "run/runlog.h"
#include "run/shared.h"
#include "run/work.h"
#include "run/workers.h"
#include "store/damage.h"
#include "store/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool keep_output(Sweep *sweep, int length, Error *err)
{
    return (length > 0 && (size_t)length < sizeof sweep->summary->output) ||
           fail(err, ERROR_USAGE, "output name is empty or too long");
}

// As asked for, with the values of the sweep's keys in it.
static bool fill_output(Sweep *sweep, Error *err)
{
    Text name = {0};
    bool ok = output_name_fill(sweep->request->output, &sweep->plan, &name, err);
    ok = ok &&
         keep_output(sweep,
                     snprintf(sweep->summary->output, sizeof sweep->summary->output, "%s", name.text ? name.text : ""),
                     err);
    text_free(&name);
    return ok;
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
        return fill_output(sweep, err);
    if (request->shard_count)
        length =
            snprintf(output, capacity, "%.*s.shard-%0*" PRIu64 "-of-%" PRIu64 ".h5", stem, name,
                     snprintf(NULL, 0, "%" PRIu64, request->shard_count - 1), request->shard, request->shard_count);
    else
        length = snprintf(output, capacity, "%.*s.h5", stem, name);
    return keep_output(sweep, length, err);
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

static void say_wait(const ProgressCompile *compile, void *user)
{
    Sweep *sweep = user;
    pthread_mutex_lock(&sweep->mutex);
    sweep->request->wait(compile, sweep->request->user);
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
                     reuse_open(request->reuse, request->reuse_count, &sweep->plan, texts, sweep_say, sweep,
                                &sweep->reuse, err));
}

// Opens the devices and starts building what will be needed there.
static bool open_devices(Sweep *sweep, Error *err)
{
    return workers_open(sweep, err) && (!sweep->request->wait || notice_start(&sweep->notice, err)) &&
           workers_build(sweep, err);
}

static bool open_store(Sweep *sweep, Error *err)
{
    const char    **texts = find_sources(sweep, err);
    const char     *path = sweep->place ? sweep->place : sweep->summary->output;
    const StoreMode way = sweep->request->unlocked ? STORE_UNLOCKED : 0;
    if (!is_shared(sweep))
        return texts && store_prepare(path, &sweep->plan, texts, sweep->request->mode | way, &sweep->store, err);
    path = pieces_name(path, sweep->ranks.index, &sweep->plan.arena, err);
    if (!texts || !path || !store_prepare(path, &sweep->plan, texts, STORE_RESUME | way, &sweep->store, err))
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
    if ((existing || open_store(sweep, err)) && workers_wait(sweep, err) && store_publish(sweep->store, err))
        return true;
    if (!existing) {
        store_close(sweep->store);
        sweep->store = NULL;
    }
    return false;
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

// Says, behind what a full or failing disk did not do, how to go on.
static bool disk_failed(const Sweep *sweep, Error *err)
{
    const RunRequest *request = sweep->request;
    if (request->retry)
        return output_advise(err, "the same command goes on");
    // What was to be replaced may be of another sweep, and still be there.
    if (request->mode == STORE_REPLACE && !sweep->store)
        return output_advise(err, "the same command begins again");
    return output_advise(err, "the same command with --resume goes on");
}

// Runs what is to be computed, and brings it to the disk also where the run ends early.
static bool run_blocks(Sweep *sweep, double begin, Error *err)
{
    RunSummary *summary = sweep->summary;
    Error       finishing;
    damage_say(sweep->summary->output, store_damaged(sweep->store), "computed anew", sweep_say, sweep);
    runlog_start(sweep);
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
    runlog_end(sweep, ok ? "end" : err->kind == ERROR_STOPPED ? "stopped" : "failed");
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
    reuse_close(sweep->reuse);
    pieces_free(&sweep->pieces);
    workers_close(sweep);
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
    if (!retry_prepare(output, sweep->request->retry, &sweep->plan, &points, &sweep->reuse, err))
        return false;
    sweep->summary->retry = points > 0 ? sweep->plan.attempt : 0;
    sweep->place = retry_name(output, &sweep->plan.arena, err);
    return sweep->place != NULL;
}

static bool make_ready(Sweep *sweep, Error *err)
{
    return read_plan(sweep, err) && choose_output(sweep, err) && check_output(sweep, err) &&
           compose_groups(sweep, err) && (!sweep->request->retry || prepare_retry(sweep, err));
}

static bool settle_retry(Sweep *sweep, Error *err)
{
    store_close(sweep->store);
    sweep->store = NULL;
    return retry_settle(sweep->place, sweep->summary->output, err);
}

// Steps that the solver's share of a group is measured by: few beside those that were computed.
static uint64_t share_steps(const Sweep *sweep)
{
    const uint64_t few = sweep->summary->steps / sweep->plan.group_count / 2000;
    return few < 4096 ? 4096 : few > 32768 ? 32768 : few;
}

// Says of a group where the solver makes much of a step's error. What cannot be measured, without a C compiler or
// of a method of the user's, is not said.
static void say_share(Sweep *sweep, const Group *group)
{
    SolverShare share;
    Error       unknown;
    Text        line = {0};
    if (!share_measure(&sweep->plan, group, share_steps(sweep), sweep->request->signals, &share, &unknown) ||
        !(share.share > SHARE_LARGE))
        return;
    text_add(&line, "%s: what Newton's tolerance leaves is %.2g of the method's own error of a step, in %c[%zu]",
             group->label, share.share, share.velocity ? 'v' : 'x', share.dof);
    for (size_t a = 0; a < group->axis_count; ++a)
        text_add(&line, "%s%s = %.6g", a ? ", " : " at ", group->axes[a].name, group_axis_value(group, a, share.point));
    text_add(&line, "; a smaller newton.tolerance shows more of the method");
    if (line.text)
        sweep_say(line.text, sweep);
    text_free(&line);
}

static void say_shares(Sweep *sweep)
{
    for (size_t g = 0; g < sweep->plan.group_count && sweep->ranks.index == 0; ++g)
        say_share(sweep, &sweep->plan.groups[g]);
}

static bool compute_missing(Sweep *sweep, double begin, Error *err)
{
    if (!complete(sweep) && !open_reuse(sweep, err))
        return false;
    return work_count(sweep, err) &&
           (complete(sweep) ||
            (open_devices(sweep, err) && tables_start(&sweep->tables, sweep->needed, sweep->worker_count, err) &&
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
        if (ok && summary->steps > 0)
            say_shares(sweep);
        ok = is_shared(sweep) ? shared_unite(sweep, ok, begin, err) : ok && (!sweep->place || settle_retry(sweep, err));
    }
    if (!ok && err->kind == ERROR_STOPPED && (sweep->ranks.index == 0 || !is_shared(sweep)))
        stopped(sweep, err);
    if (!ok)
        disk_failed(sweep, err);
    tables_stop(&sweep->tables);
    const bool ended = workers_stop(sweep);
    notice_stop(&sweep->notice);
    store_close(sweep->store);
    // A compiler that was abandoned still uses the rest, until the process ends.
    if (ended)
        free_sweep(sweep);
    return ok;
}
