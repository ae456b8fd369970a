// substeps.h -- tries a substep in all lanes, and says what becomes of those where it failed.

#include "halving.h"
#include "linear.h"
#include "path.h"
#include "point.h"
#include "scale.h"
#if ADAPTIVE
#include "settle.h"
#endif

#ifdef EVENTS
#define AT_BREAK(q, set) (piece_over(q, set) | ((q)->high < 0.0))
#else
#define AT_BREAK(q, set) piece_over(q, set)
#endif

#ifdef BREAK_NUMBERS
// Takes those of the path's lanes past their break or event that have come to one; the others wait. Events pass before
// breaks. As attempt() else.
static bool pass_break(Path *path, Point *q, const Params *p, const MethodParams *m, const Settings *set,
                       const Rare *rare, mask *stepped)
{
#ifdef EVENTS
    const mask at_event = path->active & (q->high < 0.0);
    const bool events = any_lane(at_event);
    const mask at_break = events ? at_event : path->active & piece_over(q, set);
    rare_take(q, rare);
#if IMPLICIT
    const mask ending = at_event & (PIECE_BEGUN(q) >= set->h);
#endif
    const mask done = events ? events_pass(at_event, p, m, set, q) : events_pass_break(at_break, p, m, set, q);
#if EXTRAPOLATED
    guess_forget(at_event, &q->s);
#endif
#if IMPLICIT
    q->n.halved_steps = ADAPTIVE ? q->n.halved_steps : count(q->n.halved_steps, ending);
    count_step(ending, q->n.updates_this_step, &q->n);
    q->n.updates_this_step = choose_whole(ending, (whole)(0), q->n.updates_this_step);
#endif
#else
    const mask at_break = path->active & piece_over(q, set);
    rare_take(q, rare);
    const mask done = breaks_pass(at_break, p, m, set, q);
#endif
    mask good = YES;
#define CHECK_PASSED(name) \
    EACH_DOF(i)            \
        good = good & is_finite(q->s.name[i]);
    OWN_STATE(CHECK_PASSED)
#undef CHECK_PASSED
    q->status = choose_whole(at_break & !good, (whole)(STATUS_NOT_FINITE), q->status);
#if RELATIVE
    EACH_DOF(i)
        q->v_scale[i] = choose(at_break, larger(velocity_size(&q->s, set, i), q->v_scale[i]), q->v_scale[i]);
#endif
    rare_keep(q, rare);
    *stepped = *stepped | (done & good);
    path->lost = path->active & (q->status != RUNNING);
    path->active = path->active & !done & !path->lost;
    path->work += 1;
    return false;
}
#endif

#if LEAVES
// Leaves the solves that neither failed nor were accepted. Returns their lanes.
static mask leave_solves(const Path *path, const Attempt *tried, const Point *q, const Settings *set, Left *left)
{
    const whole made = tried->begun + (q->n.updates - tried->before), rest = left->rest;
    const mask  failed = tried->how.singular | tried->how.not_finite | (made != left->limit) | (made == rest);
#ifdef EVENTS
    const mask leaves = path->active & !tried->accepted & !tried->held & !failed;
#else
    const mask leaves = path->active & !tried->accepted & !failed;
#endif
    left->any = any_lane(leaves);
    left->lanes = leaves;
    left->rest = choose_whole(leaves, rest - made, load_whole(set->max_updates));
    left_limit(left);
    return leaves;
}
#endif

#if !ADAPTIVE
// What becomes of an attempt that left the straight path. Returns the lanes that completed a step.
static mask leave_path(Path *path, const Attempt *tried, Point *q, const Settings *set, const Rare *rare)
{
#if LEAVES
    const mask left = leave_solves(path, tried, q, set, rare->left);
#elif IMPLICIT || defined(EVENTS)
    const mask left = NO;
#endif
    const mask lost = tried->accepted & !tried->good;
    mask       stepped = tried->accepted & tried->good;
#ifdef EVENTS
    const mask failed = path->active & !tried->accepted & !tried->held & !left, part = tried->held | tried->ends;
    const mask cut = tried->ends & (q->size < set->h);
    stepped = stepped & !tried->ends;
#elif IMPLICIT
    const mask failed = path->active & !tried->accepted & !left;
#endif
    rare_take(q, rare);
#if IMPLICIT
    const whole made = tried->begun + (q->n.updates - tried->before);
    q->n.updates = q->n.updates + tried->begun;
    q->n.other_solves = choose_whole(lost, q->n.other_solves + tried->solves, q->n.other_solves);
    q->n.substeps = count(q->n.substeps, lost & (q->level > 0));
    q->n.depth_max = choose_whole(lost & (q->level > q->n.depth_max), q->level, q->n.depth_max);
    q->n.jacobians = MODIFIED ? q->n.jacobians : count(q->n.jacobians, tried->how.singular);
#if EXTRAPOLATED
    const whole level = q->level;
#endif
    stepped = halve(failed, stepped, tried->solves, &tried->how, q, rare);
#if EXTRAPOLATED
    guess_forget(q->level != level, &q->s);
#endif
    q->n.updates_this_step = q->n.updates_this_step + made;
#ifdef EVENTS
    q->n.other_solves = choose_whole(part, q->n.other_solves + tried->solves, q->n.other_solves);
    q->n.depth_max = choose_whole(part & (q->level > q->n.depth_max), q->level, q->n.depth_max);
    q->spared = q->spared + choose(tried->searching, to_real(made), ZERO);
#endif
#ifdef BREAK_NUMBERS
    const mask worked = stepped & q->last;
#else
    const mask worked = stepped;
#endif
    count_step(worked, q->n.updates_this_step, &q->n);
    q->n.updates_this_step = choose_whole(worked, (whole)(0), q->n.updates_this_step);
#elif defined(BREAK_NUMBERS)
    q->n.substeps = count(q->n.substeps, stepped & q->cut);
    q->n.other_solves = count(q->n.other_solves, stepped & !q->last);
#endif
    path_count(path, q);
#ifdef BREAK_NUMBERS
#if EXTRAPOLATED
    guess_forget(stepped & q->cut, &q->s);
#endif
    stepped = breaks_arrive(stepped, q, set);
#endif
#ifdef EVENTS
    const real length = piece_end(q, set) - PIECE_BEGUN(q);
    q->n.substeps = count(q->n.substeps, cut);
    events_arrive(tried->ends, PIECE_BEGUN(q) + (to_real(q->index) * (1.0 / FULL_STEP) * length + q->size), set, q);
#if !IMPLICIT
    q->n.other_solves = count(q->n.other_solves, tried->held | (tried->ends & (PIECE_BEGUN(q) < set->h)));
#endif
    q->high = choose(failed, ZERO, q->high);
    q->status = choose_whole(tried->unresolved, (whole)(STATUS_CHATTER), q->status);
#endif
    q->status = choose_whole(lost, (whole)(STATUS_NOT_FINITE), q->status);
    q->step = count(q->step, stepped);
    rare_keep(q, rare);
    path->lost = path->active & (q->status != RUNNING);
    path->active = path->active & !stepped & !path->lost;
    return stepped;
}
#endif

// Tries one substep in the path's lanes. True: all of them took a whole step, and the path goes on. Else `stepped`
// gains those that completed their step, and the path keeps those that have to go on within theirs.
static bool attempt(Path *path, Point *q, const Params *p, const MethodParams *m, const Settings *set, const Rare *rare,
                    mask *stepped)
{
#ifdef BREAK_NUMBERS
    if (UNLIKELY((ADAPTIVE || !path->whole_steps) && any_lane(path->active & AT_BREAK(q, set))))
        return pass_break(path, q, p, m, set, rare, stepped);
#endif
    State   next = q->s;
    Attempt tried;
    tried.accepted = path->active;
#if ADAPTIVE
    choose_size(set, q, &tried);
#endif
#if IMPLICIT || !ADAPTIVE
    bool straight = path->whole_steps;
#endif
    const real t = path_time(path, q, p, set, rare);
    ARC(path->from = t;)
    ENTER(next)
#if IMPLICIT
    // The solves of the substep. They are not a function of their own, which costs registers.
    tried.before = q->n.updates;
    tried.begun = tried.solves = (whole)(0);
    tried.how.singular = tried.how.not_finite = NO;
#if LINEAR_STAGES
    Matrix matrix;
#endif
    for (int number = 0; number < STAGES && (number == 0 || any_lane(tried.accepted)); ++number) {
        Stage k;
        real  u[STATE_DOF];
        k.number = number;
        prepare(t, q->size, q->ratio, &next, p, m, &k);
#if LINEAR_STAGES
        const Solved stage = solve_stage(t, q->size, tried.accepted, &next, &k, p, &matrix, q, u);
#else
#if FIRST_ORDER
        k.cx = ZERO;
#endif
        guess(q->size, &next, &k, u);
        const Solve  of = {q->size, &next, &k, p, m, set, &q->n, &q->condition, VELOCITY_SCALE(q), rare};
        const Solved stage = newton(&of, tried.accepted, u);
#endif
#ifdef TANGENTS
        tangent_solve(&k, p, VELOCITY_SCALE(q), u);
#endif
        tried.solves = count(tried.solves, tried.accepted);
        tried.begun = count(tried.begun, stage.begun);
        tried.accepted = stage.accepted;
        straight = straight && (stage.all & !ANY_LEFT(rare));
        tried.how.singular = tried.how.singular | stage.singular;
        tried.how.not_finite = tried.how.not_finite | stage.not_finite;
        tried.how.rounds = stage.rounds;
        finish(t, q->size, u, &k, p, m, &next);
        path->work += (uint)stage.rounds;
    }
#endif
#if ADAPTIVE
#if IMPLICIT
    const real error = choose(tried.accepted, trial(t, q->size, p, m, &next), NOT_A_NUMBER);
#else
    const real error = trial(t, q->size, p, m, &next);
#endif
    LEAVE(next)
    return settle(path, tried, error, next, q, p, set, stepped);
#else
#if !IMPLICIT
    step(t, q->size, p, m, &next);
#endif
    LEAVE(next)
#if IMPLICIT && HISTORY
    EACH_OF_STATE(i) {
        next.x_prev[i] = q->s.x[i];
        next.v_prev[i] = q->s.v[i];
    }
#endif
    // The sum of all that moved is finite where each of them is, but for numbers near overflow, which are lost anyway.
    real sum = -ZERO;  // which adds nothing, not even to -0
#define ADD(name) \
    EACH_DOF(i)   \
        sum = sum + next.name[i];
    OWN_STATE(ADD)
#undef ADD
    path->work += 1;
#ifdef EVENTS
    tried.good = is_finite(sum);
    real when[EVENTS];
    event_values(t + q->size, next.x, next.v, p, when);
    tried.searching = path->active & (q->high > 0.0);
    tried.held = events_search(tried.accepted & tried.good, q->size, when, q, &tried.ends);
    tried.unresolved = NO;
    straight = straight && !any_lane(tried.held);
    if (UNLIKELY(any_lane(tried.ends))) {
        event_values(t, q->s.x, q->s.v, p, when);
        tried.unresolved = events_unresolved(tried.ends, when, q);
    }
    tried.accepted = tried.accepted & !tried.held;
#endif
    // Mostly all are good, and nobody has to ask who is at work.
    straight = straight && (all_finite(sum) || !any_lane(path->active & !is_finite(sum)));

#define TAKE(name)   \
    EACH_OF_STATE(i) \
        q->s.name[i] = next.name[i];
#define TAKE_ACCEPTED(name) \
    EACH_OF_STATE(i)        \
        q->s.name[i] = choose(tried.accepted, next.name[i], q->s.name[i]);
    if (straight && path->all) {
        STATE(TAKE)
#if RELATIVE
        keep_scale(YES, set, q);
#endif
    } else {
        STATE(TAKE_ACCEPTED)
#if RELATIVE
        keep_scale(tried.accepted, set, q);
#endif
    }
#undef TAKE
#undef TAKE_ACCEPTED
    if (UNLIKELY(!straight)) {
        tried.good = is_finite(sum);
        *stepped = *stepped | leave_path(path, &tried, q, set, rare);
        return false;
    }
#if RECORD_STEP_UPDATES
    if (STAGES > 1 || tried.how.rounds > 1)
        count_step(tried.accepted, q->n.updates - tried.before + STAGES, &q->n);
#endif
    path->taken += 1;
    path->steps_left -= 1;
    return true;
#endif
}
