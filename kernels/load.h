// load.h -- loads settings and parameters, and the points of a slice: from `state`, or at t = 0.

#include "observe.h"
#include "samples.h"
#include "substeps.h"

static void load_settings(global const SCALAR *row, size_t stride, Settings *set)
{
    set->h = load(row + ROW_H * stride);
    set->steps = load_whole(row + ROW_STEPS * stride);
    set->tolerance = load(row + ROW_TOLERANCE * stride);
    set->max_updates = row + ROW_MAX_UPDATES * stride;
    set->budget = load_whole(row + ROW_BUDGET * stride);
}

#define LOAD_PARAMETER(owner, name) \
    owner->name = load(row);        \
    row += stride;
#define LOAD_CHOICE(owner, name, value) \
    owner->name = value;                \
    row += stride;

static void load_parameters(global const SCALAR *row, size_t stride, Params *p, MethodParams *m,
                            struct Arguments *arguments)
{
    row += ROW_PROBLEM * stride;
    PROBLEM_PARAMETERS(LOAD_PARAMETER, LOAD_CHOICE)
    METHOD_PARAMETERS(LOAD_PARAMETER, LOAD_CHOICE)
    METRIC_ARGUMENTS(LOAD_PARAMETER, LOAD_CHOICE)
#ifdef BREAK_NUMBERS
    for (int i = 0; i < BREAK_NUMBERS; ++i, row += stride)
        p->break_numbers[i] = load(row);
    p->break_from = -REAL_INFINITY;
    p->break_below = REAL_INFINITY;
#endif
}

// The solves of an adaptive method are as accurate as its error estimate asks for.
static void settle_tolerance(const MethodParams *m, Settings *set)
{
#if IMPLICIT && ADAPTIVE && RELATIVE
    set->tolerance = smaller(set->tolerance, 0x1p-7 * m->rtol);
#endif
}

static Condition no_condition(void)
{
    const Condition none = {ZERO, NOT_A_NUMBER, ZERO, ONE};
    return none;
}

// Goes on from where the last slice saved the points.
static void load_state(global SCALAR *column, size_t stride, Point *q, Metrics *metrics, Block *block)
{
    pass_state(LOADS, column, stride, q, metrics, block);
    // A number that nothing moves is as it was saved; the compiler then knows.
#if !RECORD_CONDITION
    q->condition = no_condition();
#endif
#if FIRST_ORDER
    EACH_OF_STATE(i) {
        q->s.v[i] = ZERO;
#if HISTORY
        q->s.v_prev[i] = ZERO;
#endif
    }
#endif
}

#define CLEAR_COUNTER(name) q->name = (whole)(0);
#define CLEAR_DENSE(name) \
    EACH_DOF(i)           \
        q->s.name[i] = ZERO;
#define CHECK_START(name) good = good & finite(q->s.name);

// Begins the points at t = 0.
static void begin_state(const Params *p, const MethodParams *m, const Settings *set, Point *q)
{
    initial_state(p, q->s.x, q->s.v);
#ifdef DEVIATIONS
    deviations_begin(p, set, q);
#elif defined(TANGENTS)
    tangent_start(p, q->s.x, q->s.v);
#endif
    q->step = q->index = q->level = q->status = (whole)(0);
    mask good = YES;
#ifdef BREAK_NUMBERS
    good = breaks_begin(p, q);
#endif
    ENTER(q->s)
    start(p, m, &q->s);
    LEAVE(q->s)
#ifdef DENSE
    DENSE_STATE(CLEAR_DENSE)
#endif
#ifdef EVENTS
    events_begin(p, set, q);
#endif
#if EXTRAPOLATED
    guess_forget(YES, &q->s);
#endif
#if RELATIVE
    EACH_DOF(i)
        q->v_scale[i] = velocity_size(&q->s, set, i);
#endif
    COUNTER_ROWS(CLEAR_COUNTER)
    q->condition = no_condition();
#if ADAPTIVE
    q->reached = ZERO;
    q->proposed = set->h;
    q->unsolved = q->forced = ZERO;
#endif
    OWN_STATE(CHECK_START)
    q->status = choose_whole(good, (whole)(RUNNING), (whole)(STATUS_NOT_FINITE));
}

#define START_METRIC(name, track, after) name##_start(&o, &metrics->name);
#define START_ARCS(name) name##_start(&o, &metrics->name);

// Observes the points at t = 0.
static void begin_metrics(Block *block, Metrics *metrics, const Observation *always, const Point *q)
{
#ifdef DENSE
    Observation start = *always;
    start.dense = &q->s;
    always = &start;
#endif
    const Observation o = observe_now(block, always, q);
    METRIC_NAMES(START_METRIC)
#ifdef ARCS
    ARC_METRICS(START_ARCS)
#endif
}
