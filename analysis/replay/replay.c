// replay -- the file opened, its point found, both sides run, their trails laid side by side.
#include "analysis/replay/replay.h"

#include "engine/engine.h"
#include "store/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fail_of_groups(const Replay *replay, const char *wanted, Error *err)
{
    Text labels = {0};
    for (size_t g = 0; g < replay->origin.plan.group_count; ++g)
        text_add(&labels, "%s%s", g ? ", " : "", replay->origin.plan.groups[g].label);
    if (wanted)
        fail(err, ERROR_USAGE, "%s: no group '%.100s'; it has %s", replay->file.path, wanted,
             labels.text ? labels.text : "none");
    else
        fail(err, ERROR_USAGE, "%s has %zu groups: --group chooses one of %s", replay->file.path,
             replay->origin.plan.group_count, labels.text ? labels.text : "none");
    text_free(&labels);
    return false;
}

static bool choose_group(Replay *replay, Error *err)
{
    const Plan *plan = &replay->origin.plan;
    const char *wanted = replay->request->group;
    if (!wanted && plan->group_count != 1)
        return fail_of_groups(replay, NULL, err);
    for (size_t g = 0; g < plan->group_count && !replay->whole; ++g)
        if (!wanted || strcmp(plan->groups[g].label, wanted) == 0)
            replay->whole = &plan->groups[g];
    return replay->whole || fail_of_groups(replay, wanted, err);
}

static const NamedValue *wanted_of(const Replay *replay, const char *axis)
{
    return coordinates_find(&replay->request->at, axis);
}

// Every --at names an axis, and of every dimension that has a choice one is named.
static bool check_wanted(const Replay *replay, Error *err)
{
    const Group *group = replay->whole;
    for (size_t i = 0; i < replay->request->at.count; ++i)
        if (!group_axis(group, replay->request->at.items[i].name))
            return fail(err, ERROR_USAGE, "--at: group '%s' has no axis '%.100s'", group->label,
                        replay->request->at.items[i].name);
    for (size_t d = 0; d < group->dim_count; ++d) {
        bool wanted = group->dims[d].count == 1;
        for (size_t a = 0; a < group->axis_count; ++a)
            wanted = wanted || (group->axes[a].dim == d && wanted_of(replay, group->axes[a].name));
        if (!wanted)
            return fail(err, ERROR_USAGE, "--at: which %s? Group '%s' has %zu values of it", group->dims[d].name,
                        group->label, group->dims[d].count);
    }
    return true;
}

// The distance of an index along a dimension from the wanted values, in units of them, the largest over the axes there.
static double distance(const Replay *replay, size_t dim, size_t index)
{
    const Group *group = replay->whole;
    double       most = 0.0;
    for (size_t a = 0; a < group->axis_count; ++a) {
        const NamedValue *at = wanted_of(replay, group->axes[a].name);
        if (at && group->axes[a].dim == dim)
            most = fmax(most,
                        fabs(group_axis_at(group, &group->axes[a], index) - at->value) / fmax(fabs(at->value), 1e-300));
    }
    return most;
}

static void find_nearest(Replay *replay)
{
    const Group *group = replay->whole;
    for (size_t d = 0; d < group->dim_count; ++d) {
        size_t best = 0;
        for (size_t k = 1; k < group->dims[d].count; ++k)
            if (distance(replay, d, k) < distance(replay, d, best))
                best = k;
        replay->point = replay->point * group->dims[d].count + best;
    }
}

static bool choose_point(Replay *replay, Error *err)
{
    const Group *group = replay->whole;
    if (replay->request->point == REPLAY_AT) {
        if (!check_wanted(replay, err))
            return false;
        find_nearest(replay);
        return true;
    }
    replay->point = replay->request->point;
    return replay->point < group->point_count ||
           fail(err, ERROR_USAGE, "%s: group '%s' has no point %" PRIu64 ": they are numbered 0 to %" PRIu64,
                replay->file.path, group->label, replay->point, group->point_count - 1);
}

// Makes the solution that the point's metrics compare with.
static bool solve(Replay *replay, Error *err)
{
    Engine     engine = {.plan = &replay->origin.plan, .group = &replay->group};
    const bool ok = engine_solve(&engine, NULL, err);
    replay->solution = engine.solution;
    replay->batch.solution = &replay->solution;
    return ok;
}

static bool read_origin(Replay *replay, Error *err)
{
    const char *sweep = replay->request->sweep;
    char       *history = NULL;
    if (!store_read_text(&replay->file, NULL, "history", &history, err))
        return false;
    free(history);
    if (history)
        return fail(err, ERROR_INPUT,
                    "%s: has points that were tried again (`history`), and its settings are those of some points only",
                    replay->file.path);
    return (!sweep || spec_read(sweep, NULL, 0, &replay->trusted, err)) &&
           origin_read(&replay->file, sweep ? &replay->trusted : NULL, &replay->origin, err);
}

// The first line in which two texts differ; 0: they are the same.
static size_t find_difference(const char *a, const char *b)
{
    size_t line = 1;
    while (*a && *a == *b) {
        line += *a == '\n';
        ++a;
        ++b;
    }
    return *a == *b ? 0 : line;
}

// The kernel that runs is the one that the file has, unless the user trusts a sweep file.
static bool check_source(Replay *replay, Error *err)
{
    const StoreGroup *section = store_read_group(&replay->file, replay->whole->label);
    Engine            engine = {0};
    char             *stored = NULL;
    bool ok = replay->request->sweep || !section || store_read_source(&replay->file, section, &stored, err);
    if (ok && stored) {
        ok = engine_compose(&engine, &replay->origin.plan, replay->whole, err);
        const size_t line = ok ? find_difference(stored, engine.source.text) : 0;
        if (line > 0)
            ok =
                fail(err, ERROR_INPUT,
                     "%s: group '%s': the kernel that would run differs from the file's in line %zu of `source`: it is "
                     "of another version; --sweep SWEEP.yaml runs that of a sweep file that you trust",
                     replay->file.path, replay->whole->label, line);
    }
    engine_free(&engine);
    free(stored);
    return ok;
}

bool replay_run(const ReplayRequest *request, Replay *replay, Error *err)
{
    const bool kernel = !request->device || strcmp(request->device, "reference") != 0;
    replay->request = request;
    bool ok = store_read_open(request->file, &replay->file, err) && read_origin(replay, err) &&
              choose_group(replay, err) && check_source(replay, err) && choose_point(replay, err) &&
              group_pick(replay->whole, &replay->point, 1, &replay->arena, &replay->group, err);
    if (!ok)
        return false;
    replay->batch = batch_make(&replay->group, 0, 1);
    ok = verify_point(&replay->file, store_read_group(&replay->file, replay->whole->label), replay->point, err) &&
         replay_read_stored(replay, err) && solve(replay, err) && replay_run_reference(replay, err);
    if (ok && kernel)
        ok = replay_run_kernel(replay, err);
    else if (ok && !replay->reference.ran)
        ok = fail(err, ERROR_DEVICE, "%s", replay->reference.missing.text);
    else if (ok)
        text_add(&replay->kernel.missing, "the reference alone was asked for");
    return ok && replay_compare(replay, err);
}

static void free_trail(ReplayTrail *trail)
{
    free(trail->tries);
    results_free(&trail->results);
    text_free(&trail->missing);
}

void replay_free(Replay *replay)
{
    free(replay->rows);
    free_trail(&replay->kernel);
    free_trail(&replay->reference);
    text_free(&replay->uncertified);
    point_free(&replay->run);
    results_free(&replay->stored);
    solution_free(&replay->solution);
    origin_free(&replay->origin);
    spec_free(&replay->trusted);
    store_read_close(&replay->file);
    arena_free(&replay->arena);
    *replay = (Replay){0};
}
