// halving.h -- halves the steps of the lanes whose solves fail, and joins the halves again.

#include "point.h"

#if IMPLICIT
// One vector per level holds the start of the left half that was begun there: the earlier point of the right half, and
// after the step, at level 1, the start of the step itself. Only ever touched where a lane halves.
#if HISTORY
static global SCALAR *stack_row(const Rare *rare, int level)
{
    global SCALAR *stack = rare->rows + (size_t)(STATE_ROWS - VECTOR_ROWS) * rare->stride;
    return stack + (size_t)(level - 1) * 2 * STATE_DOF * rare->stride;
}

static void stack_keep(const Rare *rare, int level, mask m, const State *s)
{
    const size_t   stride = rare->stride;
    global SCALAR *row = stack_row(rare, level);
    EACH_OF_STATE(i) {
        save(row, choose(m, s->x[i], load(row)));
        save(row + stride, choose(m, s->v[i], load(row + stride)));
        row += 2 * stride;
    }
}

static void stack_recall(const Rare *rare, int level, mask m, State *s)
{
    const size_t         stride = rare->stride;
    const global SCALAR *row = stack_row(rare, level);
    EACH_OF_STATE(i) {
        s->x_prev[i] = choose(m, load(row), s->x_prev[i]);
        s->v_prev[i] = choose(m, load(row + stride), s->v_prev[i]);
        row += 2 * stride;
    }
}
#endif

#if !ADAPTIVE
// What happens off the straight path: lanes whose solve failed go one level deeper, lanes below level 0 whose solve was
// accepted go on to the next substep. Returns the lanes that completed a step.
static mask halve(mask failed, mask accepted, whole solves, const Solved *how, Point *q, const Rare *rare)
{
    const mask deeper = (failed | accepted) & (q->level > q->n.depth_max);
    q->n.failed_solves = count(q->n.failed_solves, failed);
    q->n.depth_max = choose_whole(deeper, q->level, q->n.depth_max);
    const mask bottom = failed & (q->level >= MAX_DEPTH), down = failed & !bottom;
    q->status = choose_whole(bottom, (whole)(MAX_DEPTH == 0 ? STATUS_NEWTON_FAILED : STATUS_DEPTH_EXCEEDED), q->status);
    q->status = choose_whole(bottom & how->not_finite, (whole)(STATUS_NOT_FINITE), q->status);
    q->status = choose_whole(bottom & how->singular, (whole)(STATUS_SINGULAR), q->status);

    const mask below = accepted & (q->level > 0);
#ifdef BREAK_NUMBERS
    const mask part = below | (accepted & q->cut);
#else
    const mask part = below;
#endif
    q->n.substeps = count(q->n.substeps, part);
    q->index = choose_whole(below, q->index + (((whole)(FULL_STEP)) >> q->level), q->index);
    q->level = count(q->level, down);
    for (int level = MAX_DEPTH; level >= 1; --level) {
#if HISTORY
        if (any_lane(down & (q->level == level)))
            stack_keep(rare, level, down & (q->level == level), &q->s);
#endif
        const mask carried = below & (q->level == level) & ((q->index & (FULL_STEP >> level)) == 0);
#if HISTORY
        const mask stays = below & (q->level == level) & !carried, whole_step = carried & (q->level == 1);
        if (any_lane(stays | whole_step))
            stack_recall(rare, level, stays | whole_step, &q->s);
#endif
        q->level = choose_whole(carried, q->level - 1, q->level);
    }
    const mask whole_again = below & (q->level == 0);
#ifdef BREAK_NUMBERS
    const mask completed = (whole_again | (accepted & !below & q->cut)) & q->last;
#else
    const mask completed = whole_again;
#endif
    q->n.halved_steps = count(q->n.halved_steps, completed);
    q->n.other_solves = choose_whole(failed | part, q->n.other_solves + solves, q->n.other_solves);
    q->index = choose_whole(whole_again, (whole)(0), q->index);
    return (accepted & !below) | whole_again;
}
#endif

static void count_step(mask stepped, whole updates, Counters *n)
{
    n->updates_per_step_max =
        choose_whole(stepped & (updates > n->updates_per_step_max), updates, n->updates_per_step_max);
}
#endif
