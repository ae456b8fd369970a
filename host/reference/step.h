// step -- a step of the reference: method, problem and states.
#pragma once

#include "equations/equations.h"
#include "reference/newton.h"
#include "reference/problem.h"

enum { REFERENCE_EARLIER = 2, REFERENCE_VECTORS = 4 };

typedef struct State {
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
    double own[REFERENCE_VECTORS][REFERENCE_DOFS];  // the method's `state`, in the card's order; zero elsewhere
    double scale[REFERENCE_DOFS];                   // sizes of the velocities, of implicit methods
    // Where guesses are extrapolated from accelerations: the accelerations before the last, the latest first, each at a
    // step of `spacing` from the one after it.
    double earlier[REFERENCE_EARLIER][REFERENCE_DOFS];
    size_t earlier_count;
    double spacing;
} State;

// Copies a state of n degrees of freedom, and nothing of the room behind them: copies of whole structures took half of
// the time of small systems.
void step_copy_state(size_t n, State *to, const State *from);

typedef struct ReferenceMethod {
    const Card *card;
    bool        implicit, history, adaptive;
    size_t      a;  // which vector of the state is the acceleration; EQUATIONS_NONE: none
    Equations   equations;
} ReferenceMethod;

// One step to be taken, of length h from time t.
typedef struct Step {
    const ReferenceMethod  *method;
    const double           *parameters;  // [method->card->parameter_count]
    StartRule               start;       // substeps.start
    const ReferenceProblem *problem;
    const void             *params;
    const NewtonRules      *rules;
    double                  t, h;
    const State            *now;         // state at t
    const State            *previous;    // an earlier state; NULL where a two-step method has to start
    double                  spacing;     // previous is the state at t - spacing
    double           from, below;        // of the breaks beside the step: forces see no time outside; 0: there are none
    struct Tangents *tangents;           // moved along; NULL: no derivatives are asked for
    const double    *previous_tangents;  // a block of theirs, of the earlier state
    double (*scratch)[REFERENCE_DOFS];   // [method->card->scratch_count] written where all solves are accepted; or NULL
} Step;

// Sizes of x and v by which an adaptive method measures errors: of each component the largest so far.
//   size_x, size_v  [dofs] written
void step_sizes(const Step *step, double *size_x, double *size_v);

// The time that a force sees.
double step_time(const Step *step, double t);
