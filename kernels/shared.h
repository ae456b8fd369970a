// shared.h -- lists (X-macros) and numbers that kernels and host share: OpenCL C and C both include it.
//
// Buffers are rows of columns, a column to each point. Where a row holds integers, they are as wide as its reals.
#ifndef PENDULA_SHARED_H
#define PENDULA_SHARED_H

// How a point stands or ended; the numbers are the result file's flag_values.
#define STATUSES(X)                     \
    X(NOT_RUN, not_run) /* as yet */    \
    X(OK, ok)                           \
    X(NEWTON_FAILED, newton_failed)     \
    X(DEPTH_EXCEEDED, depth_exceeded)   \
    X(BUDGET_EXCEEDED, budget_exceeded) \
    X(NOT_FINITE, not_finite)           \
    X(SINGULAR, singular)               \
    X(CHATTER, chatter)
#define STATUS_NUMBER(NAME, word) STATUS_##NAME,
typedef enum Status { STATUSES(STATUS_NUMBER) STATUS_COUNT } Status;

// The deepest halving of a step. A place within a step is counted in units of 2^-MOST_DEPTH of it.
#define MOST_DEPTH 20

// The least size of an adaptive method's substep is the larger of two: this part of the step, and this part of the time
// reached in the step, which still has digits for it.
#define LEAST_OF_STEP(single) ((single) ? 0x1p-60 : 0x1p-100)
#define LEAST_OF_REACHED(single) ((single) ? 0x1p-20 : 0x1p-48)

// Arguments of the kernel `sweep`: the name of the place, the type, the argument's name.
#define SWEEP_ARGUMENTS(HEAD, NEXT)                                                                                \
    HEAD(STATE, global SCALAR *, state)                 /* [rows][points] in and out: each point between slices */ \
    NEXT(PARAMETERS, global const SCALAR *, parameters) /* [rows][points] in */                                    \
    NEXT(RESULTS, global SCALAR *, results)     /* [rows][places] out: what points have now; at the end final */   \
    NEXT(FRAMES, global SCALAR *, frames)       /* [tile][samples][FRAME_ROWS][TILE] out: samples taken */         \
    NEXT(TALLY, global uint *, tally)           /* [TALLY_COUNT][2] in and out: added to */                        \
    NEXT(TABLES, global const SCALAR *, tables) /* [sample][TABLE_ROWS] in: what points should do */               \
    NEXT(COST, global SCALAR *, cost)           /* [points] out: what a step took; below 0: the point ended */     \
    NEXT(POINTS, ulong, points)                 /* columns of state and parameters */                              \
    NEXT(PLACES, ulong, places)                 /* columns of results */                                           \
    NEXT(SAMPLES, ulong, samples)               /* most of a point */                                              \
    NEXT(BASE, ulong, base)                     /* the launch's first column */                                    \
    NEXT(FIRST, uint, first)                    /* 1: begin at t = 0; 0: go on from `state` */                     \
    NEXT(WORK_LIMIT, uint, work_limit)          /* substeps tried and updates made that end a slice */             \
    NEXT(DIVISOR, long, sample_divisor)         /* of ROW_REMAINDER */

// Arguments of the kernel `regroup`.
#define REGROUP_ARGUMENTS(HEAD, NEXT)                                                                                \
    HEAD(FROM, global const SCALAR_WHOLE *, from) /* [rows][points] */                                               \
    NEXT(TO, global SCALAR_WHOLE *, to)           /* [rows][points] */                                               \
    NEXT(SOURCE, global const uint *, source)     /* [global size] the column of `from` that each of `to` becomes */ \
    NEXT(STRIDE, ulong, points)                                                                                      \
    NEXT(ROWS, uint, rows)           /* that are moved whole */                                                      \
    NEXT(LEVEL_ROW, uint, level_row) /* the state's row of the level; 0: no level stack follows */

// Rows of `parameters`; from ROW_PROBLEM on the parameters of the problem, then of the method and of the metrics, in
// card order. Sample k is due after step k EVERY + floor(k REMAINDER / divisor).
enum {
    ROW_H,
    ROW_STEPS,
    ROW_TOLERANCE,
    ROW_MAX_UPDATES,
    ROW_BUDGET,
    ROW_PLACE,  // where the point stands in its batch: the column of its results
    ROW_SLOT,   // its column of frames; -1: none
    ROW_EVERY,
    ROW_REMAINDER,
    ROW_TABLE,        // number of the first sample of its table
    ROW_TABLE_EVERY,  // steps between two
    ROW_PROBLEM
};

// Rows of `state`: the State's vectors first, so that a method can be probed by writing them; the members of Point
// listed here; of an adaptive method those of SUBSTEP_ROWS; of a sweep with breaks those of BREAK_ROWS, with events
// also those of EVENT_ROWS, the sides and the numbers of events, and their times; with deviations the sizes of x and v;
// the metrics'; samples that metrics keep; the number of the next sample, where there are frames; at the end the level
// stack of two-step methods. Rows under RARE are moved only off the straight path of a step.
#define PLACE_ROWS(X) PLACE_ROWS_OF(X, X)
#define PLACE_ROWS_OF(X, RARE) X(step) RARE(index) RARE(level) RARE(status)
#define COUNTER_ROWS(X) COUNTER_ROWS_OF(X, X, X, X, X)
#define COUNTER_ROWS_OF(X, RARE, STEP_UPDATES, JACOBIANS, STAGNATED) \
    RARE(n.substeps)                                                 \
    X(n.updates)                                                     \
    RARE(n.updates_this_step)                                        \
    STEP_UPDATES(n.updates_per_step_max)                             \
    RARE(n.halved_steps)                                             \
    RARE(n.other_solves)                                             \
    JACOBIANS(n.jacobians)                                           \
    RARE(n.failed_solves)                                            \
    STAGNATED(n.stagnated_solves)                                    \
    RARE(n.depth_max)
#define CONDITION_ROWS(X) X(condition.largest) X(condition.last) X(condition.log_sum) X(condition.product)
#define SUBSTEP_ROWS(X) X(reached) X(proposed) X(unsolved) X(forced)
#define BREAK_ROWS(X) X(passed) X(next) X(begun) X(gap)
#define EVENT_ROWS(X) X(low) X(high) X(spared) X(crowd) X(ended)

// Rows of `results`: x, v, the status, the metrics', where there are frames the number of samples taken, and samples of
// metrics, those of a variable in a row.
#define RESULT_STATUS(dofs) (2 * (dofs))
#define RESULT_METRICS(dofs) (2 * (dofs) + 1)

// Frames lie in tiles of so many columns: the columns of one lane group, or of 64 points side by side, so that numbers
// written at a time lie together.
#define FRAME_TILE(lanes) ((lanes) == 1 ? 64 : (lanes))

// The sums of a slice, each in two words, the lower one first.
enum {
    TALLY_RUNNING,  // points still at work
    TALLY_STEPS,    // taken
    TALLY_USED,     // substeps tried and updates made by points
    TALLY_SPENT,    // the same by lanes, waiting ones included
    TALLY_COUNT
};

// Quantities that kernels keep only where a result or a field asks for them (card key `records`): RECORD_CONDITION and
// so on are then 1.
#define RECORDS(X)                                                                  \
    X(CONDITION, condition)           /* condition numbers of Newton matrices */    \
    X(CONDITION_MEAN, condition_mean) /* the product of those of accepted solves */ \
    X(STEP_UPDATES, step_updates)     /* most updates of a step */

#endif
