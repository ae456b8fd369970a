// substeps.h -- tries a substep in all lanes, and says what becomes of those where it failed.

#include "linear.h"
#include "point.h"

#if IMPLICIT
// One vector per level holds the start of the left half that was begun there: the earlier point of the right half, and
// after the step, at level 1, the start of the step itself. Only ever touched where a lane halves.
#if HISTORY
static global SCALAR *stack_row(global SCALAR *stack, size_t stride, int level)
{
    return stack + (size_t)(level - 1) * 2 * DOF * stride;
}

static void stack_keep(global SCALAR *stack, size_t stride, int level, mask m, const State *s)
{
    global SCALAR *row = stack_row(stack, stride, level);
    for (int i = 0; i < DOF; ++i, row += 2 * stride) {
        save(row, choose(m, s->x[i], load(row)));
        save(row + stride, choose(m, s->v[i], load(row + stride)));
    }
}

static void stack_recall(global SCALAR *stack, size_t stride, int level, mask m, State *s)
{
    const global SCALAR *row = stack_row(stack, stride, level);
    for (int i = 0; i < DOF; ++i, row += 2 * stride) {
        s->x_prev[i] = choose(m, load(row), s->x_prev[i]);
        s->v_prev[i] = choose(m, load(row + stride), s->v_prev[i]);
    }
}
#endif

// What happens off the straight path: lanes whose solve failed go one level deeper, lanes below level 0 whose solve was
// accepted go on to the next substep. Returns the lanes that completed a step.
static mask halve(mask failed, mask accepted, whole solves, const Solved *how, Point *q, global SCALAR *stack,
                  size_t stride)
{
    const mask deeper = (failed | accepted) & (q->level > q->n.depth_max);
    q->n.failed_solves = count(q->n.failed_solves, failed);
    q->n.depth_max = choose_whole(deeper, q->level, q->n.depth_max);
    const mask bottom = failed & (q->level >= MAX_DEPTH), down = failed & !bottom;
    q->status = choose_whole(bottom, (whole)(MAX_DEPTH == 0 ? STATUS_NEWTON_FAILED : STATUS_DEPTH_EXCEEDED), q->status);
    q->status = choose_whole(bottom & how->not_finite, (whole)(STATUS_NOT_FINITE), q->status);
    q->status = choose_whole(bottom & how->singular, (whole)(STATUS_SINGULAR), q->status);

    const mask below = accepted & (q->level > 0);
    q->n.substeps = count(q->n.substeps, below);
    q->index = choose_whole(below, q->index + (((whole)(FULL_STEP)) >> q->level), q->index);
    q->level = count(q->level, down);
    for (int level = MAX_DEPTH; level >= 1; --level) {
#if HISTORY
        if (any_lane(down & (q->level == level)))
            stack_keep(stack, stride, level, down & (q->level == level), &q->s);
#endif
        const mask carried = below & (q->level == level) & ((q->index & (FULL_STEP >> level)) == 0);
#if HISTORY
        const mask stays = below & (q->level == level) & !carried, whole_step = carried & (q->level == 1);
        if (any_lane(stays | whole_step))
            stack_recall(stack, stride, level, stays | whole_step, &q->s);
#endif
        q->level = choose_whole(carried, q->level - 1, q->level);
    }
    const mask whole_again = below & (q->level == 0);
    q->n.halved_steps = count(q->n.halved_steps, whole_again);
    q->n.other_solves = choose_whole(failed | below, q->n.other_solves + solves, q->n.other_solves);
    q->index = choose_whole(whole_again, (whole)(0), q->index);
    return (accepted & !below) | whole_again;
}

static void count_step(mask stepped, whole updates, Counters *n)
{
    n->updates_per_step_max =
        choose_whole(stepped & (updates > n->updates_per_step_max), updates, n->updates_per_step_max);
}
#endif

#if ADAPTIVE
// Tries one substep of an adaptive method in the lanes `active`, which receives those that have to go on within their
// step. The method's trial() gives the error of the substep over what is permitted; where that is at most 1 the substep
// is taken. The next one is 0.9 error^(-1/ORDER) times as long, but no less than a fifth and no more than five times,
// and not longer after one that was not taken (Hairer, Norsett and Wanner 1993, section II.4). A step ends exactly at
// its end, and the size proposed before that cut goes on into the next step.
static mask attempt(mask *active, Point *q, const Params *p, const MethodParams *m, const Settings *set,
                    global SCALAR *stack, size_t stride, uint *work)
{
    const real left = set->h - q->reached;
    const mask last = q->proposed >= left;
    const real size = choose(last, left, q->proposed);
    State      next = q->s;
    ENTER(next)
    const real error = trial(to_real(q->step) * set->h + q->reached, size, p, m, &next);
    LEAVE(next)
    const mask taken = *active & (error <= 1.0), again = *active & !taken;
    const real factor =
        real_min(real_max(0.9 * real_exp(real_log(real_max(error, ZERO + 1e-10)) * (-1.0 / ORDER)), ZERO + 0.2),
                 choose(taken, ZERO + 5.0, ONE));
    const real suited = size * choose(is_finite(error), factor, ZERO + 0.2);

#define COMMIT(name) \
    EACH_DOF(i)      \
        q->s.name[i] = choose(taken, next.name[i], q->s.name[i]);
    STATE(COMMIT)
#undef COMMIT
    const mask stepped = taken & last, part = size < set->h;
    q->reached = choose(taken, choose(last, ZERO, q->reached + size), q->reached);
    const real next_size = choose(taken & last, real_max(suited, q->proposed), suited);
    q->proposed = choose(*active, real_min(next_size, set->h), q->proposed);
    q->n.other_solves = count(q->n.other_solves, *active);
    q->n.failed_solves = count(q->n.failed_solves, again);
    q->n.substeps = count(q->n.substeps, taken & part);
    q->step = count(q->step, stepped);
    const mask bottom = again & (suited < set->h * (1.0 / FULL_STEP));
    q->status = choose_whole(
        bottom, choose_whole(is_finite(error), (whole)(STATUS_DEPTH_EXCEEDED), (whole)(STATUS_NOT_FINITE)), q->status);
    *active = *active & !stepped & (q->status == RUNNING);
    *work += 1;
    return stepped;
}
#else
// Tries one substep in the lanes `active`, which receives those that have to go on within their step. Returns the lanes
// that completed it. The straight path - every solve accepted, nothing halved - ends early.
static mask attempt(mask *active, Point *q, const Params *p, const MethodParams *m, const Settings *set,
                    global SCALAR *stack, size_t stride, uint *work)
{
    State next = q->s;
    mask  accepted = *active;
    ENTER(next)
#if IMPLICIT
    const real  t = point_time(q, set);
    const whole before = q->n.updates;
    whole       solves = (whole)(0);
    Solved      how;
    how.singular = how.not_finite = NO;
    for (int number = 0; number < STAGES && (number == 0 || any_lane(accepted)); ++number) {
        Stage k;
        real  u[DOF];
        k.number = number;
        prepare(t, q->size, q->ratio, &next, p, m, &k);
#if FIRST_ORDER
        k.cx = ZERO;
#endif
        guess(q->size, &next, &k, u);
        const Solve  of = {q->size, &next, &k, p, m, set, &q->n, &q->condition};
        const Solved stage = newton(&of, accepted, u);
        solves = count(solves, accepted);
        accepted = stage.accepted;
        how.singular = how.singular | stage.singular;
        how.not_finite = how.not_finite | stage.not_finite;
        how.rounds = stage.rounds;
        finish(t, q->size, u, &k, p, m, &next);
        *work += (uint)stage.rounds;
    }
    LEAVE(next)
#if HISTORY
    EACH_DOF(i) {
        next.x_prev[i] = q->s.x[i];
        next.v_prev[i] = q->s.v[i];
    }
#endif
#else
    step(point_time(q, set), q->size, p, m, &next);
    LEAVE(next)
#endif
    // The sum of all that moved is finite where each of them is, but for numbers near overflow, which are lost anyway.
    real sum = ZERO;
#define ADD(name) \
    EACH_DOF(i)   \
        sum = sum + next.name[i];
#define COMMIT(name) \
    EACH_DOF(i)      \
        q->s.name[i] = choose(accepted, next.name[i], q->s.name[i]);
    OWN_STATE(ADD)
    STATE(COMMIT)
    const mask good = is_finite(sum);
    *work += 1;

    if (UNLIKELY(any_lane(*active & (!accepted | !good | (q->level > 0))))) {
        const mask lost = accepted & !good;
        mask       stepped = accepted & good;
        q->status = choose_whole(lost, (whole)(STATUS_NOT_FINITE), q->status);
#if IMPLICIT
        q->n.other_solves = choose_whole(lost, q->n.other_solves + solves, q->n.other_solves);
        q->n.substeps = count(q->n.substeps, lost & (q->level > 0));
        q->n.depth_max = choose_whole(lost & (q->level > q->n.depth_max), q->level, q->n.depth_max);
        stepped = halve(*active & !accepted, stepped, solves, &how, q, stack, stride);
        q->n.updates_this_step = q->n.updates_this_step + (q->n.updates - before);
        count_step(stepped, q->n.updates_this_step, &q->n);
        q->n.updates_this_step = choose_whole(stepped, (whole)(0), q->n.updates_this_step);
#endif
        q->step = count(q->step, stepped);
        point_place(q, set);
        *active = *active & !stepped & (q->status == RUNNING);
        return stepped;
    }
#if RECORD_STEP_UPDATES
    if (STAGES > 1 || how.rounds > 1)
        count_step(accepted, q->n.updates - before, &q->n);
#endif
    q->step = count(q->step, accepted);
    q->ratio = ONE;
    *active = NO;
    return accepted;
}
#endif
