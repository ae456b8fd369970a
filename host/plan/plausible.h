// plausible -- check for results that no kernel computes: they come from a broken device or driver.
#pragma once

#include "plan/results.h"

// Checks every point of a batch: its status is one of those that a point can end with; its final state is finite where
// that is ok, and NaN where it is not; an ok point took its steps and no point more; updates stay within the budget,
// which the last attempt may exceed by its own, and halvings within their depth. Counters without a bound are not
// looked at: in single precision they may overflow.
// Errors: ERROR_DEVICE (names the point and what it claims).
bool plausible_results(const Batch *batch, const Results *results, Error *err);
