// sweep.cl -- the kernel: load a lane group's points, advance them by a bounded amount of work, observe, save.
//
// Buffers are [row][column], the column fastest, a point to each column. A launch (a slice) ends by work, also inside a
// step, because one step may hold 2^20 substeps; the next slice goes on from the saved state with the same bits. The
// lanes of a group take each step together: a lane that must halve its step holds up the others, which is rare, while
// lanes that drift apart would cost every step. Where most steps are halved it is the other way round, and with `flat`
// each lane goes on with its own next substep. Neither changes a bit of any point, nor does the order of the columns:
// between slices regroup() moves points to other columns, so that those which cost alike are neighbours and finished
// ones make room.
//
// The prologue above this file defines DOF, State, Params, MethodParams, the settings of the group, the rows of
// `parameters` (ROW_H and so on) and the lists (X-macros) of what is loaded, kept and saved: STATE, COUNTERS,
// PROBLEM_PARAMETERS, METHOD_PARAMETERS, METRICS, RESULTS.

#include "linear.h"
#include "point.h"

// Rows of `results` before those of the metrics: x, v, status.
#define ROW_STATUS (2 * DOF)

// Rows of `state`: the State's vectors first, so that a method can be probed by writing them; then the integers of the
// point, the metrics, and at the end the level stack of two-step methods.
typedef struct Cursor {
    global SCALAR *at;
    size_t         stride;
} Cursor;

static real take(Cursor *c)
{
    const real x = load(c->at);
    c->at += c->stride;
    return x;
}

static void put(Cursor *c, real x)
{
    save(c->at, x);
    c->at += c->stride;
}

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
    q->status = choose_whole(bottom, (whole)(MAX_DEPTH == 0 ? NEWTON_FAILED : DEPTH_EXCEEDED), q->status);
    q->status = choose_whole(bottom & how->not_finite, (whole)(NOT_FINITE), q->status);
    q->status = choose_whole(bottom & how->singular, (whole)(SINGULAR), q->status);

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
    const real error = trial(to_real(q->step) * set->h + q->reached, size, p, m, &next);
    const mask taken = *active & (error <= 1.0), again = *active & !taken;
    const real factor =
        real_min(real_max(0.9 * real_exp(real_log(real_max(error, ZERO + 1e-10)) * (-1.0 / ORDER)), ZERO + 0.2),
                 choose(taken, ZERO + 5.0, ZERO + 1.0));
    const real suited = size * choose(is_finite(error), factor, ZERO + 0.2);

#define COMMIT(name)              \
    for (int i = 0; i < DOF; ++i) \
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
    q->status =
        choose_whole(bottom, choose_whole(is_finite(error), (whole)(DEPTH_EXCEEDED), (whole)(NOT_FINITE)), q->status);
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
    State       next = q->s;
    mask        accepted = *active;
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
        guess(q->size, &next, &k, u);
        const Solved stage = newton(accepted, q->size, &next, &k, p, m, set, u, &q->n, &q->condition);
        solves = count(solves, accepted);
        accepted = stage.accepted;
        how.singular = how.singular | stage.singular;
        how.not_finite = how.not_finite | stage.not_finite;
        how.rounds = stage.rounds;
        finish(t, q->size, u, &k, p, m, &next);
        *work += (uint)stage.rounds;
    }
#if HISTORY
    UNROLL
    for (int i = 0; i < DOF; ++i) {
        next.x_prev[i] = q->s.x[i];
        next.v_prev[i] = q->s.v[i];
    }
#endif
#else
    step(point_time(q, set), q->size, p, m, &next);
#endif
    // The sum of all that moved is finite where each of them is, but for numbers near overflow, which are lost anyway.
    real sum = ZERO;
#define ADD(name)                 \
    for (int i = 0; i < DOF; ++i) \
        sum = sum + next.name[i];
#define COMMIT(name)              \
    for (int i = 0; i < DOF; ++i) \
        q->s.name[i] = choose(accepted, next.name[i], q->s.name[i]);
    OWN_STATE(ADD)
    STATE(COMMIT)
    const mask good = is_finite(sum);
    *work += 1;

    if (UNLIKELY(any_lane(*active & (!accepted | !good | (q->level > 0))))) {
        const mask lost = accepted & !good;
        mask       stepped = accepted & good;
        q->status = choose_whole(lost, (whole)(NOT_FINITE), q->status);
#if IMPLICIT
        q->n.other_solves = choose_whole(lost, q->n.other_solves + solves, q->n.other_solves);
        q->n.substeps = count(q->n.substeps, lost & (q->level > 0));
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
#if COUNT_PER_STEP
    if (STAGES > 1 || how.rounds > 1)
        count_step(accepted, q->n.updates - before, &q->n);
#endif
    q->step = count(q->step, accepted);
    q->ratio = ZERO + 1.0;
    *active = NO;
    return accepted;
}
#endif

#if FRAME_ROWS
// Frames are [tile][sample][row][TILE]: a tile is the columns of one lane group, or of 64 points side by side, so that
// what is written at a time lies together, and all that a lane group writes is one run of memory.
#define TILE (LANES == 1 ? 64 : LANES)

static global SCALAR *frame_at(global SCALAR *frames, size_t column, size_t sample, size_t samples)
{
    return frames + (column / TILE * samples + sample) * (FRAME_ROWS * TILE) + column % TILE;
}

// The first of the lanes' columns where these are one whole part of a tile, else -1.
static SCALAR_WHOLE first_column(whole column)
{
    SCALAR_WHOLE each[LANES];
    spread_whole(column, each);
    bool in_a_row = each[0] >= 0 && each[0] % LANES == 0;
    for (int lane = 1; lane < LANES; ++lane)
        in_a_row = in_a_row && each[lane] == each[0] + lane;
    return in_a_row ? each[0] : -1;
}

// What a lane group knows of its samples. Most of it is wanted only where one is due, and stays in memory until then:
// the steps in between need the registers.
typedef struct Sampling {
    global SCALAR       *frames;
    global SCALAR       *taken;  // row of `state`: samples so far
    global const SCALAR *parameters;
    size_t               stride, samples;
    SCALAR_WHOLE         first;  // first_column()
    SCALAR_WHOLE         divisor;
} Sampling;

// The step after which sample k is due, k `every` + floor(k remainder / divisor); -1 where nothing is stored.
static whole sample_step(const Sampling *s, whole k)
{
    const whole every = load_whole(s->parameters + ROW_EVERY * s->stride),
                column = load_whole(s->parameters + ROW_SLOT * s->stride);
    whole step = k * every;
    if (s->divisor > 1)
        step += k * load_whole(s->parameters + ROW_REMAINDER * s->stride) / s->divisor;
    return choose_whole(column >= 0, step, (whole)(-1));
}

// Writes the next sample of the lanes `due`: all at once where their columns are in a row and the sample is the same,
// else number by number.
static void save_frame(const Sampling *s, mask due, whole sample, const real frame[FRAME_ROWS])
{
    const SCALAR_WHOLE common = or_lanes(choose_whole(due, sample, (whole)(0)));
    if (s->first >= 0 && !any_lane(due & (sample != common))) {
        global SCALAR *to = frame_at(s->frames, (size_t)s->first, (size_t)common, s->samples);
        for (int r = 0; r < FRAME_ROWS; ++r, to += TILE)
            save(to, choose(due, frame[r], load(to)));
        return;
    }
    SCALAR_WHOLE wanted[LANES], places[LANES], columns[LANES];
    SCALAR       numbers[LANES];
    spread_whole(due, wanted);
    spread_whole(sample, places);
    spread_whole(load_whole(s->parameters + ROW_SLOT * s->stride), columns);
    for (int r = 0; r < FRAME_ROWS; ++r) {
        spread(frame[r], numbers);
        for (int lane = 0; lane < LANES; ++lane)
            if (wanted[lane])
                frame_at(s->frames, (size_t)columns[lane], (size_t)places[lane], s->samples)[r * TILE] = numbers[lane];
    }
}

// Takes the sample that is due in the lanes `due`; returns the steps after which the next ones are.
static whole take_sample(const Sampling *s, mask due, const Point *q, const Params *p, real h)
{
    real  frame[FRAME_ROWS];
    whole sample = load_whole(s->taken);
    int   row = 0;
#define SAVE_VECTOR(name)         \
    for (int i = 0; i < DOF; ++i) \
        frame[row++] = q->s.name[i];
#define SAVE_NUMBER(value) frame[row++] = value;
    FRAME(SAVE_VECTOR, SAVE_NUMBER)
    save_frame(s, due, sample, frame);
    sample = count(sample, due);
    save_whole(s->taken, sample);
    return sample_step(s, sample);
}
#endif

#if METRIC_ROWS
static Observation observation(const Point *q, const Settings *set, const Params *p, global const SCALAR *tables,
                               whole table, whole table_every)
{
    const Observation o = {to_real(q->step) * set->h,
                           to_real(q->step - 1) * set->h,
                           to_real(q->step + 1) * set->h,
                           set->h,
                           q->step,
                           set->steps,
                           &q->s,
                           p,
                           tables,
                           table,
                           table_every};
    return o;
}
#endif

// Where a point's results and the host's counts go.
enum { TALLY_RUNNING, TALLY_STEPS = 2, TALLY_USED = 4, TALLY_SPENT = 6, TALLY_OTHER = 8 };

// Adds to a sum of two words, the lower one first.
static void tally_add(global uint *sum, ulong n)
{
    const uint low = (uint)n, before = atomic_add(&sum[0], low), carry = (uint)(before + low) < before;
    atomic_add(&sum[1], (uint)(n >> 32) + carry);
}

// What a point has cost so far: substeps tried and updates made.
static whole point_work(const Point *q)
{
    const whole steps = q->step - q->n.halved_steps;
    return q->n.updates + (ADAPTIVE ? q->n.other_solves : steps + q->n.other_solves / (STAGES > 1 ? STAGES : 1));
}

// Writes the points' results to their places: in one go where the lanes' places are neighbours.
static void save_results(whole place, real row[RESULT_ROWS], global SCALAR *results, size_t places)
{
    SCALAR_WHOLE at[LANES];
    bool         together = true;
    spread_whole(place, at);
    for (int lane = 1; lane < LANES; ++lane)
        together = together && at[lane] == at[0] + lane;
    for (int r = 0; r < RESULT_ROWS; ++r, results += places) {
        if (together) {
            save(results + at[0], row[r]);
        } else {
            SCALAR numbers[LANES];
            spread(row[r], numbers);
            for (int lane = 0; lane < LANES; ++lane)
                results[at[lane]] = numbers[lane];
        }
    }
}

// state       [rows][points] in and out: each point between slices
// parameters  [rows][points] in
// results     [rows][places] out: what the points have now; final for those that have ended
// cost        [points] out: what a step of the slice took, negative for points that have ended
// tables      [sample][TABLE_ROWS] in: what the points should do, for metrics that compare
// frames      [tile][samples][FRAME_ROWS][TILE] out; of each point as many samples as the last row of results says
// tally       [10] out, added to: sums of two words, of points still running, steps taken, substeps tried and updates
//             made by points, the same by lanes at work or waiting, and solves that were not whole steps
// first       1: begin at t = 0; 0: go on from `state`
// flat        1: lanes do not wait for each other's steps
// work_limit  substeps tried plus updates made that end a lane group's slice
kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void
sweep(global SCALAR *state, global const SCALAR *parameters, global SCALAR *results, global SCALAR *frames,
      global uint *tally, global const SCALAR *tables, global SCALAR *cost, ulong points, ulong places, ulong samples,
      uint first, uint flat, uint work_limit, long sample_divisor)
{
    const size_t   at = get_global_id(0) * LANES, stride = points;
    global SCALAR *stack = state + (size_t)(STATE_ROWS)*stride + at;
    Params         p;
    MethodParams   m;
    Settings       set;
    Point          q;

    global const SCALAR *row = parameters + at;
    set.h = load(row + ROW_H * stride);
    set.steps = load_whole(row + ROW_STEPS * stride);
    set.tolerance = load(row + ROW_TOLERANCE * stride);
    set.max_updates = load_whole(row + ROW_MAX_UPDATES * stride);
    set.budget = load_whole(row + ROW_BUDGET * stride);
#if FRAME_ROWS
    const whole    column = load_whole(row + ROW_SLOT * stride);
    const Sampling sampling = {frames,
                               state + (size_t)(STATE_ROWS - 1) * stride + at,
                               row,
                               stride,
                               samples,
                               first_column(column),
                               (SCALAR_WHOLE)sample_divisor};
    whole          sample_due = (whole)(-1);
#endif
    row += ROW_PROBLEM * stride;
#define LOAD_PARAMETER(owner, name) \
    owner.name = load(row);         \
    row += stride;
#define LOAD_CHOICE(owner, name, value) \
    owner.name = value;                 \
    row += stride;
    PROBLEM_PARAMETERS(LOAD_PARAMETER, LOAD_CHOICE)
    METHOD_PARAMETERS(LOAD_PARAMETER, LOAD_CHOICE)
#if METRIC_ROWS
    global SCALAR *metric_rows = state + (size_t)(STATE_ROWS - (FRAME_ROWS > 0) - METRIC_ROWS) * stride + at;
    Metrics        metrics;
    const whole    table = load_whole(parameters + at + ROW_TABLE * stride),
                table_every = load_whole(parameters + at + ROW_TABLE_EVERY * stride);
#endif

#define TAKE_VECTOR(name)         \
    for (int i = 0; i < DOF; ++i) \
        q.s.name[i] = take(&c);
#define TAKE_COUNTER(name) q.n.name = as_whole(take(&c));
#define TAKE_REAL(owner, name) owner.name = take(&c);
#define TAKE_WHOLE(owner, name) owner.name = as_whole(take(&c));
#define PUT_VECTOR(name)          \
    for (int i = 0; i < DOF; ++i) \
        put(&c, q.s.name[i]);
#define PUT_COUNTER(name) put(&c, as_real(q.n.name));
#define PUT_REAL(owner, name) put(&c, owner.name);
#define PUT_WHOLE(owner, name) put(&c, as_real(owner.name));
#define ALL_ROWS(VECTOR_ROW, COUNTER_ROW, REAL_ROW, WHOLE_ROW) \
    STATE(VECTOR_ROW)                                          \
    WHOLE_ROW(q, step)                                         \
    WHOLE_ROW(q, index)                                        \
    WHOLE_ROW(q, level)                                        \
    WHOLE_ROW(q, status)                                       \
    COUNTERS(COUNTER_ROW)                                      \
    REAL_ROW(q.condition, largest)                             \
    REAL_ROW(q.condition, last)                                \
    REAL_ROW(q.condition, log_sum)                             \
    REAL_ROW(q.condition, product)                             \
    ADAPTIVE_ROWS(REAL_ROW)                                    \
    METRICS(REAL_ROW, WHOLE_ROW)
#if ADAPTIVE
#define ADAPTIVE_ROWS(REAL_ROW) \
    REAL_ROW(q, reached)        \
    REAL_ROW(q, proposed)
#else
#define ADAPTIVE_ROWS(REAL_ROW)
#endif
// The host sizes the buffer by counting the same rows; where the two part, this does not compile.
#define VECTOR_ROWS(name) +DOF
#define COUNTER_ROWS(name) +1
#define OWNED_ROWS(owner, name) +1
    typedef char rows_are_the_hosts
        [(0 ALL_ROWS(VECTOR_ROWS, COUNTER_ROWS, OWNED_ROWS, OWNED_ROWS) + (FRAME_ROWS > 0)) == STATE_ROWS ? 1 : -1];
    (void)sizeof(rows_are_the_hosts);

    if (!first) {
        Cursor c = {state + at, stride};
        ALL_ROWS(TAKE_VECTOR, TAKE_COUNTER, TAKE_REAL, TAKE_WHOLE)
#if FRAME_ROWS
        sample_due = choose_whole(q.status == RUNNING, sample_step(&sampling, load_whole(sampling.taken)), sample_due);
#endif
    } else {
        initial_state(&p, q.s.x, q.s.v);
        start(&p, &m, &q.s);
        q.step = q.index = q.level = q.status = (whole)(0);
#define CLEAR_COUNTER(name) q.n.name = (whole)(0);
        COUNTERS(CLEAR_COUNTER)
        q.condition.largest = q.condition.log_sum = ZERO;
        q.condition.last = NOT_A_NUMBER;
        q.condition.product = ZERO + 1.0;
#if ADAPTIVE
        q.reached = ZERO;
        q.proposed = set.h;
#endif
        mask good = YES;
#define CHECK_START(name) good = good & finite(q.s.name);
        OWN_STATE(CHECK_START)
        q.status = choose_whole(good, (whole)(RUNNING), (whole)(NOT_FINITE));
#if METRIC_ROWS
        const Observation o = observation(&q, &set, &p, tables, table, table_every);
#define START_METRIC(name) name##_start(&o, &metrics.name);
        METRIC_NAMES(START_METRIC)
#endif
#if FRAME_ROWS
        save_whole(sampling.taken, (whole)(0));
        sample_due = choose_whole(good, take_sample(&sampling, good & (column >= 0), &q, &p, set.h), sample_due);
#endif
    }

    point_place(&q, &set);

    uint        work = 0;
    const whole before = q.step, worked = point_work(&q), other = q.n.other_solves;
    mask        running = (q.status == RUNNING) & (q.step < set.steps);
    while (any_lane(running) && work < work_limit) {
        mask active = running, stepped = NO;
        do {
#if IMPLICIT || ADAPTIVE
            const mask spent = active & ((ADAPTIVE ? q.n.other_solves : q.n.updates) >= set.budget);
            if (UNLIKELY(any_lane(spent))) {
                q.status = choose_whole(spent, (whole)(BUDGET_EXCEEDED), q.status);
                active = active & !spent;
            }
#endif
            stepped = stepped | attempt(&active, &q, &p, &m, &set, stack, stride, &work);
        } while (any_lane(active) && !flat && work < work_limit);
        running = (q.status == RUNNING) & (q.step < set.steps);

#if METRIC_ROWS
        const Observation o = observation(&q, &set, &p, tables, table, table_every);
        // Lanes that did not step keep what they have. They are rare, so that it is kept in memory meanwhile.
        const bool partly = !all_lanes(stepped);
        if (UNLIKELY(partly)) {
            Cursor c = {metric_rows, stride};
            METRICS(PUT_REAL, PUT_WHOLE)
        }
#define OBSERVE_METRIC(name) name##_observe(&o, &metrics.name);
        METRIC_NAMES(OBSERVE_METRIC)
        if (UNLIKELY(partly)) {
            Cursor c = {metric_rows, stride};
#define RECALL_REAL(owner, name) owner.name = choose(stepped, owner.name, take(&c));
#define RECALL_WHOLE(owner, name) owner.name = choose_whole(stepped, owner.name, as_whole(take(&c)));
            METRICS(RECALL_REAL, RECALL_WHOLE)
        }
#endif
#if FRAME_ROWS
        // The next sample of a running lane is always due after a later step.
        const mask due = q.step == sample_due;
        if (any_lane(due))
            sample_due = choose_whole(due, take_sample(&sampling, due, &q, &p, set.h), sample_due);
#endif
    }

    Cursor c = {state + at, stride};
    ALL_ROWS(PUT_VECTOR, PUT_COUNTER, PUT_REAL, PUT_WHOLE)
    const mask  ended_well = (q.status == RUNNING) & (q.step >= set.steps);
    const whole status = choose_whole(ended_well, (whole)(OK), q.status);
    const mask  ok = status == OK;
    real        result[RESULT_ROWS];
    int         next = 0;
    for (int i = 0; i < DOF; ++i) {
        result[i] = choose(ok, q.s.x[i], NOT_A_NUMBER);
        result[DOF + i] = choose(ok, q.s.v[i], NOT_A_NUMBER);
    }
    result[ROW_STATUS] = as_real(status);
    next = ROW_STATUS + 1;
#define SAVE_REAL(value) result[next++] = choose(ok, value, NOT_A_NUMBER);
#define SAVE_WHOLE(value) result[next++] = as_real(value);
#if METRIC_ROWS
    const Observation o = observation(&q, &set, &p, tables, table, table_every);
#endif
    RESULTS(SAVE_REAL, SAVE_WHOLE)
#if FRAME_ROWS
    result[next++] = as_real(load_whole(sampling.taken));
#endif
    save_results(load_whole(parameters + at + ROW_PLACE * stride), result, results, places);

    const whole used = point_work(&q) - worked, steps = q.step - before;
    save(cost + at, choose(running, to_real(used) / to_real(steps + 1), ZERO - 1.0));
    tally_add(&tally[TALLY_RUNNING], (ulong)sum_lanes(count((whole)(0), running)));
    tally_add(&tally[TALLY_STEPS], (ulong)sum_lanes(steps));
    tally_add(&tally[TALLY_USED], (ulong)sum_lanes(used));
    tally_add(&tally[TALLY_SPENT], (ulong)work * LANES);
    tally_add(&tally[TALLY_OTHER], (ulong)sum_lanes(q.n.other_solves - other));
}

// Moves points to other columns: column i of `to` becomes column source[i] of `from`. Numbers go as they are, bit by
// bit, whatever they stand for.
kernel void regroup(global const SCALAR_WHOLE *from, global SCALAR_WHOLE *to, global const uint *source, ulong points,
                    uint rows)
{
    const size_t column = get_global_id(0), taken = source[column];
    for (uint row = 0; row < rows; ++row)
        to[row * points + column] = from[row * points + taken];
}
