// replay_kernel -- the point on a device: its results, its walk, its certificates.
#include "analysis/replay/replay.h"

#include "analysis/conform/judgement/piece.h"
#include "analysis/conform/walk/certify.h"
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FULL = 1 << MOST_DEPTH };

static void keep_state(const Replay *replay, const ReplayTrail *trail, const WalkState *state, ReplayTry *try)
{
    const size_t n = trail->dofs;
    double      *to = try->state;
    memcpy(to, state->x, n * sizeof *to);
    memcpy(to + n, state->v, n * sizeof *to);
    if (trail->vectors > 2)
        memcpy(to + 2 * n, state->own, n * sizeof *to);
    for (size_t j = 0; j < replay->group.derivative_count; ++j)
        memcpy(try->tangents + j * trail->moving * n, state->tangents + j * walk_vectors(&replay->group) * n,
               trail->moving * n * sizeof *to);
    if (group_keeps_scale(&replay->group))
        memcpy(try->scale, state->scale, n * sizeof *to);
}

// Where a substep begins and how long it is, from the kernel's place in time.
static void place_try(const Replay *replay, const WalkState *before, ReplayTry *try)
{
    const Group *group = &replay->group;
    const double h = point_input_number(&replay->origin.plan, group_step(group, 0)),
                 begin = point_input_number(&replay->origin.plan, group_begin(group, 0));
    const StepPiece piece = piece_of(group, replay->origin.plan.precision == PRECISION_SINGLE, h, before);
    try->step = before->step;
    try->level = before->level;
    if (group->method->adaptive) {
        const ReplayTry *last = try - 1;
        const double     left = h - before->reached;
        try->index = last->h > 0.0 && last->step == try->step ? last->index + 1 : 0;
        try->t = (double)before->step * h + begin + before->reached;
        try->h = piece.sought > 0.0 ? piece.sought : before->proposed >= left ? left : before->proposed;
        return;
    }
    try->index = before->index;
    try->t = ((double)before->step + (double)before->index / FULL) * h + begin;
    try->h = piece.sought > 0.0 ? piece.sought : ldexp(h, (int)-before->level);
}

// The earlier point of a two-step method, as point_place() of kernels/point.h has it.
static void place_previous(const Replay *replay, const WalkState *before, ReplayTry *try)
{
    const Group  *group = &replay->group;
    const int64_t own = FULL >> before->level, back = before->index ? before->index & -before->index : FULL;
    const bool    first = before->step == 0 && before->index == 0;
    if (!group->method->history || first || (own != back && group->substeps.start != START_VARIABLE))
        return;
    try->spacing = try->h * (double)back / (double)own;
    memcpy(try->previous, before->previous, 2 * group->dofs * sizeof(double));
}

static const char *end_of(const Group *group, const WalkState *before, const WalkState *after, bool accepted)
{
    if (group->events && accepted && (before->high < 0.0 || after->high != 0.0))
        return before->high < 0.0 ? "passed" : after->high > 0.0 ? "trial" : "event";
    switch (after->status) {
    case STATUS_NOT_FINITE: return "not_finite";
    case STATUS_SINGULAR: return "singular";
    default: return accepted ? "accepted" : "failed";
    }
}

static bool record_start(Replay *replay, const Walk *walk, Error *err)
{
    ReplayTrail *trail = &replay->kernel;
    ReplayTry   *try = replay_add_try(replay, trail, err);
    WalkState    begun;
    if (!try)
        return false;
    walk_state(walk, walk->after, 0, &begun);
    try->accepted = true;
    try->end = begun.status == STATUS_NOT_FINITE ? "not_finite" : "start";
    keep_state(replay, trail, &begun, try);
    return true;
}

static bool record(const Walk *walk, void *user, Error *err)
{
    Replay      *replay = user;
    ReplayTrail *trail = &replay->kernel;
    WalkState    before, after;
    if (!walk->before)
        return record_start(replay, walk, err);
    walk_state(walk, walk->before, 0, &before);
    walk_state(walk, walk->after, 0, &after);
    trail->steps = (uint64_t)after.step;
    // A budget ends a point before the next substep is tried.
    if (before.status != STATUS_NOT_RUN || after.status == STATUS_BUDGET_EXCEEDED)
        return true;
    ReplayTry *try = replay_add_try(replay, trail, err);
    if (!try)
        return false;
    place_try(replay, &before, try);
    place_previous(replay, &before, try);
    try->accepted = after.n.failed_solves == before.n.failed_solves;
    try->updates = (uint64_t)(after.n.updates - before.n.updates);
    try->end = end_of(&replay->group, &before, &after, try->accepted);
    try->error = NAN;
    keep_state(replay, trail, &after, try);
    trail->updates += try->updates;
    trail->rejected += !try->accepted;
    return true;
}

// The state of a walk that takes certificates to the tries they judge.
typedef struct Judging {
    ReplayTrail *trail;
    size_t       at;
    bool         adaptive;
} Judging;

static void judge(uint64_t point, const WalkState *before, const CertificateShare *share, void *user)
{
    Judging     *judging = user;
    ReplayTrail *trail = judging->trail;
    (void)point;
    // Both walks try the same; a try may go without a certificate.
    while (before && judging->at < trail->count &&
           (trail->tries[judging->at].h == 0.0 || trail->tries[judging->at].step != before->step ||
            (!judging->adaptive &&
             (trail->tries[judging->at].index != before->index || trail->tries[judging->at].level != before->level))))
        ++judging->at;
    if (judging->at == trail->count)
        return;
    trail->tries[judging->at].judged = true;
    trail->tries[judging->at++].share = *share;
}

// The certifier's equations are copied: it is closed before they are printed.
static bool sum_up_certificates(Replay *replay, Error *err)
{
    ReplayTrail *trail = &replay->kernel;
    for (ReplayTry *try = trail->tries; try < trail->tries + trail->count; ++try) {
        const char *equation = try->share.equation;
        if (!try->judged)
            continue;
        if (equation && !(try->share.equation = arena_copy(&replay->arena, equation, err)))
            return false;
        ++replay->judged;
        replay->certified += try->share.share < 1.0;
        if (!replay->worst || !(try->share.share <= replay->worst->share.share))
            replay->worst = try;
    }
    return true;
}

// Without a compiler, and of methods and problems that certificates do not know, the replay goes on without them.
static bool certify(Replay *replay, Device *device, const RunOptions *options, Error *err)
{
    Certifier *certifier = NULL;
    Certified  certified = {0};
    Error      why = {0};
    Judging    judging = {.trail = &replay->kernel, .adaptive = replay->group.method->adaptive};
    bool       ok = equations_given(replay->group.method)
                        ? certify_open(&replay->origin.plan, &replay->group, device, 1, &certifier, &why)
                        : fail(&why, ERROR_DEVICE, "method '%s' has no certificate", replay->group.method->name);
    if (ok) {
        certify_watch(certifier, judge, &judging);
        ok = certify_batch(certifier, &replay->batch, &replay->kernel.results, options, &certified, &why);
    }
    const bool kept = sum_up_certificates(replay, err);
    certify_close(certifier);
    if (!kept)
        return false;
    replay->measured = certified.measured;
    if (!ok && why.kind != ERROR_DEVICE && why.kind != ERROR_KERNEL) {
        *err = why;
        return false;
    }
    if (!ok)
        text_add(&replay->uncertified, "%s", why.message);
    return true;
}

static bool run_results(Replay *replay, Device *device, const RunOptions *options, Error *err)
{
    Engine     engine = {0};
    const bool ok = engine_compose(&engine, &replay->origin.plan, &replay->group, err) &&
                    engine_build(&engine, device, 0, err) &&
                    results_make(&replay->group, 1, 1, &replay->kernel.results, err) &&
                    engine_run(&engine, &replay->batch, options, &replay->kernel.results, err);
    engine_free(&engine);
    return ok;
}

static bool run_walk(Replay *replay, Device *device, const RunOptions *options, Error *err)
{
    Engine engine = {0};
    Group  walked = replay->group;
    Batch  batch = replay->batch;
    walked.walked = walked.hasty = true;
    batch.group = &walked;
    const bool ok = engine_compose(&engine, &replay->origin.plan, &walked, err) &&
                    engine_build(&engine, device, 0, err) &&
                    device_walk(engine.program, &batch, options, record, replay, err);
    engine_free(&engine);
    return ok;
}

bool replay_run_kernel(Replay *replay, Error *err)
{
    const RunOptions options = {0};
    ReplayTrail     *trail = &replay->kernel;
    Device          *device = NULL;
    if (!device_open(replay->request->device, replay->origin.plan.precision, &device, err))
        return false;
    snprintf(replay->device, sizeof replay->device, "%s", device_info(device)->name);
    const bool ok = run_results(replay, device, &options, err) && run_walk(replay, device, &options, err) &&
                    certify(replay, device, &options, err);
    device_close(device);
    if (ok)
        trail->status = (Status)results_value(&trail->results, 0, 0, 0);
    trail->ran = ok;
    return ok;
}
