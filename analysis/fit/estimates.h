// estimates -- what the ends of all starts say: distinct optima, and the uncertainty of the best one.
//
// With J at the optimum and s^2 = r^T r / (data - parameters) the covariance is s^2 (J^T J)^-1, or (J^T J)^-1 where
// the standard deviations of the data are taken as stated. Intervals are those of Student's t. Parameters on a bound
// are left out. A direction along which J loses 1e-7 of its largest singular value, its columns over their lengths,
// changes nothing that is measured: parameters that move along it have no interval.
#pragma once

#include "analysis/fit/fit.h"

// Errors: ERROR_FAILED (no start has a sum of squares), ERROR_INTERNAL (memory).
bool estimates_find(GroupFit *fit, Error *err);

// By how many standard deviations the interval at 95 % of a parameter reaches to each side: by the quantile of
// Student's t, or of the normal distribution where the deviations of the data are taken as stated. NaN: there are as
// many parameters as data.
double estimates_reach(const GroupFit *fit);
