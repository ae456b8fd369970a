// solved -- demands on the solution of a solve.
#pragma once

#include "analysis/conform/certificate/solve.h"

// Demands that the residual at u is below the tolerance, or below its rounding floor where the guard is on; and that
// Newton's method takes as many updates as the kernel did.
void solved_demand(Judge *judge, const Solve *solve, const Vector *u);

// Follows a solve whose solution is not shown; the judge's `solves` get its possible ends.
void solved_follow(Judge *judge, const Solve *solve);

// Demands that u is where one update from `guess` leads: f(guess) + J (u - guess) = 0, J by the method's differences.
void solved_linear(Judge *judge, const Solve *solve, const Vector *guess, const Vector *u);
