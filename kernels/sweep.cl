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
// shared.h lists the arguments and the rows of the buffers. The prologue above this file defines DOF, State, Params,
// MethodParams, Metrics, the settings of the group and the lists (X-macros) of what is loaded, kept and saved: STATE,
// PROBLEM_PARAMETERS, METHOD_PARAMETERS, METRIC_NAMES, METRICS, RESULTS.

#include "point.h"
#include "samples.h"
#include "substeps.h"

// Walks down the rows of a column.
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

static Condition no_condition(void)
{
    const Condition none = {ZERO, NOT_A_NUMBER, ZERO, ONE};
    return none;
}

// Adds to a sum of two words, the lower one first.
static void tally_add(global uint *tally, int which, ulong n)
{
    global uint *sum = tally + 2 * which;
    const uint   low = (uint)n, before = atomic_add(&sum[0], low), carry = (uint)(before + low) < before;
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

// Writes the samples of a result to their places; those from `count` on do not exist.
static void save_kept(whole place, mask ok, whole count, global const SCALAR *kept, size_t stride, uint per, uint rows,
                      global SCALAR *results, size_t places)
{
    SCALAR_WHOLE at[LANES];
    SCALAR       numbers[LANES];
    spread_whole(place, at);
    for (uint r = 0; r < rows; ++r, kept += stride, results += places) {
        spread(choose(ok & ((whole)((SCALAR_WHOLE)(r / per)) < count), load(kept), NOT_A_NUMBER), numbers);
        for (int lane = 0; lane < LANES; ++lane)
            results[at[lane]] = numbers[lane];
    }
}

// What the kernel does with each name of the lists.

#define LOAD_PARAMETER(owner, name) \
    owner.name = load(row);         \
    row += stride;
#define LOAD_CHOICE(owner, name, value) \
    owner.name = value;                 \
    row += stride;

#define CLEAR_COUNTER(name) q.name = (whole)(0);
#define CHECK_START(name) good = good & finite(q.s.name);
#define START_METRIC(name, track, after) name##_start(&o, &metrics.name);
#define TAKE_VECTOR(name)         \
    for (int i = 0; i < DOF; ++i) \
        q.s.name[i] = take(&c);
#define TAKE_REAL(name) q.name = take(&c);
#define TAKE_WHOLE(name) q.name = as_whole(take(&c));
#define TAKE_METRIC_REAL(name) metrics.name = take(&c);
#define TAKE_METRIC_WHOLE(name) metrics.name = as_whole(take(&c));
#define PUT_VECTOR(name)          \
    for (int i = 0; i < DOF; ++i) \
        put(&c, q.s.name[i]);
#define PUT_REAL(name) put(&c, q.name);
#define PUT_WHOLE(name) put(&c, as_real(q.name));
#define PUT_METRIC_REAL(name) put(&c, metrics.name);
#define PUT_METRIC_WHOLE(name) put(&c, as_real(metrics.name));
#define TAKE_TRACK(number, value, past, bent)  \
    for (int k = PAST - (past); k < PAST; ++k) \
        block.track[number][k] = take(&c);
#define PUT_TRACK(number, value, past, bent)   \
    for (int k = PAST - (past); k < PAST; ++k) \
        put(&c, block.track[number][k]);
#define RECALL_REAL(name) metrics.name = choose(stepped, metrics.name, take(&c));
#define RECALL_WHOLE(name) metrics.name = choose_whole(stepped, metrics.name, as_whole(take(&c)));

#define SAVE_REAL(value) result[next++] = choose(ok, value, NOT_A_NUMBER);
#define SAVE_WHOLE(value) result[next++] = as_real(value);
#define SAVE_KEPT(name, count)                                                                                     \
    save_kept(place, ok, count, kept + (size_t)(name##_AT) * stride, stride, name##_PER, name##_MOST * name##_PER, \
              results + (size_t)kept_row * places, places);                                                        \
    kept_row += name##_MOST * name##_PER;

// The rows of `state` after the State's vectors and before the metrics'.
#define POINT_ROWS(REAL, WHOLE) PLACE_ROWS(WHOLE) COUNTER_ROWS(WHOLE) CONDITION_ROWS(REAL) ADAPTIVE_ROWS(REAL)
#if ADAPTIVE
#define ADAPTIVE_ROWS(REAL) SUBSTEP_ROWS(REAL)
#else
#define ADAPTIVE_ROWS(REAL)
#endif
// The host sizes the buffer by counting the same rows; where the two part, this does not compile.
#define ONE_ROW(name) +1
#define PAST_ROWS(number, value, past, bent) +(past)
typedef char
    rows_are_the_hosts[(VECTOR_ROWS POINT_ROWS(ONE_ROW, ONE_ROW) METRICS(ONE_ROW, ONE_ROW) EACH_TRACK(PAST_ROWS) +
                        KEPT_ROWS + (FRAME_ROWS > 0)) == STATE_ROWS
                           ? 1
                           : -1];

#if METRIC_ROWS
// Shows observations `from` up to `to` of the block to one metric after the other.
//   step  of the first of them
#define OBSERVE_METRIC(name, track, after)                                                                 \
    due = block_due(b, from, to, track, after);                                                            \
    if (due != 0) {                                                                                        \
        name##_State m = metrics->name;                                                                    \
        for (uint at = from; at < to; ++at)                                                                \
            if ((after) == 0 || (due >> at & 1) != 0) {                                                    \
                const Observation o = block_observation(b, &always, at, step + (SCALAR_WHOLE)(at - from)); \
                name##_observe(&o, &m);                                                                    \
            }                                                                                              \
        metrics->name = m;                                                                                 \
    }

// Called, not inlined, where it is rare: the steps in between have the registers for themselves.
#if BLOCK > 1
__attribute__((noinline))
#else
static
#endif
void observe_block(Block *b, Metrics *metrics, const Observation *given, whole step, uint from, uint to)
{
    const Params           p = *given->p;
    const struct Arguments arguments = *given->arguments;
    Observation            always = *given;
    uint                   due;
    always.p = &p;
    always.arguments = &arguments;
    for (uint at = from; at < to; ++at) {
        const Observation o = block_observation(b, &always, at, step + (SCALAR_WHOLE)(at - from));
        block_find(b, &o);
    }
    block_find_bends(b, from, to);
    METRIC_NAMES(OBSERVE_METRIC)
}
#endif

// On a GPU, where neighbouring work items share their instructions, one that leaves its path would wait until all of
// them have come to the end of theirs: there each step is a path of its own.
#if LANES > 1 || defined(LAUNCH)
#define LONG_PATHS true
#else
#define LONG_PATHS false
#endif

#define HEAD_ARGUMENT(NAME, type, name) type name
#define NEXT_ARGUMENT(NAME, type, name) , type name

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void sweep(SWEEP_ARGUMENTS(HEAD_ARGUMENT, NEXT_ARGUMENT))
{
    const size_t at = base + get_global_id(0) * LANES, stride = points;
    const Rare   rare = {state + (size_t)VECTOR_ROWS * stride + at, stride};
    Params       p;
    MethodParams m;
    Settings     set;
    Point        q;

    // Load what the points are given.
    global const SCALAR *row = parameters + at;
    set.h = load(row + ROW_H * stride);
    set.steps = load_whole(row + ROW_STEPS * stride);
    set.tolerance = load(row + ROW_TOLERANCE * stride);
    set.max_updates = row + ROW_MAX_UPDATES * stride;
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
    PROBLEM_PARAMETERS(LOAD_PARAMETER, LOAD_CHOICE)
    METHOD_PARAMETERS(LOAD_PARAMETER, LOAD_CHOICE)
#if METRIC_ROWS
    global SCALAR   *kept = state + (size_t)(STATE_ROWS - (FRAME_ROWS > 0) - KEPT_ROWS) * stride + at;
    global SCALAR   *metric_rows = kept - (size_t)(METRIC_ROWS + TRACK_ROWS) * stride;
    Metrics          metrics;
    Block            block;
    struct Arguments arguments;
    METRIC_ARGUMENTS(LOAD_PARAMETER, LOAD_CHOICE)
    const whole table = load_whole(parameters + at + ROW_TABLE * stride),
                table_every = load_whole(parameters + at + ROW_TABLE_EVERY * stride);
    const Params      shown = p;  // so that nothing else points to p, which the steps read
    const Observation always = {.h = set.h,
                                .steps = set.steps,
                                .p = &shown,
                                .arguments = &arguments,
                                .block = &block,
                                .kept = kept,
                                .stride = stride,
                                .tables = tables,
                                .table = table,
                                .table_every = table_every};
    uint              seen = 0;  // observations in the block
    block_clear(&block);
#endif

    // Go on from where the last slice saved the points, or begin.
    if (!first) {
        Cursor c = {state + at, stride};
        STATE(TAKE_VECTOR)
#if RELATIVE
        EACH_DOF(i)
            q.v_scale[i] = take(&c);
#endif
        POINT_ROWS(TAKE_REAL, TAKE_WHOLE)
        METRICS(TAKE_METRIC_REAL, TAKE_METRIC_WHOLE)
        EACH_TRACK(TAKE_TRACK)
        // What nothing moves is as it was saved; the compiler then knows.
#if !RECORD_CONDITION
        q.condition = no_condition();
#endif
#if FIRST_ORDER
        EACH_DOF(i) {
            q.s.v[i] = ZERO;
#if HISTORY
            q.s.v_prev[i] = ZERO;
#endif
        }
#endif
#if FRAME_ROWS
        sample_due = choose_whole(q.status == RUNNING, sample_step(&sampling, load_whole(sampling.taken)), sample_due);
#endif
    } else {
        initial_state(&p, q.s.x, q.s.v);
        ENTER(q.s)
        start(&p, &m, &q.s);
        LEAVE(q.s)
#if EXTRAPOLATED
        guess_forget(YES, &q.s);
#endif
#if RELATIVE
        EACH_DOF(i)
            q.v_scale[i] = velocity_size(&q.s, &set, i);
#endif
        q.step = q.index = q.level = q.status = (whole)(0);
        COUNTER_ROWS(CLEAR_COUNTER)
        q.condition = no_condition();
#if ADAPTIVE
        q.reached = ZERO;
        q.proposed = set.h;
#endif
        mask good = YES;
        OWN_STATE(CHECK_START)
        q.status = choose_whole(good, (whole)(RUNNING), (whole)(STATUS_NOT_FINITE));
#if METRIC_ROWS
        block_see(&q.s, &block.seen[0]);
        const Observation o = observation(&always, q.step, &block.seen[0], PAST - 1);
        block_find(&block, &o);
        METRIC_NAMES(START_METRIC)
#endif
#if FRAME_ROWS
        real frame[FRAME_ROWS];
        find_frame(q.step, q.n.updates, &q, &p, set.h, frame);
        save_whole(sampling.taken, (whole)(0));
        sample_due = choose_whole(good, take_sample(&sampling, good & (column >= 0), frame), sample_due);
#endif
    }

    // Advance along one path after another until the slice's work is done: `halfway` are lanes that have to go on
    // within their step, which those that `stepped` wait for, unless `flat`.
    // What it has done is what it ends with, less what it began with, which memory holds meanwhile.
    save_whole(cost + at, point_work(&q));
    tally_add(tally, TALLY_OTHER, -(ulong)sum_lanes(q.n.other_solves));
    rare_keep(&q, &rare);
    uint work = 0;
    mask running = (q.status == RUNNING) & (q.step < set.steps), halfway = NO, stepped = NO;
    while (any_lane(running) && work < work_limit) {
        mask active = any_lane(halfway) ? halfway : running;
#if IMPLICIT || ADAPTIVE
        const mask spent = active & ((ADAPTIVE ? q.n.other_solves : q.n.updates) >= set.budget);
        if (UNLIKELY(any_lane(spent))) {
            rare_take(&q, &rare);
            q.status = choose_whole(spent, (whole)(STATUS_BUDGET_EXCEEDED), q.status);
            rare_keep(&q, &rare);
            active = active & !spent;
            running = running & !spent;
        }
#endif
        Path path = path_begin(active, &q, &set, &rare, work, work_limit);
#if FRAME_ROWS
        Series series = series_begin(&sampling, LONG_PATHS && path.all, q.step, sample_due);
#endif
        bool straight;
        do {
            straight = attempt(&path, &q, &p, &m, &set, &rare, &stepped);
            if (!straight && any_lane(path.active) && !flat && path.work < work_limit)
                break;
            const whole step = q.step + path.taken;
            stepped = straight ? path.active : stepped;

            // Observe what has stepped, many steps at once. Lanes that have not stepped are rare: what they have is
            // kept in memory meanwhile.
            const bool on = LONG_PATHS && straight && path.steps_left > 0 && path.work < path.work_end;
#if METRIC_ROWS
            const bool partly = straight ? !path.all : !all_lanes(stepped);
            block_see(&q.s, &block.seen[NUMBER(seen)]);
            seen += 1;
            if (UNLIKELY(partly || !on || seen == BLOCK)) {
                const uint last = NUMBER(seen - 1), from = partly ? last : 0;
                if (BLOCK > 1 && from > 0)
                    observe_block(&block, &metrics, &always,
                                  choose_whole(stepped, step - 1, step) - (SCALAR_WHOLE)(last - 1), 0, last);
                if (UNLIKELY(partly)) {
                    Cursor c = {metric_rows, stride};
                    METRICS(PUT_METRIC_REAL, PUT_METRIC_WHOLE)
                }
                observe_block(&block, &metrics, &always, step - (SCALAR_WHOLE)(last - from), from, last + 1);
                if (UNLIKELY(partly)) {
                    Cursor c = {metric_rows, stride};
                    METRICS(RECALL_REAL, RECALL_WHOLE)
                }
                block_begin(&block, last, partly, stepped);
                seen = 0;
            }
#endif
#if FRAME_ROWS
            // The next sample of a running lane is always due after a later step.
            mask due = YES;
            bool wanted;
            if (series.together && straight) {
                series.left -= 1;
                wanted = series.left == 0;
            } else {
                sample_due = series_end(&series, &sampling, sample_due);
                due = stepped & (step == sample_due);
                wanted = any_lane(due);
            }
            if (wanted) {
                real frame[FRAME_ROWS];
                find_frame(step, q.n.updates + STAGES * path.taken, &q, &p, set.h, frame);
                if (series.together)
                    series_take(&series, frame);
                else
                    sample_due = choose_whole(due, take_sample(&sampling, due, frame), sample_due);
            }
#endif
            stepped = NO;
            if (!on)
                break;
        } while (true);
        work = path.work;
        path_count(&path, &q);
#if FRAME_ROWS
        sample_due = series_end(&series, &sampling, sample_due);
#endif
        running = running & !path.lost & (q.step < set.steps);
        halfway = straight || flat ? NO : path.active;
    }

    // Save the state for the next slice, the results as they are now, and what it cost.
    const whole before = first ? (whole)(0) : load_whole(rare.rows);
    rare_take(&q, &rare);
    Cursor c = {state + at, stride};
    STATE(PUT_VECTOR)
#if RELATIVE
    EACH_DOF(i)
        put(&c, q.v_scale[i]);
#endif
    POINT_ROWS(PUT_REAL, PUT_WHOLE)
    METRICS(PUT_METRIC_REAL, PUT_METRIC_WHOLE)
    EACH_TRACK(PUT_TRACK)
    const mask  ended_well = (q.status == RUNNING) & (q.step >= set.steps);
    const whole status = choose_whole(ended_well, (whole)(STATUS_OK), q.status);
    const mask  ok = status == STATUS_OK;
    real        result[RESULT_ROWS];
    int         next = 0;
    for (int i = 0; i < DOF; ++i) {
        result[i] = choose(ok, q.s.x[i], NOT_A_NUMBER);
        result[DOF + i] = choose(ok, q.s.v[i], NOT_A_NUMBER);
    }
    result[RESULT_STATUS(DOF)] = as_real(status);
    next = RESULT_METRICS(DOF);
#if METRIC_ROWS
    block_see(&q.s, &block.seen[0]);
    const Observation o = observation(&always, q.step, &block.seen[0], PAST - 1);
    block_find(&block, &o);
#endif
    RESULTS(SAVE_REAL, SAVE_WHOLE)
#if FRAME_ROWS
    result[next++] = as_real(load_whole(sampling.taken));
#endif
    const whole place = load_whole(parameters + at + ROW_PLACE * stride);
    save_results(place, result, results, places);
#if KEPT_ROWS
    if (any_lane(!running)) {
        int kept_row = RESULT_ROWS;
        SAMPLES(SAVE_KEPT)
    }
#endif

    const whole used = point_work(&q) - load_whole(cost + at), steps = q.step - before;
    save(cost + at, choose(running, to_real(used) / to_real(steps + 1), ZERO - 1.0));
    tally_add(tally, TALLY_RUNNING, (ulong)sum_lanes(count((whole)(0), running)));
    tally_add(tally, TALLY_STEPS, (ulong)sum_lanes(steps));
    tally_add(tally, TALLY_USED, (ulong)sum_lanes(used));
    tally_add(tally, TALLY_SPENT, (ulong)work * LANES);
    tally_add(tally, TALLY_OTHER, (ulong)sum_lanes(q.n.other_solves));
}

// Moves points to other columns: column i of `to` becomes column source[i] of `from`. Numbers go as they are, bit by
// bit, whatever they stand for. Of the level stack, which follows `rows` rows of state, only the levels go along that a
// point is below: nothing was written to the others.
kernel void regroup(REGROUP_ARGUMENTS(HEAD_ARGUMENT, NEXT_ARGUMENT))
{
    const size_t column = get_global_id(0), taken = source[column];
    const uint   stack = level_row ? 2 * DOF * (uint)from[level_row * points + taken] : 0;
    for (uint row = 0; row < rows + stack; ++row)
        to[row * points + column] = from[row * points + taken];
}

#ifdef LAUNCH  // where no driver calls a kernel with its arguments
LAUNCH(sweep, SWEEP_ARGUMENTS)
LAUNCH(regroup, REGROUP_ARGUMENTS)
#endif
