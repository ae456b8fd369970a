// path.h -- what attempts have in common: a run of them along the straight path, and what each came to.

#include "point.h"

// A run of attempts, of which all but the last go along the straight path: whole steps of all lanes at work together,
// none of them halved, none failing. What cannot change on it is found before it begins, and counted after it ended:
// there a step costs its formulas, one test, and no more.
typedef struct Path {
    mask         active;            // lanes at work
    mask         lost;              // lanes that have failed for good
    bool         all, whole_steps;  // they are all there are; none of them is within a halved step
    SCALAR_WHOLE steps_left;        // before one of them ends
    SCALAR_WHOLE taken;             // steps along the path that q does not count yet
    uint         work, work_end;    // where they are to be asked whether they exceed their budget, or the slice ends
#ifdef ARCS
    real from;   // where the substep began that was tried last
    mask arced;  // lanes that took it
#endif
} Path;

// What an attempt says of arcs (arcs.h), where something looks at them.
#ifdef ARCS
#define ARC(statement) statement
#else
#define ARC(statement)
#endif

// On a GPU, where neighbouring work items share their instructions, one that leaves its path would wait until all of
// them have come to the end of theirs: there each step is a path of its own.
#if LANES > 1 || defined(LAUNCH)
#define LONG_PATHS true
#else
#define LONG_PATHS false
#endif

// What of its budget a point has not spent; trials of a search count towards none.
#ifdef EVENTS
#define BUDGET(q, set) ((set)->budget + to_whole((q)->spared))
#else
#define BUDGET(q, set) (set)->budget
#endif

// The lanes whose points have spent their budget.
static mask budget_spent(const Point *q, const Settings *set)
{
    return IMPLICIT || ADAPTIVE ? (IMPLICIT ? q->n.updates : q->n.other_solves) >= BUDGET(q, set) : NO;
}

static void end_spent(mask spent, Point *q, const Rare *rare)
{
    rare_take(q, rare);
    q->status = choose_whole(spent, (whole)(STATUS_BUDGET_EXCEEDED), q->status);
    rare_keep(q, rare);
}

// Begins a path in the lanes `active`, from their places on, with less work done than the slice has.
static Path path_begin(mask active, Point *q, const Settings *set, const Rare *rare, uint work, uint work_limit)
{
    Path path;
    path.active = active;
    path.lost = NO;
    path.taken = 0;
    path.all = all_lanes(active);
    path.work = work;
    path.work_end = work_limit;
    q->size = set->h;
    q->ratio = HISTORY ? ONE : ZERO;
    path.whole_steps = any_lane(active);
#if !ADAPTIVE
    const whole most = (whole)(1 << 30);
#ifdef BREAK_NUMBERS
    rare_take(q, rare);
    piece_place(q, set);
#if EXTRAPOLATED
    guess_forget(active & q->cut & (q->index == 0), &q->s);
#ifdef EVENTS
    guess_forget(active & (q->high > 0.0), &q->s);
#endif
#endif
    // Whole steps that end before the step of the next break does.
    const real  before = (q->next - to_real(q->step) * set->h) / set->h - 1.0;
    const whole room = to_whole(smaller(before, ZERO + (1 << 30)));
    mask        apart = (q->level > 0) | q->cut | (room < 1);
#ifdef EVENTS
    apart = apart | (q->high != 0.0);
#endif
#if HISTORY
    apart = apart | (q->ratio != ONE);
#endif
    path.whole_steps = path.whole_steps && !any_lane(active & apart);
    path.steps_left = least_lane(
        choose_whole(active & (room < set->steps - q->step), room, choose_whole(active, set->steps - q->step, most)));
#else
    if (UNLIKELY(q->apart)) {
        rare_take(q, rare);
        point_place(q, set);
        mask part = q->level > 0;
#if HISTORY
        part = part | (q->ratio != ONE);
#endif
        path.whole_steps = path.whole_steps && !any_lane(active & part);
    }
    path.steps_left = least_lane(choose_whole(active, set->steps - q->step, most));
#endif
#if IMPLICIT
    // An attempt makes less updates than it is work.
    const whole left = BUDGET(q, set) - q->n.updates;
    const uint  updates = (uint)least_lane(choose_whole(active & (left < most), left, most));
    if (updates < work_limit - work)
        path.work_end = work + updates;
#endif
#endif
    return path;
}

// The time of the substep to be tried next.
static real path_time(const Path *path, Point *q, const Params *p, const Settings *set, const Rare *rare)
{
#if ADAPTIVE
    return TIME_AFTER(to_real(q->step), set->h, p) + q->reached;
#else
    const whole step = q->step + path->taken;
    if (path->whole_steps)
        return TIME_AFTER(to_real(step), set->h, p);
    rare_take(q, rare);
#ifdef BREAK_NUMBERS
    const real begun = TIME_AFTER(to_real(step), set->h, p) + PIECE_BEGUN(q);
    return begun + to_real(q->index) * (1.0 / FULL_STEP) * (piece_end(q, set) - PIECE_BEGUN(q));
#else
    return TIME_AFTER(to_real(step) + to_real(q->index) * (1.0 / FULL_STEP), set->h, p);
#endif
#endif
}

// Counts the steps taken along the path, each with a first update of every solve.
static void path_count(Path *path, Point *q)
{
    q->step = choose_whole(path->active, q->step + path->taken, q->step);
    q->n.updates = choose_whole(path->active, q->n.updates + STAGES * path->taken, q->n.updates);
    path->taken = 0;
}

// What an attempt came to.
typedef struct Attempt {
    mask accepted, good;  // lanes whose solves were accepted; whose new state is finite
#if ADAPTIVE
    real end;   // where the piece ends that the substep lies in, as time since the step began
    mask last;  // the substep goes to there
#endif
#if IMPLICIT
    whole  before, begun, solves;  // updates that q counted before; first updates of the solves; solves
    Solved how;
#endif
#ifdef EVENTS
    // Of events.h: lanes whose bracket is searched; trials that move no state; pieces up to an event, and up to none.
    mask searching, held, ends, unresolved;
#endif
} Attempt;
