// adaptive -- inside of certificates: where a substep of an adaptive method lies, its error, and what follows from
// that.
#pragma once

#include "analysis/conform/judgement/equations.h"

// Demands that the substep ends its step where what was proposed for it reaches the end, and nowhere else. judge->t and
// judge->h become the substep's own.
void adaptive_place(Judge *judge);

// Demands the decision that follows from the error of x and v, and the size proposed next; of a substep that was taken
// also the sizes kept of x and v, of a rejected one that nothing has moved. A substep is taken where its error is at
// most what is permitted, the largest component's.
//   x1, v1  the new state
void adaptive_decide(Judge *judge, const Vector *error_x, const Vector *error_v, const Vector *x1, const Vector *v1);
