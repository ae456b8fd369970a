// replay_reference -- the point on the reference: its trail, its decisions an ulp away, and single solves.
#include "analysis/replay/replay.h"

#include "reference/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The recorder of a trail.
typedef struct TrailRecorder {
    Replay  *replay;
    uint64_t updates;  // before the try
    bool     failed;
    Error   *err;
} TrailRecorder;

static void keep_state(const ReplayTrail *trail, const State *state, ReplayTry *try)
{
    const size_t n = trail->dofs;
    double      *to = try->state;
    memcpy(to, state->x, n * sizeof *to);
    memcpy(to + n, state->v, n * sizeof *to);
    for (size_t k = 2; k < trail->vectors; ++k)
        memcpy(to + k * n, state->own[k - 2], n * sizeof *to);
    memcpy(try->scale, state->scale, n * sizeof *to);
}

//   block  of the reference's derivatives
static void keep_tangents(const Replay *replay, const ReplayTrail *trail, const double *block, ReplayTry *try)
{
    for (size_t j = 0; j < replay->group.derivative_count; ++j)
        for (size_t k = 0; k < trail->moving; ++k)
            memcpy(try->tangents + (j * trail->moving + k) * trail->dofs,
                   tangents_vector(replay->run.tangents, block, j, k == 1), trail->dofs * sizeof *block);
}

static void record(const SteppingSight *sight, void *user)
{
    static const char *const ends[] = {[SOLVE_ACCEPTED] = "accepted",
                                       [SOLVE_FAILED] = "failed",
                                       [SOLVE_SINGULAR] = "singular",
                                       [SOLVE_NOT_FINITE] = "not_finite"};
    TrailRecorder           *recorder = user;
    ReplayTrail             *trail = &recorder->replay->reference;
    ReplayTry               *try = recorder->failed ? NULL : replay_add_try(recorder->replay, trail, recorder->err);
    recorder->failed = !try;
    if (!try)
        return;
    const ReplayTry *before = try > trail->tries ? try - 1 : NULL;
    try->step = (int64_t)sight->number;
    try->index = sight->index;
    try->level = sight->level;
    if (recorder->replay->group.method->adaptive && before && before->h > 0.0 && before->step == try->step)
        try->index = before->index + 1;
    try->accepted = sight->accepted || sight->passing;
    try->error = sight->error;
    try->updates = sight->updates - recorder->updates;
    recorder->updates = sight->updates;
    try->end = sight->step ? ends[sight->end] : sight->passing ? "passed" : "start";
    if (sight->accepted && !method_is_finite(sight->next, trail->dofs))
        try->end = ends[SOLVE_NOT_FINITE];
    if (try->accepted) {
        const Tangents *tangents = recorder->replay->run.tangents;
        keep_state(trail, sight->next, try);
        if (tangents)
            keep_tangents(recorder->replay, trail, sight->step ? tangents->next : tangents->now, try);
    }
    if (sight->passing) {  // as long as the kernel's launch that passes is said to be
        try->t = sight->time;
        try->h = sight->stepping->h;
    }
    if (!sight->step)
        return;
    try->t = sight->step->t;
    try->h = sight->step->h;
    if (sight->step->previous) {
        try->spacing = sight->step->spacing;
        memcpy(try->previous, sight->step->previous->x, trail->dofs * sizeof(double));
        memcpy(try->previous + trail->dofs, sight->step->previous->v, trail->dofs * sizeof(double));
    }
}

// A follower of a moved run beside the trail.
typedef struct Follower {
    const ReplayTrail *trail;
    size_t             at;
    uint64_t           updates;
    bool               differs;
    const ReplayTry   *first;  // where it decides otherwise
    State              last;
} Follower;

static void follow(const SteppingSight *sight, void *user)
{
    Follower          *follower = user;
    const ReplayTrail *trail = follower->trail;
    const ReplayTry   *try = follower->at < trail->count ? &trail->tries[follower->at] : NULL;
    const uint64_t     updates = sight->updates - follower->updates;
    follower->updates = sight->updates;
    ++follower->at;
    if (sight->accepted)
        follower->last = *sight->next;
    if (follower->differs)
        return;
    follower->differs = !try || try->step != (int64_t)sight->number || try->level != sight->level ||
                        try->accepted != sight->accepted || try->updates != updates;
    follower->first = follower->differs ? (try ? try : &trail->tries[trail->count - 1]) : NULL;
}

// How far apart two final states are, in ulps of the plan's precision.
static double ulps_between(const Replay *replay, const double *a, const double *b)
{
    const size_t n = replay->reference.dofs;
    const double size = fmax(eigen_inf_norm(n, a), eigen_inf_norm(n, b)), ulp = replay_ulp(replay, size);
    double       most = 0.0;
    for (size_t i = 0; i < n && size > 0.0; ++i)
        most = fmax(most, fabs(a[i] - b[i]) / ulp);
    return most;
}

// Moves the beginning, and notes the changes.
static bool run_shifted(Replay *replay, int nudge, Error *err)
{
    const ReplayTrail  *trail = &replay->reference;
    ReplayShift        *shift = &replay->shift;
    Follower            follower = {.trail = trail};
    const SteppingWatch watch = {.see = follow, .user = &follower};
    replay->run.nudge = nudge;
    replay->run.watch = &watch;
    decisions_again(replay->run.decisions);
    if (!point_run(&replay->run, 0, err))
        return false;
    if (!follower.differs && follower.at != trail->count) {
        follower.differs = true;
        follower.first = &trail->tries[trail->count - 1];
    }
    if (follower.differs && (shift->deciding == 0 || follower.first->step < shift->step)) {
        shift->step = follower.first->step;
        shift->step_time = follower.first->t;
    }
    shift->deciding += follower.differs;
    const double *end = trail->tries[trail->count - 1].state;
    shift->spread = fmax(shift->spread, fmax(ulps_between(replay, end, follower.last.x),
                                             ulps_between(replay, end + trail->dofs, follower.last.v)) /
                                            abs(nudge));
    return true;
}

static bool run_shifts(Replay *replay, Error *err)
{
    Results scratch = {0};
    bool    ok = results_make(&replay->group, 1, 1, &scratch, err);
    replay->run.results = &scratch;
    for (int n = 1; ok && n <= REPLAY_SHIFTS; ++n)
        ok = run_shifted(replay, -n, err) && run_shifted(replay, n, err);
    replay->shift.close = replay->run.decisions->close;
    results_free(&scratch);
    return ok;
}

static void sum_up(const Replay *replay, ReplayTrail *trail)
{
    const ReplayTry *last = &trail->tries[trail->count - 1];
    for (const ReplayTry *try = trail->tries; try <= last; ++try) {
        trail->updates += try->updates;
        trail->rejected += !try->accepted;
    }
    trail->status = (Status)results_value(&trail->results, 0, 0, 0);
    const Crossings *events = &replay->run.crossings;
    const bool       stopped = replay->group.events && events->stopped;
    trail->steps = stopped                      ? (uint64_t)last->step + (events->reached >= events->h)
                   : trail->status == STATUS_OK ? group_steps(&replay->group, 0)
                                                : (uint64_t)last->step;
}

bool replay_run_reference(Replay *replay, Error *err)
{
    const Group *group = &replay->group;
    ReplayTrail *trail = &replay->reference;
    Error        missing;
    if (!reference_check(group, &missing)) {
        text_add(&trail->missing, "%s", missing.message);
        return true;
    }
    Decisions           decisions = {0};
    TrailRecorder       recorder = {.replay = replay, .err = err};
    const SteppingWatch watch = {.see = record, .user = &recorder};
    bool                ok = results_make(group, 1, 1, &trail->results, err) &&
              point_make(&replay->origin.plan, &replay->batch, NULL, &trail->results, &replay->run, err);
    replay->run.decisions = &decisions;
    replay->run.watch = &watch;
    ok = ok && point_run(&replay->run, 0, err) && !recorder.failed;
    if (ok) {
        sum_up(replay, trail);
        ok = run_shifts(replay, err);
    }
    replay->run.decisions = NULL;
    replay->run.watch = NULL;
    replay->run.nudge = 0;
    decisions_free(&decisions);
    if (ok) {
        point_begin(&replay->run, 0, &replay->rules, &replay->stepping);
        trail->ran = true;
    }
    return ok;
}

static void take_state(const ReplayTrail *trail, const ReplayTry *try, State *state)
{
    const size_t  n = trail->dofs;
    const double *from = try->state;
    *state = (State){0};
    memcpy(state->x, from, n * sizeof *from);
    memcpy(state->v, from + n, n * sizeof *from);
    for (size_t k = 2; k < trail->vectors; ++k)
        memcpy(state->own[k - 2], from + k * n, n * sizeof *from);
    memcpy(state->scale, try->scale, n * sizeof *from);
}

ReplaySolve replay_solve(const Replay *replay, const ReplayTrail *trail, size_t at, const NewtonWatch *watch)
{
    const ReplayTry *try = &trail->tries[at];
    Step             step = replay->stepping.step;
    Tally            tally = {.condition_last = NAN, .condition_max = NAN, .watch = watch};
    State            now, next, previous = {0};
    ReplaySolve      solve = {.known = replay->reference.ran, .error = NAN};
    if (!solve.known)
        return solve;
    take_state(trail, &try[-1], &now);
    next = now;
    step.tangents = NULL;
    step.t = try->t;
    step.h = try->h;
    step.now = &now;
    if (try->spacing > 0.0) {
        memcpy(previous.x, try->previous, trail->dofs * sizeof(double));
        memcpy(previous.v, try->previous + trail->dofs, trail->dofs * sizeof(double));
        step.previous = &previous;
        step.spacing = try->spacing;
    }
    if (replay->stepping.step.method->adaptive) {
        stepping_trial(step, &tally, &next, &solve.error);
        solve.accepted = solve.error <= 1.0;
    } else {
        solve.accepted = stepping_step(step, &tally, &next) == SOLVE_ACCEPTED;
    }
    solve.updates = tally.updates;
    return solve;
}
