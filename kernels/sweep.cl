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

#include "point.h"
#include "samples.h"
#include "substeps.h"

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

#if METRIC_ROWS
// What metrics see of a point that has just begun or stepped.
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
// base        the launch's first column
// first       1: begin at t = 0; 0: go on from `state`
// flat        1: lanes do not wait for each other's steps
// work_limit  substeps tried plus updates made that end a lane group's slice
kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void
sweep(global SCALAR *state, global const SCALAR *parameters, global SCALAR *results, global SCALAR *frames,
      global uint *tally, global const SCALAR *tables, global SCALAR *cost, ulong points, ulong places, ulong samples,
      ulong base, uint first, uint flat, uint work_limit, long sample_divisor)
{
    const size_t   at = base + get_global_id(0) * LANES, stride = points;
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
// bit, whatever they stand for. Of the level stack, which follows `rows` rows of state, only the levels go along that a
// point is below: nothing was written to the others. `level_row` is the state's row of the level, 0 where there is no
// stack.
kernel void regroup(global const SCALAR_WHOLE *from, global SCALAR_WHOLE *to, global const uint *source, ulong points,
                    uint rows, uint level_row)
{
    const size_t column = get_global_id(0), taken = source[column];
    const uint   stack = level_row ? 2 * DOF * (uint)from[level_row * points + taken] : 0;
    for (uint row = 0; row < rows + stack; ++row)
        to[row * points + column] = from[row * points + taken];
}
