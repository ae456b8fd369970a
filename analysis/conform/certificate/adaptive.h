// adaptive -- inside of certificates: where a substep of an adaptive method lies, its error, and the decisions that
// follow from it.
#pragma once

#include "analysis/conform/judgement/equations.h"

// Demands that the substep ends its step where the size proposed for it reaches the end, and nowhere else. judge->t and
// judge->h become the substep's own.
void adaptive_place(Judge *judge);

// Demands the decision that follows from the error of x and v, and the size proposed next; of a substep that was taken
// also the sizes kept of x and v, of a rejected one that nothing has moved. A substep is taken where the largest
// component's error is at most the permitted one.
//   x1, v1  the new state
void adaptive_decide(Judge *judge, const Vector *error_x, const Vector *error_v, const Vector *x1, const Vector *v1);
