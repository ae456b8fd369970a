// sweep.cl -- the kernel: load a lane group's points, advance them by a bounded amount of work, observe, save.
//
// Buffers are [row][column], the column fastest, a point to each column. A launch (a slice) ends by work, also inside a
// step, because one step may hold 2^20 substeps; the next slice goes on from the saved state with the same bits. Each
// lane goes on with its own next substep: one that must halve its step, or whose solve takes long, holds up no other.
// That changes no bit of any point, nor does the order of the columns: between slices regroup() moves points to other
// columns, so that those which cost alike are neighbours and finished ones make room.
//
// shared.h lists the arguments and the rows of the buffers. The prologue above this file defines DOF, State, Params,
// MethodParams, Metrics, the settings of the group and lists (X-macros) of the members of these structs, by which
// rows.h, load.h, observe.h and save.h visit them. A group lacks the parts that nothing asks for: METRIC_ROWS or
// FRAME_ROWS is 0 then, and an `if` on the constant leaves the part out.

#include "load.h"
#include "save.h"

#define HEAD_ARGUMENT(NAME, type, name) type name
#define NEXT_ARGUMENT(NAME, type, name) , type name

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void sweep(SWEEP_ARGUMENTS(HEAD_ARGUMENT, NEXT_ARGUMENT))
{
    if (points == 0)  // a launch that only compiles
        return;
    const size_t         at = base + get_global_id(0) * LANES, stride = points;
    global SCALAR       *column = state + at;
    global const SCALAR *given = parameters + at;
#if LEAVES
    Left       left = {.any = false, .lanes = NO};
    const Rare rare = {column + (size_t)VECTOR_ROWS * stride, stride, &left};
#else
    const Rare        rare = {column + (size_t)VECTOR_ROWS * stride, stride};
#endif
    Params           p;
    MethodParams     m;
    struct Arguments arguments;
    Settings         set;
    Point            q;
    Metrics          metrics;
    Block            block;
    Seen             earlier;

    // Load: settings and parameters, then the points as the last slice saved them, or at t = 0.
    load_settings(given, stride, &set);
    load_parameters(given, stride, &p, &m, &arguments);
#ifdef CURVES
    p.curves = tables;
#endif
    settle_tolerance(&m, &set);
#if LEAVES
    left.rest = load_whole(set.max_updates);
    left_limit(&left);
#endif
    const Params shown = p;  // so that nothing else points to p, which the steps read
    // The rows at the end: what metrics keep, the states a step before, the samples so far.
    const size_t      taken_row = STATE_ROWS - (FRAME_ROWS > 0), earlier_row = taken_row - EARLIER_ROWS;
    const Observation always = {.h = set.h,
                                .steps = set.steps,
                                .p = &shown,
                                .arguments = &arguments,
                                .block = &block,
                                .kept = column + (earlier_row - KEPT_ROWS) * stride,
                                .stride = stride,
                                .tables = tables,
                                .table = load_whole(given + ROW_TABLE * stride),
                                .table_every = load_whole(given + ROW_TABLE_EVERY * stride),
                                ARC(.step_length = set.h)};
    const Sampling    sampling = {frames,
                                  column + (size_t)(STATE_ROWS - 1) * stride,
                                  given,
                                  stride,
                                  samples,
                                  first_column(load_whole(given + ROW_SLOT * stride)),
                                  (SCALAR_WHOLE)sample_divisor,
                                  START_TIME(&p)};
    whole             sample_due = (whole)(-1);
    block_clear(&block);
    if (!first) {
        load_state(column, stride, &q, &metrics, &block);
        if (EARLIER_ROWS)
            pass_earlier(LOADS, column + earlier_row * stride, stride, &earlier);
        if (FRAME_ROWS)
            sample_due = sampling_go_on(&sampling, q.status == RUNNING);
    } else {
        begin_state(&p, &m, &set, &q);
        if (EARLIER_ROWS)
            block_see(&q.s, &earlier);
        if (METRIC_ROWS)
            begin_metrics(&block, &metrics, &always, &q);
        if (FRAME_ROWS)
            sample_due = sampling_begin(&sampling, q.status == RUNNING, &q, &p, set.h);
    }
    save_whole(cost + at, point_work(&q));
    rare_keep(&q, &rare);

    // Advance along one path after another until the slice's work is done. `stepped` are lanes that completed a step.
    uint work = 0, seen = 0;  // observations in the block
    mask running = (q.status == RUNNING) & (q.step < set.steps), stepped = NO;
    while (any_lane(running) && (work < work_limit || ANY_LEFT(&rare))) {
        mask active = running;
#if LEAVES
        // At the end of a slice solves that were left are gone on with to their end.
        if (work >= work_limit) {
            active = left.lanes;
            left.limit = left.rest;
        }
#endif
        const mask spent = active & budget_spent(&q, &set) & !LEFT(&rare);
        if (UNLIKELY(any_lane(spent))) {
            end_spent(spent, &q, &rare);
            active = active & !spent;
            running = running & !spent;
        }
        Path path = path_begin(active, &q, &set, &rare, work, work_limit);
#ifdef BREAK_NUMBERS
        breaks_window(&q, &p);
#endif
        Series series;
        if (FRAME_ROWS)
            series = series_begin(&sampling, LONG_PATHS && !TIMED && path.all, q.step, sample_due);
        bool straight;
        do {
#ifdef ARCS
            Seen begun;
            block_see(&q.s, &begun);
#endif
            straight = attempt(&path, &q, &p, &m, &set, &rare, &stepped);
            ARC(arcs_observe(&path, &begun, &always, &metrics, &sampling, &q, &p, &set);)
            if (LANES == 1 && !straight && path.work < work_limit && !any_lane(stepped) && any_lane(path.active))
                break;
            stepped = straight ? path.active : stepped;
#ifdef DEVIATIONS
            real growth[TANGENTS];
            deviations_step(stepped, &q, growth);
#endif

            // Observe the lanes that have stepped: metrics look at many steps at once.
            const bool on = LONG_PATHS && straight && path.steps_left > 0 && path.work < path.work_end;
            if (METRIC_ROWS) {
                const bool partly = straight ? !path.all : !all_lanes(stepped);
                block_see(&q.s, &block.seen[NUMBER(seen)]);
#ifdef DEVIATIONS
                EACH_TANGENT(j)
                    block.seen[NUMBER(seen)].growth[j] = growth[j];
#endif
                seen += 1;
                if (UNLIKELY(partly || !on || seen == BLOCK)) {
                    observe_steps(&block, &metrics, &always, q.step + path.taken, NUMBER(seen - 1), partly, stepped);
                    seen = 0;
                }
            }
            if (FRAME_ROWS)
                sample_due =
                    sampling_observe(&sampling, &series, sample_due, straight, stepped, &path, &earlier, &q, &p, set.h);
            if (EARLIER_ROWS)
                EACH_OF_STATE(i) {
                    earlier.x[i] = choose(stepped, q.s.x[i], earlier.x[i]);
                    earlier.v[i] = choose(stepped, q.s.v[i], earlier.v[i]);
                }
#ifdef EVENTS
            q.crowd = choose(stepped, ZERO, q.crowd);
#endif
            stepped = NO;
            if (!on)
                break;
        } while (true);
        work = path.work;
        path_count(&path, &q);
        if (FRAME_ROWS)
            sample_due = series_end(&series, &sampling, sample_due);
        running = running & !path.lost & (q.step < set.steps);
    }

    // Save: the state for the next slice, the cost of this one, and the results as they are now.
    const whole before = first ? (whole)(0) : load_whole(rare.rows);
    rare_take(&q, &rare);
    pass_state(SAVES, column, stride, &q, &metrics, &block);
    if (EARLIER_ROWS)
        pass_earlier(SAVES, column + earlier_row * stride, stride, &earlier);
    cost_end(&q, before, running, work, cost + at, tally);
#ifdef EVENTS
    // A point that an event has ended has no further steps.
    Observation last = observe_now(&block, &always, &q);
    last.steps = choose_whole(q.status == STATUS_OK, last.step, last.steps);
#else
    const Observation last = observe_now(&block, &always, &q);
#endif
    save_point(&q, &last, &metrics, &sampling, running, load_whole(given + ROW_PLACE * stride), results, places);
}

// Moves points to other columns: column i of `to` becomes column source[i] of `from`. Numbers go as they are, bit by
// bit, whatever they stand for. Of the level stack, which follows `rows` rows of state, only the levels go along that a
// point is below: nothing was written to the others.
kernel void regroup(REGROUP_ARGUMENTS(HEAD_ARGUMENT, NEXT_ARGUMENT))
{
    const size_t column = get_global_id(0), taken = source[column];
    const uint   stack = level_row ? 2 * STATE_DOF * (uint)from[level_row * points + taken] : 0;
    for (uint row = 0; row < rows + stack; ++row)
        to[row * points + column] = from[row * points + taken];
}

#ifdef LAUNCH  // where no driver calls a kernel with its arguments
LAUNCH(sweep, SWEEP_ARGUMENTS)
LAUNCH(regroup, REGROUP_ARGUMENTS)
#endif
