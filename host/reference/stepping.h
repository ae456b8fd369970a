// stepping -- one full step, halved where Newton's method fails (Wu 2018, sections 2.1 and 2.3.2).
#pragma once

#include "plan/breaks.h"
#include "reference/crossing.h"
#include "reference/method.h"

#include <signal.h>

// A substep that was tried, as an onlooker sees it, or a break that was passed. A trajectory's first sight is its
// beginning, where `step` is NULL.
typedef struct SteppingSight {
    const Step            *step;
    uint64_t               number;  // of the full step
    unsigned               index;   // where the substep begins in it, in 2^-20 of it; 0 of an adaptive method
    int                    level;   // its length is 2^-level of it; 0 of an adaptive method
    double                 error;   // of an adaptive method, over the permitted error; else NaN
    bool                   accepted;
    uint64_t               updates;   // of the trajectory so far
    double                 reached;   // of an adaptive method: how far into the step it begins
    const struct Stepping *stepping;  // whose step it is, its counters as they are before the outcome of the try
    const State           *next;      // the state after it, where it was accepted
    SolveEnd               end;
    bool                   passing;                   // a break: `step` is NULL, `next` the state behind it
    double                 begun, passed, time, gap;  // of a break: how far into the step it lies, the one before it,
                                                      // its time, and the length of the piece before it
} SteppingSight;

typedef struct SteppingWatch {
    void (*see)(const SteppingSight *sight, void *user);
    void (*end)(const struct Stepping *stepping, void *user);  // after the last try; NULL: nobody asks
    void *user;
    // [scratch_count][REFERENCE_DOFS] the points within the last substep whose solves were accepted, as the method's
    // card lists them; NULL: nobody asks
    double (*scratch)[REFERENCE_DOFS];
} SteppingWatch;

// An arc (kernels/arcs.h): a substep that was taken.
typedef struct SteppingArc {
    double       from, reached;  // times of its ends since its step began; reached is 0 where it ends the step
    double       h;              // its length
    bool         ended;          // it ends the step
    const State *begun, *end;
    double (*scratch)[REFERENCE_DOFS];  // as that of SteppingWatch
} SteppingArc;

typedef struct SteppingArcs {
    double (*scratch)[REFERENCE_DOFS];  // [scratch_count] room, where the method has dense output
    void (*see)(const struct Stepping *stepping, const SteppingArc *arc, void *user);
    void *user;
} SteppingArcs;

// The breaks of a trajectory, and its place between them.
typedef struct SteppingBreaks {
    const Group  *group;
    const double *numbers;  // [group->breaks->number_count] of the point
    const double *values;   // of the problem's parameters
    double        passed;   // the last break
    double        gap;      // length of the piece before; 0: a break lies between
    State         before;   // where that piece began
} SteppingBreaks;

// A trajectory under way. Made by the caller, who fills the first block; the counters and `status` start at zero, the
// tally's conditions at NaN.
typedef struct Stepping {
    Step     step;                          // method, parameters, problem, params, rules; the rest is written here
    double   h;                             // length of a full step
    double   begin;                         // time at which the first one begins
    int      evaluations;                   // explicit methods: accelerations of a step, or a trial
    int      max_depth;                     // halvings of a full step that are allowed
    bool     keeps_history;                 // the first half of a split one has the earlier point of the whole
    uint64_t update_budget;                 // no solve begins once this many updates are spent; trials of an
                                            // explicit method likewise
    double                       proposed;  // adaptive methods: length of the next trial; h at the start
    bool                         single;    // adaptive methods: the least size is that of single precision
    const volatile sig_atomic_t *stop;      // may be NULL
    const SteppingWatch         *watch;     // borrowed; who looks on, or NULL
    const SteppingArcs          *arcs;      // borrowed; who looks at the arcs of an adaptive method, or NULL

    SteppingBreaks *breaks;         // borrowed; NULL: steps are taken whole
    Crossings      *crossings;      // borrowed; NULL: the sweep has no events
    double          begun, length;  // of the piece of a step between breaks: where in the step it begins
    uint64_t        pieces;         // accepted ones that did not end a step, and trials that looked for an event

    Tally    tally;
    uint64_t trials, rejected;      // of adaptive methods; those that were not taken
    uint64_t forced;                // those that were taken though their error is too large, at the least size
    uint64_t substeps;              // accepted parts of steps
    uint64_t steps;                 // completed full steps
    uint64_t updates_per_step_max;  // over completed full steps
    int      depth_max;             // deepest halving tried
    bool     stopped;
    Status   status;  // why the last step failed
} Stepping;

// Completes the initial state by the vectors that the method keeps beside it, after what breaks at t = 0 set.
void stepping_start(Stepping *stepping, State *state);

// A step, or a trial of an adaptive method, from the state `step.now` to `next`, both as they stand between steps: the
// method is given the states of a first-order system as it sees them within a step (kernels/first_order.h).
//   error  written: of a trial, over the permitted error
SolveEnd stepping_step(Step step, Tally *tally, State *next);
SolveEnd stepping_trial(Step step, Tally *tally, State *next, double *error);

// Takes full step number `steps`, in substeps of its own choice where the method is adaptive.
//   previous  the state one full step back; NULL at the start
//   state     moved to the end of the step
// False, with `status` or `stopped` set, where the trajectory ends here; state is then of no use, but where an event
// has ended it: the status is then STATUS_OK.
bool stepping_advance(Stepping *stepping, const State *previous, State *state);
