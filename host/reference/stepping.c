// stepping -- the halving recursion, as the paper tells it.
#include "reference/stepping.h"

#include "reference/eigen.h"

#include <math.h>

// Positions inside a step are whole numbers of its smallest part.
enum { FINEST_LEVEL = 20 };

static bool end_with(Stepping *stepping, Status status)
{
    stepping->status = status;
    return false;
}

static Status status_of_failure(SolveEnd end, int max_depth)
{
    if (end == SOLVE_SINGULAR)
        return STATUS_SINGULAR;
    if (end == SOLVE_NOT_FINITE)
        return STATUS_NOT_FINITE;
    return max_depth == 0 ? STATUS_NEWTON_FAILED : STATUS_DEPTH_EXCEEDED;
}

static bool state_finite(size_t n, const State *state)
{
    return all_finite(n, state->x) && all_finite(n, state->v) && all_finite(n, state->a);
}

// Advances over the part of the step that begins at `index` (in 2^-20 of the step) and is 2^-level of it long.
static bool advance(Stepping *stepping, int level, unsigned index, const State *previous, State *state)
{
    const ReferenceMethod *method = stepping->method;
    if (stepping->stop && *stepping->stop) {
        stepping->stopped = true;
        return false;
    }
    if (method->implicit && stepping->tally.updates >= stepping->update_budget)
        return end_with(stepping, STATUS_BUDGET_EXCEEDED);
    if (level > stepping->depth_max)
        stepping->depth_max = level;

    Step step = stepping->step;
    step.t = ((double)stepping->steps + ldexp((double)index, -FINEST_LEVEL)) * stepping->h;
    step.h = ldexp(stepping->h, -level);
    step.now = state;
    step.previous = method->history ? previous : NULL;
    State    next = *state;
    SolveEnd end = method->step(&step, &stepping->tally, &next);
    if (end == SOLVE_ACCEPTED) {
        *state = next;
        stepping->substeps += level > 0;
        return state_finite(step.problem->dofs, state) || end_with(stepping, STATUS_NOT_FINITE);
    }
    if (level == stepping->max_depth)
        return end_with(stepping, status_of_failure(end, stepping->max_depth));

    // Two equally spaced substeps. Nothing precedes the first at its spacing; the start precedes the second.
    State    start = *state;
    unsigned half = 1u << (FINEST_LEVEL - level - 1);
    return advance(stepping, level + 1, index, NULL, state) &&
           advance(stepping, level + 1, index + half, &start, state);
}

bool stepping_advance(Stepping *stepping, const State *previous, State *state)
{
    uint64_t before = stepping->tally.updates;
    if (!advance(stepping, 0, 0, previous, state))
        return false;
    uint64_t spent = stepping->tally.updates - before;
    if (spent > stepping->updates_per_step_max)
        stepping->updates_per_step_max = spent;
    ++stepping->steps;
    return true;
}
