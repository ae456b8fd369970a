// run -- sweep file to result file: read, planned, found, built for, computed and committed.
#include "run/run.h"

#include "base/clock.h"
#include "plan/part.h"
#include "reference/share.h"
#include "run/output_name.h"
#include "run/passes.h"
#include "store/origin.h"
#include "store/output.h"

#include <stdlib.h>
#include <string.h>

typedef struct Sweep {
    Ranks   ranks;
    Catalog catalog;
    Spec    spec;
    Plan    plan;
    Monitor monitor;
    Work    work;     // where it comes from
    Workers workers;  // who computes it
} Sweep;

static bool read_spec(Sweep *sweep, const RunRequest *request, Error *err)
{
    Spec      *spec = &sweep->spec;
    const bool read = request->text ? spec_read_text(request->sweep, request->text, request->overrides,
                                                     request->override_count, spec, err)
                                    : spec_read(request->sweep, request->overrides, request->override_count, spec, err);
    spec->files = request->files;
    spec->file_count = request->file_count;
    return read;
}

// The result file that a run goes on with has the samples of tables whose files are gone.
static bool find_tables(Sweep *sweep, const RunRequest *request, Error *err)
{
    Text name SCOPED(text_free) = {0};
    if (request->mode != STORE_RESUME && request->mode != STORE_TRUST)
        return true;
    if (!output_name_foresee(request, &name, err))
        return false;
    if (name.length > 0)
        origin_lend_tables(name.text, &sweep->spec);
    return true;
}

static bool read_plan(Sweep *sweep, const RunRequest *request, Error *err)
{
    Plan       *plan = &sweep->plan;
    RunSummary *summary = sweep->monitor.summary;
    uint64_t    first, end;
    if (!catalog_read(&sweep->catalog, err) || !read_spec(sweep, request, err) || !find_tables(sweep, request, err) ||
        !plan_make(&sweep->spec, &sweep->catalog, plan, err))
        return false;
    if (request->device && strcmp(request->device, "reference") == 0)
        plan->computed_by = plan_reference;
    for (size_t i = 0; i < plan->warning_count; ++i)
        monitor_say(plan->warnings[i], &sweep->monitor);
    if (request->shard_count && !part_take(plan, request->shard, request->shard_count, err))
        return false;
    for (size_t g = 0; g < plan->group_count; ++g) {
        part_points(plan, &plan->groups[g], &first, &end);
        summary->points += end - first;
    }
    sweep->monitor.progress.points_total = summary->points;
    part_range(plan, &first, &end);
    summary->blocks = end - first;
    return output_name_choose(request, plan, summary, err);
}

static bool compose_groups(Sweep *sweep, Error *err)
{
    Plan        *plan = &sweep->plan;
    const char **sources = arena_take(&plan->arena, plan->group_count, sizeof *sources, err);
    Engine      *engines = arena_take(&plan->arena, plan->group_count, sizeof *engines, err);
    bool         ok = sources && engines;
    sweep->work.sources = sources;
    sweep->workers.engines = engines;
    for (size_t g = 0; ok && g < plan->group_count; ++g) {
        ok = engine_compose(&engines[g], plan, &plan->groups[g], err);
        sources[g] = engines[g].source.text;
    }
    return ok;
}

// Says of a group where the solver makes much of a step's error. Nothing is said where the share cannot be measured:
// without a C compiler, or of a method of the user's.
static void say_share(Sweep *sweep, const Group *group, uint64_t steps)
{
    SolverShare share;
    Error       unknown;
    Text        line SCOPED(text_free) = {0};
    if (!share_measure(&sweep->plan, group, steps, sweep->work.request->signals, &share, &unknown) ||
        !(share.share > SHARE_LARGE))
        return;
    text_add(&line, "%s: what Newton's tolerance leaves is %.2g of the method's own error of a step, in %c[%zu]",
             group->label, share.share, share.velocity ? 'v' : 'x', share.dof);
    for (size_t a = 0; a < group->axis_count; ++a)
        text_add(&line, "%s%s = %.6g", a ? ", " : " at ", group->axes[a].name, group_axis_value(group, a, share.point));
    text_add(&line, "; a smaller newton.tolerance shows more of the method");
    if (line.text)
        monitor_say(line.text, &sweep->monitor);
}

// It is measured by few steps beside the steps computed.
static void say_shares(Sweep *sweep)
{
    const uint64_t few = sweep->monitor.summary->steps / sweep->plan.group_count / 2000;
    for (size_t g = 0; g < sweep->plan.group_count && sweep->ranks.index == 0; ++g)
        say_share(sweep, &sweep->plan.groups[g], few < 4096 ? 4096 : few > 32768 ? 32768 : few);
}

// Says where the run was stopped, and how to go on, also after an error of a full or failing disk.
static void advise(const Work *work, Error *err)
{
    const RunSummary *summary = work->monitor->summary;
    if (err->kind == ERROR_STOPPED && work->ranks->index == 0 && !work->store)
        fail(err, ERROR_STOPPED, "stopped by a signal before '%s' was made; the same command starts again",
             summary->output);
    else if (err->kind == ERROR_STOPPED && work->ranks->index == 0)
        fail(err, ERROR_STOPPED,
             "stopped by a signal with %llu of %llu blocks done in '%s'; the same command with --resume goes on",
             (unsigned long long)(summary->blocks_reused + summary->blocks_computed),
             (unsigned long long)summary->blocks, summary->output);
    if (work->request->retry)
        output_advise(err, "the same command goes on");
    // The file that was to be replaced may be of another sweep, and still be there.
    else if (work->request->mode == STORE_REPLACE && !work->store)
        output_advise(err, "the same command begins again");
    else
        output_advise(err, "the same command with --resume goes on");
}

static void close_sweep(Sweep *sweep)
{
    const bool ended = workers_stop(&sweep->workers);
    store_close(sweep->work.store);
    // A compiler that was abandoned still uses the rest, until the process ends.
    if (!ended)
        return;
    work_close(&sweep->work);
    workers_close(&sweep->workers);
    plan_free(&sweep->plan);
    spec_free(&sweep->spec);
    catalog_free(&sweep->catalog);
    pthread_mutex_destroy(&sweep->monitor.mutex);
    free(sweep);
}

bool run_sweep(const RunRequest *request, RunSummary *summary, Error *err)
{
    Sweep *sweep = calloc(1, sizeof *sweep);
    *summary = (RunSummary){0};
    if (!sweep)
        return fail(err, ERROR_INTERNAL, "out of memory");
    Work    *work = &sweep->work;
    Workers *workers = &sweep->workers;
    *sweep = (Sweep){.ranks = request->ranks ? *request->ranks : (Ranks){.count = 1, .local_count = 1},
                     .monitor = {.request = request,
                                 .summary = summary,
                                 .begin = clock_seconds(),
                                 .mutex = PTHREAD_MUTEX_INITIALIZER},
                     .work = {.kind = request->ranks && request->ranks->count > 1 ? &shared_kind
                                      : request->retry                            ? &work_retry
                                                                                  : &work_alone,
                              .request = request,
                              .monitor = &sweep->monitor,
                              .ranks = &sweep->ranks,
                              .plan = &sweep->plan,
                              .path = summary->output,
                              .mode = request->mode,
                              .mutex = PTHREAD_MUTEX_INITIALIZER},
                     .workers = {.work = work, .notice = {.tell = monitor_wait, .user = &sweep->monitor}}};
    bool ok = read_plan(sweep, request, err) && compose_groups(sweep, err);
    ok = work_find(work, ok, err);
    if (ok && !work->complete)
        ok = workers_open(workers, err) && work_name(work, work_open(work, err) && workers_wait(workers, err), err) &&
             passes_run(workers, err);
    if (ok && summary->steps > 0)
        say_shares(sweep);
    ok = work_commit(work, ok, err);
    if (!ok)
        advise(work, err);
    close_sweep(sweep);
    return ok;
}
