// trial -- runs of a family on a problem, its free parameter filled anew for every launch.
//
// The sweep is written for the purpose: a zip whose axes are the method's parameters. One build serves any values.
#pragma once

#include "analysis/linear/setting.h"
#include "analysis/linear/theory.h"
#include "device/device.h"

// A method with one parameter left free.
//
// Of a method with one parameter that one is free. Of others all but one are fixed by the caller. Without that, the
// newmark family leaves gamma free and ties beta = (gamma + 1/2)^2/4, for which the dissipation at high frequencies is
// largest among the unconditionally stable (Hughes 1987, section 9.1).
typedef struct Family {
    const Card   *method;       // borrowed
    const Theory *theory;       // NULL: an adaptive method, whose step is not a matrix
    double       *parameters;   // [parameter_count of the card] the fixed ones; see family_at()
    size_t        free;         // index of the free one
    size_t        tied;         // index of beta, which follows gamma; SIZE_MAX: nothing is tied
    double        least, most;  // where the free one is looked for; within the card's range
} Family;

// Finds a method and leaves one of its parameters free.
//   settings  [setting_count] fix parameters; settings that the method has are marked as used
//   arena     owns the family's arrays
// Errors: ERROR_USAGE (unknown method; no parameter left free, or more than one; a value out of range),
// ERROR_INTERNAL.
bool family_make(const Catalog *catalog, const char *method, Setting *settings, size_t setting_count, Arena *arena,
                 Family *family, Error *err);

// Sets the range that is looked at, least < most. Errors: ERROR_USAGE (beyond the card's range).
bool family_narrow(Family *family, double least, double most, Error *err);

// The parameters where the free one has a value.
//   parameters  [parameter_count of the card] written, in its order
void family_at(const Family *family, double value, double *parameters);

// The free parameter's card.
const CardParameter *family_parameter(const Family *family);

typedef struct Trial Trial;

typedef struct TrialSetting {
    const char        *problem;    // a name of the catalog
    const char        *defaults;   // further lines of the sweep: "step: 0.1\nend: 100\nnewton: {tolerance: 0}\n"
    const char *const *overrides;  // [override_count] "KEY=VALUE" as -s has them; `methods.METHOD.KEY` for one method's
    size_t             override_count;
    double             step, steps;  // in place of the time of defaults and overrides; step 0: it stays
    const char *const *metrics;  // [metric_count] each as a sweep file has it: "updates", "{log_decrement: {of: slow}}"
    size_t             metric_count;
} TrialSetting;

// Builds the kernel.
//   device, catalog, family  borrowed; must outlive the trial
//   trial                    written; release with trial_free()
// Errors: those of spec_read_text(), plan_make() (ERROR_USAGE where an override is at fault: unknown key, metric that
// does not apply, an axis in place of a number), point_list_build(); ERROR_INTERNAL.
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
