// advise -- which method and which step for a problem: the error of every choice beside its cost.
//
// A choice is a method, a value of its parameter and a number of steps. Its error is that of the worst of the problem's
// points (or their median), its cost the evaluations of a point, on average. A choice at which a point fails has an
// infinite error.
//
//   study --advise_run--> choices --advise_choose--> front, and for each target the best choice of each method
//                                                      |
//                                                      '--advise_time--> seconds of these choices, on the device
#pragma once

#include "base/outputs.h"
#include "engine/engine.h"
#include "engine/notice.h"
#include "terminal/table.h"

enum { ADVISE_TARGETS = 8 };

// The study: the sweep that advice is read from, every method that applies, over its parameter and over steps.
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

typedef struct Choice {
    size_t   group;        // of the study's plan: the method
    uint64_t point;        // of the group: the first of the problem's points at this choice
    double   error;        // of all points; infinite where one failed
    double   evaluations;  // of a point, on average
    double   updates;      // likewise; NaN of an explicit method
    double   seconds;      // of a point, where as many run side by side as keep the device busy; NaN: not measured
    uint64_t steps;
    double   step;
} Choice;

typedef struct AdviseProgress {
    uint64_t points, point_count;
    uint64_t steps, step_count;
} AdviseProgress;

typedef struct AdviseRequest {
    AdviseStudyRequest           study;
    bool                         median;                   // of the errors of all points; else the largest
    double                       targets[ADVISE_TARGETS];  // [target_count] errors, descending
    size_t                       target_count;
    Device                      *device;  // NULL: the reference
    const volatile sig_atomic_t *signals;
    Notice                      *notice;  // of the kernels that are compiled; or NULL
    void (*progress)(const AdviseProgress *progress, void *user);
    void *user;
} AdviseRequest;

// Zero-initialise it; release with advise_free(). Borrows the study.
typedef struct Advice {
    const AdviseRequest *request;
    const AdviseStudy   *study;
    Choice              *choices;  // [choice_count] by method, then as in the group
    size_t               choice_count;
    size_t              *front;  // [front_count] choices that none beats in error and evaluations, by evaluations
    size_t               front_count;
    // For each target the choices that reach it, of each method the one with fewest evaluations, in their order.
    size_t  *best[ADVISE_TARGETS];  // [best_count[target]]
    size_t   best_count[ADVISE_TARGETS];
    uint64_t problem_points, unsolved;  // points of the problem, and its points without a solution
    Arena    arena;
} Advice;

// Runs the study.
// Errors: those of engine_make() and engine_run(); ERROR_INPUT (no point has a solution to compare with).
bool advise_run(const AdviseRequest *request, const AdviseStudy *study, Advice *advice, Error *err);

// Finds the front and the best choices. Errors: ERROR_INTERNAL.
bool advise_choose(Advice *advice, Error *err);

// Measures the seconds of the choices that text shows: the median of three runs.
// Errors: those of engine_make() and engine_run().
bool advise_time(Advice *advice, Error *err);

// Whether text shows a choice of the front, given the error of the table row before: each table row at least halves it.
bool advise_shows_front(const Advice *advice, size_t i, double *error);

// How many of the best choices for a target text shows.
size_t advise_shown(const Advice *advice, size_t target);

// Adds the advice: in text the front, and for each target the cheapest methods; in csv and json a record for each
// choice on the front and each method's best choice for each target.
// Errors: ERROR_INTERNAL (memory).
bool advise_print(const Advice *advice, Format format, Text *text, Error *err);

// Draws error over evaluations, a curve for each method: methods on the front or cheapest for a target in colours, the
// others in grey.
//   said  the names of the files are added
// Errors: those of figure_draw().
bool advise_plot(const Advice *advice, const char *stem, const Outputs *outputs, Text *said, Error *err);

void advise_free(Advice *advice);
