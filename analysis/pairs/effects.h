// effects -- cost of a method on a problem at the parameter of a pair, counted by running it.
#pragma once

#include "analysis/pairs/pairs.h"

// Stiff, with a slow motion that any method follows: eps is 1e-2 where no override sets it.
#define EFFECTS_PROBLEM "elastic_pendulum_polar"

// Runs a problem, 1000 steps of 0.05 unless overrides say otherwise, at values of a family's free parameter.
//   problem    a name of the catalog
//   overrides  [override_count] as trial_make()
//   step, steps  written: of the run; as they were where nothing is run
//   values     [count] NaN: there is no method, and nothing is run
//   effects    [count] updates, evaluations and condition_max are written, NaN where nothing is counted; the rest
//              stays
// Errors: those of trial_make() and trial_run().
bool effects_count(Device *device, const Catalog *catalog, const Family *family, const char *problem,
                   const char *const *overrides, size_t override_count, double *step, double *steps,
                   const double *values, size_t count, PairEffects *effects, Error *err);
