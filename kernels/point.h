// point.h -- what one lane group knows of its points: state, place in time, counters.
//
// A point's time since it began is (step + index * 2^-20) * h. Within a step that had to be halved, (level, index) name
// the substep to be tried next: a dyadic interval of size h * 2^-level that begins at index * 2^-20 * h. Plain stepping
// has level 0 and index 0. Every integer is a `whole`, so that the host stores and a later slice loads it through rows
// of reals; all zero is a point at its first step.

#include "shared.h"

#define FULL_STEP (1 << MOST_DEPTH)

// Values of SOLVER (newton.h).
#define NEWTON 0
#define LINEARISED 1
#define LINE_SEARCH 2

// Whether solves that take long can be left and gone on with.
#define LEAVES (LANES > 1 && STAGES == 1 && SOLVER == NEWTON && !MODIFIED && !ADAPTIVE)

// Values of START: how a two-step method begins a substep that has no earlier point at its own spacing.
#define START_THETA1 0
#define START_TRAPEZOIDAL 1
#define START_VARIABLE 2

// Solves are not counted where nothing happens: their number is that of the steps taken by one solve, step -
// halved_steps, plus other_solves, which failed or were smaller than a step or led to a state that is no number. (A
// step of several stages has that many times as many.) An adaptive method counts in other_solves all its solves, or the
// substeps it tried where it is explicit.
// Likewise updates_this_step holds those of a step under way only where it was halved, and updates_per_step_max leaves
// out steps that took one update. Where every update has a Jacobian of its own (MODIFIED is 0), jacobians holds only
// the singular ones, which gave no update.
typedef struct Counters {
    whole substeps, updates, updates_this_step, updates_per_step_max, halved_steps, other_solves, jacobians,
        failed_solves, stagnated_solves, depth_max;
} Counters;

// Condition numbers of the Newton matrices: largest ever, the last accepted solve's last one, and for the logarithmic
// mean over accepted solves the product of those that the sum of logarithms does not hold yet.
typedef struct Condition {
    real largest, last, log_sum, product;
} Condition;

// The time at which a point begins, which a sweep may set (START_TIME), and its time after so many steps, whole or not.
#ifdef START_TIME
#define TIME_AFTER(steps, h, p) ((steps) * (h) + START_TIME(p))
#else
#define START_TIME(p) ZERO
#define TIME_AFTER(steps, h, p) ((steps) * (h))
#endif

enum { RUNNING = STATUS_NOT_RUN };  // the status of a point that has not ended

typedef struct Point {
    State s;  // x, v and the method's own vectors: generated from the method's card
#if RELATIVE
    real v_scale[DOF];  // sizes of the velocities of the substeps before
#endif
    whole step, index, level, status;
    real  size;   // of the substep to be tried next, h 2^-level
    real  ratio;  // of size to the distance of the earlier point of a two-step method; 0: it has none
    bool  apart;  // a running lane is within a halved step, or a two-step method at its first one
#if ADAPTIVE
    real reached, proposed;  // time since the step began; size of the next substep
    real unsolved, forced;   // solves that failed; substeps of the least size that were taken with a larger error
#endif
#ifdef BREAK_NUMBERS
    // The last break and the next one; how far into its step the piece under way begins; the length of the piece before
    // it, 0 behind a break. The piece is a part of a step; it is the last of its step.
    real passed, next, begun, gap;
    mask cut, last;
#endif
#ifdef EVENTS
    // The bracket of a search (events.h): high is 0 where there is none, and below 0 at an event that has not passed.
    // Updates, or trials of an explicit method, that count towards no budget. Places of events in the step. The time at
    // which the point ends. Of each event the side, doubled where it has crossed, and how often it passed; times.
    real low, high, spared, crowd, ended, side[EVENTS], seen[EVENTS], times[EVENT_TIMES + 1];
#endif
#ifdef DEVIATIONS
    real size_x[DOF], size_v[DOF];  // the largest that each component has had (deviations.h)
#endif
    Counters  n;
    Condition condition;
} Point;

// Solves that failed, and those of all that were made; substeps that were taken with a larger error than is permitted.
static whole count_unsolved(const Point *q)
{
#if ADAPTIVE
    return to_whole(q->unsolved);
#else
    return q->n.failed_solves;
#endif
}

static whole count_solves(const Point *q)
{
    return ADAPTIVE ? q->n.other_solves : STAGES * (q->step - q->n.halved_steps) + q->n.other_solves;
}

static whole count_forced(const Point *q)
{
#if ADAPTIVE
    return to_whole(q->forced);
#else
    return (whole)(0);
#endif
}

// Where an item is one point, as on a GPU, what a step rarely needs is not held in registers. The pointers to it are
// volatile because a compiler would else find the address of each row before the first step, and hold them all. Lanes
// are for CPUs, whose compilers move to their stack what is rarely needed.
#define UNHELD_ROWS (LANES == 1 && !ADAPTIVE)
#if UNHELD_ROWS
#define UNHELD volatile
#else
#define UNHELD
#endif

// What is the same for all steps of a point.
typedef struct Settings {
    real                        h, tolerance;
    whole                       steps, budget;
    global const SCALAR *UNHELD max_updates;  // where it stands: a solve that needs one update does not ask
} Settings;

#if EXTRAPOLATED
// What a guess remembers of the substeps before belongs to one size of substep: where the next one has another size, or
// is the first, it is NaN.
static void guess_forget(mask m, State *s)
{
#define FORGET(name) \
    EACH_OF_STATE(i) \
        s->name[i] = choose(m, NOT_A_NUMBER, s->name[i]);
    GUESS_STATE(FORGET)
#undef FORGET
}
#endif

struct Arguments;  // what the sweep's entries of metrics say: numbers and words, by metric (ARGUMENT(name) in its file)

// The state as metrics see it, and its tangents behind it.
typedef struct Seen {
    real x[STATE_DOF], v[STATE_DOF];
#ifdef DEVIATIONS
    real growth[TANGENTS];  // of each deviation in the step that led here (deviations.h)
#endif
} Seen;

struct Block;  // observations of the last steps (observation.h)

// What a metric sees at t = 0, after every step and at the end.
typedef struct Observation {
    real          t, before, after, h;  // its time, that of the observation before it and of the next one; the step
    whole         step, steps;
    const Seen   *s;
    const Params *p;
    const struct Arguments *arguments;
#ifdef ARCS
    real step_length;  // where h is the length of an arc
#endif
#ifdef DENSE
    const State *dense;  // the method's own vectors of the arc
#endif
    // Where it stands among others.
    const struct Block *block;
    uint                place;
    // Rows of the state in which metrics keep samples: the first lane's column of the first row.
    global SCALAR *kept;
    size_t         stride;
    // Of solution.h: samples of all tables, the number of the point's first, and its steps between two.
    global const SCALAR *tables;
    whole                table, table_every;
} Observation;

#ifdef ARCS
#define STEP_LENGTH(o) (o)->step_length
#else
#define STEP_LENGTH(o) (o)->h
#endif

// Keeps number i of sample k of a metric's result, in the lanes `due`: KEEP(result, due, k, i, value) in a metric's
// file. What is kept at the count of the samples taken is not one yet.
//   at, per, most  first row; numbers of a sample; samples there is room for
static void keep(const Observation *o, size_t at, size_t per, size_t most, mask due, whole k, size_t i, real value)
{
    SCALAR_WHOLE wanted[LANES], places[LANES];
    SCALAR       numbers[LANES];
    spread_whole(due, wanted);
    spread_whole(k, places);
    spread(value, numbers);
    for (size_t lane = 0; lane < LANES; ++lane)
        if (wanted[lane] && places[lane] < (SCALAR_WHOLE)most)
            o->kept[(at + (size_t)places[lane] * per + i) * o->stride + lane] = numbers[lane];
}
#define KEEP(result, due, k, i, value) KEEP_OF(M(result), due, k, i, value)
#define KEEP_OF(name, due, k, i, value) KEEP_AT(name, due, k, i, value)
#define KEEP_AT(name, due, k, i, value) keep(o, name##_AT, name##_PER, name##_MOST, due, k, i, value)

#if FIRST_ORDER
// From what stands between steps to what a step works with, and back (first_order.h).
static void state_enter(State *s)
{
    EACH_OF_STATE(i) {
        s->v[i] = s->x[i];
        s->x[i] = ZERO;
#if HISTORY
        s->v_prev[i] = s->x_prev[i];
        s->x_prev[i] = ZERO;
#endif
    }
}

static void state_leave(State *s)
{
    EACH_OF_STATE(i) {
        s->x[i] = s->v[i];
        s->v[i] = ZERO;
#if HISTORY
        s->x_prev[i] = s->v_prev[i];
        s->v_prev[i] = ZERO;
#endif
    }
}
#define ENTER(s) state_enter(&(s));
#define LEAVE(s) state_leave(&(s));
// x is none of what a step controls the error of.
#define ERROR_OF_X(error) ZERO
#else
#define ENTER(s)
#define LEAVE(s)
#define ERROR_OF_X(error) error
#endif

#if LEAVES
// A solve that takes long would hold up the lanes beside it. So an attempt ends after PATIENCE updates, and the next
// one goes on from there, while other lanes begin their next substep. A solve compares its first three residuals with
// the one at its guess (newton_miss()), so that it is not left before. None outlives its slice.
//
// Volatile, because compilers would else hold these vectors in registers through all steps.
#define PATIENCE 10

typedef struct Left {
    bool           any;    // some solves were left
    volatile mask  lanes;  // whose
    volatile whole rest;   // the most updates that a lane's solve may still make
    volatile whole limit;  // those of them that the next attempt may make
    volatile real  u[STATE_DOF];
} Left;

static void left_limit(Left *left)
{
    const whole rest = left->rest;
    left->limit = choose_whole(rest > PATIENCE, (whole)(PATIENCE), rest);
}
#define ANY_LEFT(rare) (rare)->left->any
#define LEFT(rare) (UNLIKELY((rare)->left->any) ? (rare)->left->lanes : NO)
#else
#define ANY_LEFT(rare) false
#define LEFT(rare) NO
#endif

// Where the rare members of a Point stay, those that a step on the straight path neither reads nor moves: in their rows
// of `state`, so that such a step has the registers. Who needs them takes them, and keeps what it has moved. An
// adaptive method has no straight path.
typedef struct Rare {
    global SCALAR *UNHELD rows;  // the first of PLACE_ROWS
    size_t                stride;
#if LEAVES
    Left *left;
#endif
} Rare;

#define ONE_VECTOR(name) +STATE_DOF
#define VECTOR_ROWS (0 STATE(ONE_VECTOR) + (RELATIVE ? DOF : 0))
#define PASS_ROW(name) row += stride;
#define TAKE_ROW(name)         \
    q->name = load_whole(row); \
    row += stride;
#define KEEP_ROW(name)        \
    save_whole(row, q->name); \
    row += stride;
#if MODIFIED
#define RARE_JACOBIANS(RARE) PASS_ROW
#else
#define RARE_JACOBIANS(RARE) RARE
#endif
#if IMPLICIT && FLOOR_GUARD
#define RARE_STAGNATED(RARE) PASS_ROW
#else
#define RARE_STAGNATED(RARE) RARE
#endif
#if RECORD_STEP_UPDATES
#define RARE_STEP_UPDATES(RARE) PASS_ROW
#else
#define RARE_STEP_UPDATES(RARE) RARE
#endif
#define RARE_ROWS(RARE)           \
    PLACE_ROWS_OF(PASS_ROW, RARE) \
    COUNTER_ROWS_OF(PASS_ROW, RARE, RARE_STEP_UPDATES(RARE), RARE_JACOBIANS(RARE), RARE_STAGNATED(RARE))

static void rare_take(Point *q, const Rare *rare)
{
#if UNHELD_ROWS
    global const SCALAR *row = rare->rows;
    const size_t         stride = rare->stride;
    RARE_ROWS(TAKE_ROW)
#endif
}

static void rare_keep(Point *q, const Rare *rare)
{
#if UNHELD_ROWS
    global SCALAR *row = rare->rows;
    const size_t   stride = rare->stride;
    RARE_ROWS(KEEP_ROW)
#endif
    q->apart = any_lane((q->status == RUNNING) & ((q->level > 0) | (HISTORY & (q->step == 0))));
}

#ifdef BREAK_NUMBERS
// Between breaks a step is taken in pieces, of which an adaptive method has moved the beginning where it has come to.
#if ADAPTIVE
#define PIECE_BEGUN(q) (q)->reached
#else
#define PIECE_BEGUN(q) (q)->begun
#endif

// Where the piece ends, as time since the step began: at a break, or with the step.
static real piece_end(const Point *q, const Settings *set)
{
    const real from = to_real(q->step) * set->h, to_break = q->next - from;
    return choose(to_break < set->h - break_near(from + set->h), to_break, set->h);
}

// Whether the piece has come to its break.
static mask piece_over(const Point *q, const Settings *set)
{
    const real from = to_real(q->step) * set->h;
    return q->next - from <= PIECE_BEGUN(q) + break_near(from + set->h);
}

#ifdef EVENTS
// The size of the substep to be tried next where a search is under way: the middle of the bracket, or its end where
// rounding has closed it.
#define EVENT_WIDTH (SINGLE ? 0x1p-23 : 0x1p-52)
static real event_size(const Point *q, const Settings *set)
{
    const real middle = 0.5 * (q->low + q->high);
    const mask closed = (q->high - q->low <= EVENT_WIDTH * set->h) | (middle <= q->low) | (middle >= q->high);
    return choose(closed, q->high, middle);
}
#endif

// As point_place() below, of substeps of a piece.
static void piece_place(Point *q, const Settings *set)
{
    const real  end = piece_end(q, set), length = end - PIECE_BEGUN(q);
    const whole part = ((whole)(FULL_STEP)) >> q->level;
    q->size = length * (to_real(part) * (1.0 / FULL_STEP));
#ifdef EVENTS
    q->size = choose(q->high > 0.0, event_size(q, set), q->size);
#endif
    q->last = end == set->h;
    q->cut = (PIECE_BEGUN(q) > 0.0) | !q->last;
#if HISTORY
    const real back = choose(q->index == 0, q->gap, length * (to_real(q->index & -q->index) * (1.0 / FULL_STEP)));
#if START == START_VARIABLE
    q->ratio = choose(back > 0.0, q->size / back, ZERO);
#else
    q->ratio = choose((back == q->size) & ((q->index != 0) | (q->level == 0)), ONE, ZERO);
#endif
#else
    q->ratio = ZERO;
#endif
}
#endif

// Finds size and ratio from the place; called where a place was loaded or a step was halved. The earlier point of the
// right half of a split is the start of the left half, and of a full step that of the step before. A left half has none
// at its own spacing, only what its step or the right half around it had; the lowest bit of the index says how far
// back that lies.
static void point_place(Point *q, const Settings *set)
{
    const whole own = ((whole)(FULL_STEP)) >> q->level;
    q->size = set->h * to_real(own) * (1.0 / FULL_STEP);
#if HISTORY
    const mask  first = (q->index == 0) & (q->step == 0);
    const whole back = choose_whole(q->index == 0, (whole)(FULL_STEP), q->index & -q->index);
#if START == START_VARIABLE
    q->ratio = choose(first, ZERO, to_real(own) / to_real(back));
#else
    q->ratio = choose(first | (own != back), ZERO, ONE);
#endif
#else
    q->ratio = ZERO;
#endif
}
