// piece -- places between breaks.
#include "analysis/conform/judgement/piece.h"

#include "plan/events.h"

#include <math.h>

// A result in the kernel's precision.
static double rounded(bool single, double number)
{
    return single ? (double)(float)number : number;
}

static double near_to(bool single, double t)
{
    return rounded(single, breaks_near(single, t));
}

// How far the next break is from the step's beginning, and how near a time has to be to be that of the break.
typedef struct Ahead {
    double to_break, near;
} Ahead;

static Ahead look_ahead(bool single, double h, const WalkState *state)
{
    const double from = rounded(single, (double)state->step * h);
    return (Ahead){rounded(single, state->next - from), near_to(single, rounded(single, from + h))};
}

// The middle of the bracket in which an event is looked for, or its end where rounding has closed it.
static double find_sought(const Group *group, bool single, double h, const WalkState *state)
{
    if (!group->events || !(state->high > 0.0))
        return 0.0;
    const double middle = rounded(single, 0.5 * rounded(single, state->low + state->high)),
                 width = rounded(single, h * (single ? 0x1p-23 : 0x1p-52));
    const bool closed =
        rounded(single, state->high - state->low) <= width || middle <= state->low || middle >= state->high;
    return closed ? state->high : middle;
}

StepPiece piece_of(const Group *group, bool single, double h, const WalkState *state)
{
    const double begun = group->method->adaptive ? state->reached : state->begun;
    if (!group->breaks)
        return (StepPiece){.end = h,
                           .length = h,
                           .last = true,
                           .from = -(double)INFINITY,
                           .below = (double)INFINITY,
                           .begun = group->method->adaptive ? begun : 0.0};
    const Ahead  ahead = look_ahead(single, h, state);
    const double end = ahead.to_break < rounded(single, h - ahead.near) ? ahead.to_break : h,
                 near = breaks_near(single, 1.0);
    return (StepPiece){.over = ahead.to_break <= rounded(single, begun + ahead.near),
                       .begun = begun,
                       .end = end,
                       .length = rounded(single, end - begun),
                       .last = end == h,
                       .cut = begun > 0.0 || end != h,
                       .from = rounded(single, state->passed * (1.0 + near)),
                       .below = rounded(single, state->next * (1.0 - near)),
                       .sought = find_sought(group, single, h, state)};
}

double piece_substep(const StepPiece *piece, bool single, const WalkState *before)
{
    const double left = rounded(single, piece->end - before->reached);
    if (piece->sought > 0.0)
        return piece->sought;
    return before->proposed >= left ? left : before->proposed;
}

bool piece_arrives(const Group *group, const StepPiece *piece, bool single, const WalkState *before)
{
    const int64_t full = 1 << MOST_DEPTH;
    return group->method->adaptive ? before->proposed >= rounded(single, piece->end - before->reached)
                                   : before->index + (full >> before->level) == full;
}

bool piece_ends_step(const Group *group, const StepPiece *piece, bool single, double h, const WalkState *before)
{
    const Ahead ahead = look_ahead(single, h, before);
    return piece->last && (!group->breaks || ahead.to_break > rounded(single, piece->end + ahead.near));
}
