// method -- time integrators of the reference: one step, from a state to the next, by the equations of a card.
#pragma once

#include "equations/equations.h"
#include "reference/newton.h"
#include "reference/problem.h"

enum { REFERENCE_EARLIER = 2, REFERENCE_VECTORS = 4 };

typedef struct State {
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
    double own[REFERENCE_VECTORS][REFERENCE_DOFS];  // the method's `state`, in the card's order; zero elsewhere
    double scale[REFERENCE_DOFS];                   // sizes of the velocities, of implicit methods
    // Where guesses are extrapolated from accelerations: those before the last, the latest first, each at a step of
    // `spacing` from the one after it.
    double earlier[REFERENCE_EARLIER][REFERENCE_DOFS];
    size_t earlier_count;
    double spacing;
} State;

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
    const State            *now;       // state at t
    const State            *previous;  // an earlier state; NULL where a two-step method has to start
    double                  spacing;   // previous is the state at t - spacing
} Step;

// Whether x, v and the acceleration that a method keeps are numbers.
bool method_is_finite(const State *state, size_t n);

// Whether the reference can have a method: its card has equations.
bool method_known(const Card *card);

// Reads a method's equations.
//   arena  owns it
// NULL on failure. Errors: those of equations_read(), ERROR_INPUT (more vectors than the reference keeps).
const ReferenceMethod *method_read(const Card *card, Arena *arena, Error *err);

// Which vector of a card's state has a name; state_count where there is none.
size_t method_vector(const Card *card, const char *name);

// Completes the initial state by what the method keeps beside x and v.
void method_start(const Step *step, State *state);

// A step, to `next`, which is the present state on entry.
SolveEnd method_step(const Step *step, Tally *tally, State *next);

// A step of an adaptive method: its error over what is permitted, absolute + relative |y|.
double method_trial(const Step *step, State *next);
