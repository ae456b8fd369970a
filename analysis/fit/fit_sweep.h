// fit_sweep -- the user's sweep with the fitted values in it, as the text of a sweep file.
//
// Each parameter that was fitted has its value in place of its distribution or range. Conditions that have one have the
// values of the data. A random design without factors left is left out. Where the sweep stores no trajectories, those
// of the measured quantities at the measured times are added.
#pragma once

#include "analysis/fit/fit.h"

// Adds the text.
//   sweep      the user's; read anew from its text
//   overrides  [override_count] of it
// Errors: those of spec_read_text(); ERROR_USAGE (the sweep has several groups, a condition that is not of the problem
// has a distribution), ERROR_INTERNAL.
bool fit_sweep_write(const GroupFit *fit, const Spec *sweep, const char *const *overrides, size_t override_count,
                     Text *text, Error *err);

// Refuses sweeps that have no such file: several groups, each with an optimum of its own; conditions with a
// distribution that are no parameters of the problem. Errors: ERROR_USAGE.
bool fit_sweep_check(const Plan *plan, const Measurements *data, Error *err);
