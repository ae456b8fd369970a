// save.h -- saves results and cost of a slice.

#include "samples.h"

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

// Writes the samples of a result to their places; from number `count` on there are none.
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

#define SAVE_REAL(value) result[next++] = choose(ok, value, NOT_A_NUMBER);
#define SAVE_WHOLE(value) result[next++] = as_real(value);
#define SAVE_SAMPLES(name, count)                                                                 \
    save_kept(place, ok, count, o->kept + (size_t)(name##_AT) * o->stride, o->stride, name##_PER, \
              name##_MOST * name##_PER, results, places);                                         \
    results += (size_t)(name##_MOST * name##_PER) * places;

// Saves the results as they are now: of points that have not ended, or not well, only counters and the status are
// numbers. Samples that metrics keep are saved once a point has ended.
//   o        the last observation
//   running  points that go on in the next slice
//   place    columns of `results`
static void save_point(const Point *q, const Observation *o, const Metrics *metrics, const Sampling *sampling,
                       mask running, whole place, global SCALAR *results, size_t places)
{
    const mask  ended_well = (q->status == RUNNING) & (q->step >= o->steps);
    const whole status = choose_whole(ended_well, (whole)(STATUS_OK), q->status);
    const mask  ok = status == STATUS_OK;
    real        result[RESULT_ROWS];
    int         next = RESULT_METRICS(DOF);
    EACH_DOF(i) {
        result[i] = choose(ok, q->s.x[i], NOT_A_NUMBER);
        result[DOF + i] = choose(ok, q->s.v[i], NOT_A_NUMBER);
    }
    result[RESULT_STATUS(DOF)] = as_real(status);
    RESULTS(SAVE_REAL, SAVE_WHOLE)
#ifdef TANGENTS
    for (int i = DOF; i < STATE_DOF; ++i) {
        result[next++] = choose(ok, q->s.x[i], NOT_A_NUMBER);
        result[next++] = choose(ok, q->s.v[i], NOT_A_NUMBER);
    }
#endif
    if (FRAME_ROWS)
        result[next] = as_real(load_whole(sampling->taken));
    save_results(place, result, results, places);
    if (KEPT_ROWS && any_lane(!running)) {
        results += RESULT_ROWS * places;
        SAMPLES(SAVE_SAMPLES)
    }
}

// The cost of a point so far: substeps tried and updates made.
static whole point_work(const Point *q)
{
    const whole steps = ADAPTIVE ? (whole)(0) : q->step - q->n.halved_steps;
    return q->n.updates + steps + q->n.other_solves / (STAGES > 1 ? STAGES : 1);
}

// Adds to a sum of two words, the lower one first.
static void tally_add(global uint *tally, int which, ulong n)
{
    global uint *sum = tally + 2 * which;
    const uint   low = (uint)n, before = atomic_add(&sum[0], low), carry = (uint)(before + low) < before;
    atomic_add(&sum[1], (uint)(n >> 32) + carry);
}

// A slice costs the work of its points at its end, less that at its beginning, which `cost` holds meanwhile.
//   before  steps taken when the slice began
static void cost_end(const Point *q, whole before, mask running, uint work, global SCALAR *cost, global uint *tally)
{
    const whole used = point_work(q) - load_whole(cost), steps = q->step - before;
    save(cost, choose(running, to_real(used) / to_real(steps + 1), ZERO - 1.0));
    tally_add(tally, TALLY_RUNNING, (ulong)sum_lanes(count((whole)(0), running)));
    tally_add(tally, TALLY_STEPS, (ulong)sum_lanes(steps));
    tally_add(tally, TALLY_USED, (ulong)sum_lanes(used));
    tally_add(tally, TALLY_SPENT, (ulong)work * LANES);
}
