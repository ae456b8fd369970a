// gauge -- a metric by its definition: one run of a metric file at one point, followed in numbers with bounds.
//
// A gauge is shown the metric's input, at t = 0 and after every completed step, and gives the permitted values of the
// metric at the end. Certificates give it a kernel's states, with bounds on the kernel's rounding; the reference gives
// it its own, and a roundoff of 0, so that numbers have no bound and are its metrics. Where a decision (a turning
// point, a threshold) lies within the rounding of the numbers compared, both ways are right: the kernel's own is
// followed while the point walks, where its metric counts such events, and at the end all values are permitted that one
// of the ways leads to.
#pragma once

#include "gauges/ball.h"
#include "plan/group.h"
#include "plan/solution.h"

enum { GAUGE_DOFS = CARD_DOFS, GAUGE_COUNTS = 8 };

// Functions of a problem that metrics ask for.
typedef enum Scalar {
    SCALAR_ENERGY,
    SCALAR_KINETIC,
    SCALAR_FAST,
    SCALAR_SLOW,
    SCALAR_PERIOD,
    SCALAR_DISSIPATION,
    SCALAR_POWER,     // the sum of F_i v_i, F the external force
    SCALAR_RATES,     // accelerations, of a system of first order the rates of its state, which stands in v; [dofs]
    SCALAR_SOLUTION,  // the closed form's coordinates; [dofs]
    SCALAR_COUNT
} Scalar;

// A problem's numbers at a time and a state.
//   found_by  a point's problem, its parameters loaded
//   x, v      [dofs]; NULL where the function does not depend on them
typedef void GaugeFind(const void *found_by, Scalar which, Ball t, const Ball *x, const Ball *v, Ball *numbers);

typedef struct GaugeProblem {
    const Card *card;
    size_t      dofs;
    bool        has[SCALAR_COUNT];
    GaugeFind  *find;
    const void *found_by;
} GaugeProblem;

// Answer to a question whose operands are known to within bounds.
typedef enum Answer { ANSWER_NO, ANSWER_EITHER, ANSWER_YES } Answer;

// The input of a point's metrics at a step. Numbers that several of them ask for are found once.
typedef struct Sight {
    const GaugeProblem *problem;
    Roundoff            u;       // 0: nothing is rounded
    bool                single;  // the precision
    uint64_t            step, steps;
    double h, before, t;  // the step, and the times of the observation before and of this one, as the kernel has them;
                          // of an arc (kernels/arcs.h) its length, beginning and end
    double        step_length;      // where h is the length of an arc
    const Ball   *x, *v;            // [dofs] the state, exact
    const double *last_x, *last_v;  // [dofs] at the observation before; NULL at t = 0
    const double *dense;            // [6][dofs] of an arc, the method's own vectors (between.h); NULL: it has none
    const double *arguments;        // of all metrics, as the kernel has them
    const double *parameters;       // of the problem, in card order, as the kernel has them
    long double   t_off;            // of t: where it is between observations
    const double *kept;             // [state rows] memory of the metric that looks, in the kernel; NULL: it is not seen
    const double *sample;           // [solved.rows] of the solution's table; NULL: none at this step
    Solved        solved;           // the contents of `sample`
    bool          found[SCALAR_COUNT];
    Ball          number[SCALAR_COUNT], *solution;  // [dofs] room for the latter
} Sight;

GaugeProblem gauge_problem(const Card *card, size_t dofs, GaugeFind *find, const void *found_by);
bool         gauge_has(const Sight *sight, Scalar which);

// A number at another state, and at this time. x: of the period and the power NULL; v: of coordinates NULL.
Ball gauge_value(const Sight *sight, Scalar which, const Ball *x, const Ball *v);
// The derivatives of a state at a time: of x, which is v, and of v; of a system of first order, whose state is x, of x
// alone, and 0.
//   rates  [2 dofs] written
void gauge_rates(const Sight *sight, Ball t, const Ball *x, const Ball *v, Ball *rates);

// The value of a formula of `observe:` at an observation: the acceleration is the problem's there.
Ball gauge_formula(const Sight *sight, const struct Node *formula);

// A number at the observation.
Ball gauge_scalar(Sight *sight, Scalar which);
// The closed form's coordinates there.
const Ball *gauge_solution(Sight *sight);
// A number of the table's, as the kernel has it.
Ball gauge_sample(const Sight *sight, size_t row);
bool gauge_within(const Sight *sight, const MetricInstance *instance, double t);

// Five successive observations of a coordinate and of the energy there, the oldest first, as many as there are.
typedef struct GaugeWindow {
    int  count;
    Ball y[5], energy[5];
} GaugeWindow;

typedef struct GaugeEnergy {
    Ball first, last, scale, drift;
} GaugeEnergy;

typedef struct GaugeKinetic {
    uint64_t next;  // the step after the last one in the window
    Ball     last, largest, integral;
} GaugeKinetic;

typedef struct GaugeExtent {
    Ball largest;
} GaugeExtent;

typedef struct GaugeFast {
    Ball     largest, squares;
    uint64_t count;
} GaugeFast;

typedef struct GaugeError {
    bool begun;    // there was a solution at an observation in the window
    bool unknown;  // the table has no numbers
    Ball last, largest;
} GaugeError;

typedef struct GaugeVisual {
    bool unknown;
    Ball angle, radius;
} GaugeVisual;

typedef struct GaugeOscillation {
    uint64_t extrema, crossings;
    Ball     first_amplitude, last_amplitude, first_time;
    Ball     sum_t, sum_l, sum_tt, sum_tl, first_crossing, last_crossing;
} GaugeOscillation;

typedef struct GaugeDamping {
    uint64_t extrema;
    Ball     top, lift, first_across, first_place, last_place;
    Ball     first_energy, last_energy, first_even, last_even;
    Ball (*amplitudes)[2];  // [extrema - 1] logarithms over the first, and lifts; owned
    size_t room;
} GaugeDamping;

// Least and largest of the numbers seen.
typedef struct GaugeRange {
    Ball     low, high;
    uint64_t seen;
} GaugeRange;

typedef struct GaugeStats {
    GaugeRange range;
    Ball       sum, squares;
} GaugeStats;

typedef struct GaugeSteady {
    GaugeRange early, late;
} GaugeSteady;

typedef struct GaugeEvents {
    bool     begun;  // the last observation was in the window
    Ball     value, first, last;
    uint64_t seen;
} GaugeEvents;

// Samples that were taken.
typedef struct GaugeTaken {
    bool    begun;  // the last observation was in the window
    Ball    value;  // observed there, less the level
    size_t  count, room;
    double *rows;    // [count][4 + 10 dofs] the steps: times of the ends, length, states there, dense output; owned
    size_t  placed;  // number of the sample, from 1, whose place in its step was found last
    Ball    place;
} GaugeTaken;

// Data seen, and those in the window.
typedef struct GaugeMisfit {
    size_t taken, used;
    Ball   squares, largest;
} GaugeMisfit;

// The metric's memory after the last observation, in the order of its card.
typedef struct GaugeLyapunov {
    double *rows;  // [3 + 6 dofs] owned
    int64_t seen;
} GaugeLyapunov;

typedef struct GaugeBalance {
    Ball first, last, lost, gained, dissipated, work;
} GaugeBalance;

typedef struct Gauge {
    const MetricInstance   *instance;
    const struct GaugeKind *kind;            // NULL: counts and condition numbers, or not known
    bool                    known;           // gauge_knows()
    bool                    begun;           // see() saw an observation
    size_t                  first_argument;  // among the arguments of all metrics
    const char             *wrong;           // a decision of the kernel's that rounding does not permit
    GaugeWindow             window;
    union {
        GaugeEnergy      energy;
        GaugeKinetic     kinetic;
        GaugeFast        fast;
        GaugeError       error;
        GaugeVisual      visual;
        GaugeOscillation oscillation;
        GaugeDamping     damping;
        GaugeExtent      extent;
        GaugeStats       stats;
        GaugeSteady      steady;
        GaugeEvents      events;
        GaugeBalance     balance;
        GaugeTaken       taken;
        GaugeLyapunov    lyapunov;
        GaugeMisfit      misfit;
    } of;
} Gauge;

// The permitted values of a result: a number within its bound, no number, one of some small integers.
typedef struct Expected {
    bool     number, nan;  // which of the two it may be
    Ball     value;
    uint32_t among;  // not 0: bit k says that it may be k
    // The formula, for people.
    const char *formula;
} Expected;

// A metric file: see() or observe(), expect() or expect_sample(), and end() where it has buffers.
typedef struct GaugeKind {
    const char *metric;
    void (*see)(Gauge *gauge, Sight *sight);  // an observation in the window
    // Any observation. counts: the counts of the kernel's metric since the observation before, in the order of the
    // card. Errors: ERROR_INTERNAL (memory).
    bool (*observe)(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err);
    // Of a point that came to its end; expected: no number, until it is known.
    void (*expect)(Gauge *gauge, Sight *sight, const char *result, Expected *expected);
    // The same where a result has several numbers; number: among the numbers of a point.
    void (*expect_sample)(Gauge *gauge, Sight *sight, const char *result, size_t number, Expected *expected);
    void (*end)(Gauge *gauge);  // frees its buffers
} GaugeKind;

extern const GaugeKind gauge_balance, gauge_damping, gauge_energy, gauge_energy_loss, gauge_error, gauge_events,
    gauge_extent, gauge_fast_mode, gauge_kinetic, gauge_lyapunov, gauge_misfit, gauge_oscillation, gauge_poincare,
    gauge_section, gauge_stats, gauge_steady, gauge_visual;

// Whether a metric has a definition here, or is of counts and condition numbers. Only a compiled-in metric has one: a
// file of the user's is another metric, whatever its name.
bool gauge_knows(const Card *metric);

// Begins a point: forgets the observations seen.
//   gauges  [group->instance_count] zeroed before the first time; release with gauge_end()
void gauge_begin(const Group *group, Gauge *gauges);
void gauge_end(const Group *group, Gauge *gauges);

// Shows an observation to a metric; one that is not known sees nothing. Errors: those of the kind's observe().
bool gauge_observe(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err);

// The expected value of number k of a metric's result. A point that failed has its counts; its other results are no
// numbers.
//   ok  the point came to its end
void gauge_expect(Gauge *gauge, Sight *sight, const CardResult *result, size_t k, bool ok, Expected *expected);

// Number `which` of the metric's arguments.
double gauge_argument(const Gauge *gauge, const Sight *sight, size_t which);

// Whether a difference is above 0.
Answer gauge_above(Ball difference);
Answer gauge_and(Answer a, Answer b);
Answer gauge_or(Answer a, Answer b);
Answer gauge_not(Answer a);
// Follows the kernel where the answer is open, and notes where it went a way that is not.
bool gauge_follow(Gauge *gauge, Answer answer, bool kernel, const char *what);

// Which way a number passes 0, in the order of the cards' choices.
typedef enum GaugeDirection { GAUGE_UP, GAUGE_DOWN, GAUGE_BOTH } GaugeDirection;

// Whether a number passes 0 between two observations, and when: where the line through both does.
Answer gauge_crosses(Ball before, Ball now, GaugeDirection direction);
Ball   gauge_crossing(const Sight *sight, Ball before, Ball now);

// Of the middle one of three, whether its neighbours do not pass it.
Answer gauge_turns(Ball before, Ball here, Ball after);

Ball gauge_abs(Ball a);
Ball gauge_max(Ball a, Ball b);
Ball gauge_min(Ball a, Ball b);
Ball gauge_log(Roundoff u, Ball a);
Ball gauge_root(Roundoff u, Ball a);
Ball gauge_scaled(Ball a, long double by);  // by a power of two, or a sign

// The quantity that the instance observes.
Ball gauge_observed(const Gauge *gauge, Sight *sight);

// Puts the observed quantity behind the earlier ones, or forgets them outside the window.
//   energy  that is kept beside it
void gauge_push(Gauge *gauge, Sight *sight, bool energy);

// A result of a metric with several, where it is the one asked for: the formula begins with its name, and " " or ",".
// False: it is another.
//   known  it has a number
bool gauge_result(Expected *expected, const char *result, bool known, Ball value, const char *formula);

Expected gauge_number(Ball value, const char *formula);
Expected gauge_nan(const char *formula);
