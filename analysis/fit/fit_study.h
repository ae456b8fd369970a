// fit_study -- the sweep of a fit: that of the user with samples of the measured quantities at the measured times.
#pragma once

#include "analysis/fit/measurements.h"

// Release with fit_study_free(), also after a failure.
typedef struct FitStudy {
    Spec  spec;
    Plan  plan;
    bool  derived;  // its points have derivatives by the free parameters
    char *why;      // not, where they were asked for; in the arena
    Arena arena;
} FitStudy;

// Makes the plan.
//   sweep      the user's; its plan's catalog must outlive the study
//   overrides  [override_count] those of the user's
//   times      [time_count] of samples
//   by         [by_count] names of parameters by which samples are derived; none: they are not. Where the sweep
//              cannot have these derivatives, the study is made without
// Errors: those of spec_read_text() and plan_make().
bool fit_study_make(const Plan *sweep, const char *const *overrides, size_t override_count, const Measurements *data,
                    const double *times, size_t time_count, const char *const *by, size_t by_count, FitStudy *study,
                    Error *err);
void fit_study_free(FitStudy *study);

// Adds the samples of the measured quantities at times, with their derivatives by some names, as a sweep file has them
// under `trajectory`.
void fit_study_samples(const Measurements *data, const double *times, size_t count, const char *const *by,
                       size_t by_count, Text *text);
