// advise_study -- the sweep that advice is read from: every method that applies, over its parameter and over steps.
#pragma once

#include "plan/plan.h"

enum { ADVISE_STEPS = 32 };

// A method that does not apply, and why.
typedef struct AdviseRefusal {
    const char *method, *why;
} AdviseRefusal;

typedef struct AdviseStudyRequest {
    const char        *path;     // of the sweep, for messages and for files that it names
    const char        *error;    // the metric that is the error: error_max or error_final
    const char *const *methods;  // [method_count] built-in ones to try; none: all
    size_t             method_count;
    uint64_t           range[2];  // steps of the coarsest and of the finest run; 0: found from the sweep's own step
} AdviseStudyRequest;

// Zero-initialise it; release with advise_study_free().
typedef struct AdviseStudy {
    Text           text;  // the sweep file
    Spec           spec;
    Plan           plan;
    uint64_t       steps[ADVISE_STEPS];  // [step_count] ascending
    size_t         step_count;
    bool           names_files;  // the sweep file names others, relative to its folder
    AdviseRefusal *refused;      // [refused_count] built-in methods that do not apply
    size_t         refused_count;
    Arena          arena;
} AdviseStudy;

// Makes the study of a sweep: its problem, parameters, settings and end; in place of its methods all that apply and its
// own method files; in place of its step the numbers of steps, each twice the one before; the error, the evaluations
// and the updates in place of its metrics.
//   spec, plan, catalog  of the sweep; borrowed, must outlive the study
// Errors: ERROR_USAGE (an unknown method), ERROR_INPUT (a random design, points that do not end at the same time, no
// method applies), ERROR_INTERNAL.
bool advise_study_make(const AdviseStudyRequest *request, const Spec *spec, const Plan *plan, const Catalog *catalog,
                       AdviseStudy *study, Error *err);
void advise_study_free(AdviseStudy *study);
