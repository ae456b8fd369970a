// trial -- runs of a family on a problem, its free parameter filled anew for every launch.
//
// The sweep is written for the purpose: a zip whose axes are the method's parameters. One build serves any values.
#pragma once

#include "analysis/pairs/family.h"
#include "device/device.h"

typedef struct Trial Trial;

typedef struct TrialSetting {
    const char        *problem;    // a name of the catalog
    const char        *defaults;   // further lines of the sweep: "step: 0.1\nend: 100\nnewton: {tolerance: 0}\n"
    const char *const *overrides;  // [override_count] "KEY=VALUE" as -s has them; `methods.METHOD.KEY` for one method's
    size_t             override_count;
    const char *const *metrics;  // [metric_count] each as a sweep file has it: "updates", "{log_decrement: {of: slow}}"
    size_t             metric_count;
} TrialSetting;

// Builds the kernel.
//   device, catalog, family  borrowed; must outlive the trial
//   trial                    written; release with trial_free()
// Errors: those of spec_read_text(), plan_make() (ERROR_USAGE where an override is at fault: unknown key, metric that
// does not apply, an axis in place of a number), engine_make(); ERROR_INTERNAL.
bool trial_make(Device *device, const Catalog *catalog, const Family *family, const TrialSetting *setting,
                Trial **trial, Error *err);
void trial_free(Trial *trial);

// Runs the problem for values of the free parameter.
//   values   [count], any number; NaN are left out
//   numbers  [metric_count][count] written: the metrics, NaN where the point has none
//   status   [count] written for values that are not left out; or NULL
// Errors: those of engine_run().
bool trial_run(Trial *trial, const double *values, size_t count, double *numbers, Status *status, Error *err);

// Step size, and steps of a run.
double trial_step(const Trial *trial);
double trial_steps(const Trial *trial);
