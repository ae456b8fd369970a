// demand -- inside of certificates: a method's equations with the kernel's numbers, each with its bound.
//
// Where an equation needs a number that the kernel keeps, and that was demanded before, it takes the kernel's. The
// unknown of a solve is the kernel's own where it is kept; else it is found again from the numbers that are
// (EquationBack), or by following the solve to where it may end.
#pragma once

#include "analysis/conform/judgement/equations.h"

// Demands that the kernel's substep satisfies the equations of a step.
void demand_step(Judge *judge);

// Demands the state that a point begins with: the problem's, and the vectors that the method keeps beside it.
void demand_start(Judge *judge);
