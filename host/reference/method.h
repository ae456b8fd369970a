// method -- time integrators of the reference: one step, from a state to the next, by the equations of a card.
#pragma once

#include "reference/step.h"

// Whether x, v and the acceleration that a method keeps are numbers.
bool method_is_finite(const State *state, size_t n);

// Whether the reference can have a method: its card has equations. Errors: ERROR_DEVICE.
bool method_check(const Card *card, Error *err);

// Reads a method's equations.
//   arena  owns it
// NULL on failure. Errors: those of method_check() and equations_read(), ERROR_INPUT (more vectors than the reference
// keeps).
const ReferenceMethod *method_read(const Card *card, Arena *arena, Error *err);

// Which vector of a card's state has a name; state_count where there is none.
size_t method_vector(const Card *card, const char *name);

// Completes the initial state by the vectors that the method keeps beside x and v.
void method_start(const Step *step, State *state);

// A step, to `next`, which is the present state on entry.
SolveEnd method_step(const Step *step, Tally *tally, State *next);

// A step of an adaptive method, likewise.
//   error  written: its error over the permitted error, absolute + relative |y|; NaN where a solve is not accepted
SolveEnd method_trial(const Step *step, Tally *tally, State *next, double *error);
