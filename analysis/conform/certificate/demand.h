// demand -- inside of certificates: the demands on a substep, each number with its bound: a method's equations, their
// solves, the solves' counters, and the error that chooses the size of an adaptive one.
//
// Where an equation needs a number that the kernel keeps, and that was demanded before, it takes the kernel's. The
// unknown of a solve is the kernel's own where it is kept; else it is found again from the numbers that are
// (EquationBack), or by following the solve to where it may end.
#pragma once

#include "analysis/conform/certificate/solve.h"

// Demands that the kernel's substep satisfies the equations of a step.
void demand_step(Judge *judge);

// Demands the state that a point begins with: the problem's, and the vectors that the method keeps beside it.
void demand_start(Judge *judge);

// Demands that the residual at u is below the tolerance, or below its rounding floor where the guard is on; and that
// Newton's method takes as many updates as the kernel did.
void solved_demand(Judge *judge, const Solve *solve, const Vector *u);

// Follows a solve whose solution is not shown; the judge's `solves` get its possible ends.
void solved_follow(Judge *judge, const Solve *solve);

// Demands that u is where one update from `guess` leads: f(guess) + J (u - guess) = 0, J by the method's differences.
// Of a linear stage f is linear, with the one matrix of its substep.
void solved_linear(Judge *judge, const Solve *solve, const Vector *guess, const Vector *u);

// Demands that the substep's counters agree with one way in which its solves may have ended, and its condition numbers
// with the matrices made on that way.
void counts_judge(Judge *judge);

// Demands that the substep ends its step where the size proposed for it reaches the end, and nowhere else. judge->t and
// judge->h become the substep's own.
void adaptive_place(Judge *judge);

// Sizes of x and v, by which the errors of components are measured: those that the kernel kept, moved to this substep.
void adaptive_sizes(const Judge *judge, Vector *x, Vector *v);

// Finds the derivatives of linear stages: by the differences that the kernel takes, or as exactly as can be where its
// are analytic.
void derive_slopes(const Judge *judge, Slopes *slopes);

// Demands the decision that follows from the error of x and v, and the size proposed next; of a substep that was taken
// also the sizes kept of x and v, of a rejected one that nothing has moved. A substep is taken where the largest
// component's error is at most the permitted one.
//   x1, v1  the new state
void adaptive_decide(Judge *judge, const Vector *error_x, const Vector *error_v, const Vector *x1, const Vector *v1);

// Demands what follows of a substep whose solves are not all accepted: nothing has moved, and the next is a fifth of
// it.
void adaptive_unsolved(Judge *judge);
