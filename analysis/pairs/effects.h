// effects -- what a family's runs on a problem cost.
#pragma once

#include "analysis/pairs/pairs.h"

// The problem where the caller names none: Wu 2018's problem 3 at eps = 0.01.
#define EFFECTS_PROBLEM "elastic_pendulum_polar"

// Runs the problem and fills `updates`, `evaluations` and `condition_max`; NaN where the run fails, or the value is
// NaN.
//   values   [count]
//   effects  [count] written
// Errors: those of trial_make() and trial_run().
bool effects_count(Device *device, const Catalog *catalog, const Family *family, const char *problem,
                   const char *const *overrides, size_t override_count, const double *values, size_t count,
                   PairEffects *effects, Error *err);
