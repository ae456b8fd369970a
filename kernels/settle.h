// settle.h -- substeps of an adaptive method: the size of the next one, and what becomes of one that was tried.

#include "path.h"
#include "scale.h"

// The size that an adaptive method tries next. A step ends exactly at its end, and the size proposed before that cut
// goes on into the next step.
static void choose_size(const Settings *set, Point *q, Attempt *tried)
{
#ifdef BREAK_NUMBERS
    tried->end = piece_end(q, set);
#else
    tried->end = set->h;
#endif
    const real left = tried->end - q->reached;
#ifdef EVENTS
    tried->searching = q->high > 0.0;
    tried->last = (q->proposed >= left) & !tried->searching;
    q->size = choose(tried->searching, event_size(q, set), choose(tried->last, left, q->proposed));
#else
    tried->last = q->proposed >= left;
    q->size = choose(tried->last, left, q->proposed);
#endif
}

// What becomes of a trial of an adaptive method that led to `next`. Where the error is at most 1, over what is
// permitted, the substep is taken, and where no smaller one is left. The next one is 0.9 error^(-1/ERROR_ORDER) times
// as long, but no less than a fifth and no more than five times, and not longer after one that was not taken (Hairer,
// Norsett and Wanner 1993, section II.4). A fifth follows where a solve failed. As attempt() else.
static bool settle(Path *path, Attempt tried, real error, State next, Point *q, const Params *p, const Settings *set,
                   mask *stepped)
{
    const mask active = path->active, last = tried.last;
    const real size = q->size;
#ifdef EVENTS
    const mask searching = tried.searching;
#endif
    const real least = larger(set->h * LEAST_OF_STEP(SINGLE), q->reached * LEAST_OF_REACHED(SINGLE));
    const mask fine = error <= 1.0, at_least = size <= least, forced = active & at_least & is_finite(error) & !fine;
#ifdef EVENTS
    // The substep that is searched was taken: its trials, and the piece up to the event, are smaller.
    const mask smaller_part = active & searching & is_finite(error);
    const mask fit = (active & fine) | smaller_part | forced, again = active & !fit;
    const real from = TIME_AFTER(to_real(q->step), set->h, p) + q->reached;
    real       when[EVENTS], before[EVENTS];
    mask       ends;
    event_values(from + size, next.x, next.v, p, when);
    const mask held = events_search(fit, size, when, q, &ends), taken = fit & !held;
    event_values(from, q->s.x, q->s.v, p, before);
    const mask unresolved = events_unresolved(ends, before, q);
    q->high = choose(again, ZERO, q->high);
#else
    const mask taken = (active & fine) | forced, again = active & !taken;
#endif
    const real factor =
        smaller(larger(0.9 * real_exp(real_log(larger(error, ZERO + 1e-10)) * (-1.0 / ERROR_ORDER)), ZERO + 0.2),
                choose(taken, ZERO + 5.0, ONE));
    const real suited = larger(size * choose(is_finite(error), factor, ZERO + 0.2), least);

#define COMMIT(name) \
    EACH_OF_STATE(i) \
        q->s.name[i] = choose(taken, next.name[i], q->s.name[i]);
    STATE(COMMIT)
    ARC(path->arced = taken;)
#ifdef DENSE
    DENSE_STATE(COMMIT)
#endif
#undef COMMIT
    const mask part = size < set->h;
#ifdef BREAK_NUMBERS
    q->reached = choose(taken & !last, q->reached + size, q->reached);
#ifdef EVENTS
    events_arrive(ends, q->reached, set, q);
    const mask over = taken & !last & !ends & (q->reached >= tried.end);
    const mask done = breaks_arrive((taken & last & !ends) | over, q, set);
#else
    const mask done = breaks_arrive(taken & last, q, set);
#endif
#else
    const mask done = taken & last;
    q->reached = choose(taken, choose(last, ZERO, q->reached + size), q->reached);
#endif
#ifdef EVENTS
    const real next_size = choose(fit & last, larger(suited, q->proposed), suited);
    q->proposed = choose(again | (active & !searching), smaller(next_size, set->h), q->proposed);
    q->status = choose_whole(unresolved, (whole)(STATUS_CHATTER), q->status);
#else
    const real next_size = choose(taken & last, larger(suited, q->proposed), suited);
    q->proposed = choose(active, smaller(next_size, set->h), q->proposed);
#endif
    q->n.failed_solves = count(q->n.failed_solves, again);
    q->n.substeps = count(q->n.substeps, taken & part);
    q->step = count(q->step, done);
#ifdef EVENTS
    q->forced = q->forced + choose(forced & taken & !searching, ONE, ZERO);
#else
    q->forced = q->forced + choose(forced, ONE, ZERO);
#endif
    const mask bottom = again & at_least;
    q->status = choose_whole(bottom, (whole)(STATUS_NOT_FINITE), q->status);
#if IMPLICIT
#ifdef BREAK_NUMBERS
    const mask ended = taken & last & (tried.end == set->h);
#else
    const mask ended = done;
#endif
    const mask unsolved = active & !tried.accepted;
    q->unsolved = q->unsolved + choose(unsolved, ONE, ZERO);
    q->status = choose_whole(bottom & unsolved & !tried.how.not_finite, (whole)(STATUS_DEPTH_EXCEEDED), q->status);
    q->status = choose_whole(bottom & unsolved & tried.how.singular, (whole)(STATUS_SINGULAR), q->status);
    q->n.updates = q->n.updates + tried.begun;
    q->n.other_solves = q->n.other_solves + tried.solves;
    q->n.jacobians = MODIFIED ? q->n.jacobians : count(q->n.jacobians, tried.how.singular);
    q->n.updates_this_step = q->n.updates_this_step + (q->n.updates - tried.before);
#ifdef EVENTS
    q->spared = q->spared + choose(searching, to_real(q->n.updates - tried.before), ZERO);
#endif
    count_step(ended, q->n.updates_this_step, &q->n);
    q->n.updates_this_step = choose_whole(ended, (whole)(0), q->n.updates_this_step);
#if RELATIVE
    keep_scale(taken, set, q);
#endif
#else
    q->n.other_solves = count(q->n.other_solves, active);
#ifdef EVENTS
    q->spared = q->spared + choose(active & searching, ONE, ZERO);
#endif
#endif
    *stepped = *stepped | done;
    path->lost = active & (q->status != RUNNING);
    path->active = active & !done & !path->lost;
    path->work += 1;
    return false;
}
