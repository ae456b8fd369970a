// substeps.h -- tries a substep in all lanes, and says what becomes of those where it failed.

#include "linear.h"
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
    for (int i = 0; i < STATE_DOF; ++i, row += 2 * stride) {
        save(row, choose(m, s->x[i], load(row)));
        save(row + stride, choose(m, s->v[i], load(row + stride)));
    }
}

static void stack_recall(const Rare *rare, int level, mask m, State *s)
{
    const size_t         stride = rare->stride;
    const global SCALAR *row = stack_row(rare, level);
    for (int i = 0; i < STATE_DOF; ++i, row += 2 * stride) {
        s->x_prev[i] = choose(m, load(row), s->x_prev[i]);
        s->v_prev[i] = choose(m, load(row + stride), s->v_prev[i]);
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

#ifdef EVENTS
#define AT_BREAK(q, set) (piece_over(q, set) | ((q)->high < 0.0))
#else
#define AT_BREAK(q, set) piece_over(q, set)
#endif

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

#if RELATIVE
#define VELOCITY_SCALE(q) (q)->v_scale
#ifdef NEWTON_SCALE
constant SCALAR LEAST_SIZES[DOF] = {NEWTON_SCALE};  // of coordinates, set by the sweep file; 0: it sets none
#endif
// The size of a velocity now, at least that of moving by its coordinate's least size in a step.
static real velocity_size(const State *s, const Settings *set, int i)
{
    const real own = real_abs(FIRST_ORDER ? s->x[i] : s->v[i]);
#ifdef NEWTON_SCALE
    const real least = FIRST_ORDER ? ZERO + LEAST_SIZES[i] : LEAST_SIZES[i] / set->h;
    return larger(least, own);
#else
    return own;
#endif
}

// Sizes of the velocities, of which half is forgotten in 355 substeps.
static void keep_scale(mask accepted, const Settings *set, Point *q)
{
    EACH_DOF(i) {
        const real now = velocity_size(&q->s, set, i), kept = (1.0 - 0x1p-9) * q->v_scale[i];
        q->v_scale[i] = choose(accepted, larger(kept, now), q->v_scale[i]);
    }
}
#else
#define VELOCITY_SCALE(q) 0
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

#if ADAPTIVE
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
#else
// What becomes of an attempt that left the straight path. Returns the lanes that completed a step.
static mask leave_path(Path *path, const Attempt *tried, Point *q, const Settings *set, const Rare *rare)
{
    const mask lost = tried->accepted & !tried->good;
    mask stepped = tried->accepted & tried->good;
#ifdef EVENTS
    const mask failed = path->active & !tried->accepted & !tried->held, part = tried->held | tried->ends;
    const mask cut = tried->ends & (q->size < set->h);
    stepped = stepped & !tried->ends;
#elif IMPLICIT
    const mask failed = path->active & !tried->accepted;
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
        const Solve  of = {q->size, &next, &k, p, m, set, &q->n, &q->condition, VELOCITY_SCALE(q)};
        const Solved stage = newton(&of, tried.accepted, u);
#endif
#ifdef TANGENTS
        tangent_solve(&k, p, VELOCITY_SCALE(q), u);
#endif
        tried.solves = count(tried.solves, tried.accepted);
        tried.begun = count(tried.begun, stage.begun);
        tried.accepted = stage.accepted;
        straight = straight && stage.all;
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
    tried.good = is_finite(sum);
    path->work += 1;
#ifdef EVENTS
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
    straight = straight && (all_lanes(tried.good) || !any_lane(path->active & !tried.good));

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
