// fit -- parameters of a sweep that bring its quantities closest to measured values.
//
// The free parameters are those of the problem that have a distribution or a range in the sweep, and are no condition
// of the data. Their bounds are the ends of both, within what the problem permits; the starts are points of a scrambled
// Sobol' sequence in their distributions. The points of all starts and conditions are one batch.
#pragma once

#include "analysis/fit/levenberg.h"
#include "analysis/fit/fit_study.h"
#include "engine/point_list.h"

enum { FIT_STARTS = 1000000, FIT_OPTIMA = 10 };

struct GroupFit;

typedef struct FitRequest {
    const char         *path;  // of the sweep, for messages
    const Measurements *data;
    uint64_t            starts, seed, iterations;
    bool                absolute;  // standard deviations are those of the errors; else only their ratios are taken
    Device             *device;    // NULL: the reference
    Notice             *notice;    // of the kernels that are compiled; or NULL
    const volatile sig_atomic_t *signals;
    size_t                       room;                         // fits that profiles want at once; 0: none
    void (*iterated)(const struct GroupFit *fit, void *user);  // or NULL
    void *user;
} FitRequest;

// A parameter that is fitted.
typedef struct FitParameter {
    const char  *name, *unit;
    size_t       axis;
    double       lower, upper;  // bounds
    double       spread;        // between the quartiles of its starts
    Distribution distribution;  // of the starts
    // What is found of it.
    double value, deviation;  // of the estimate; INFINITY: the data do not determine it, NaN: it stands on a bound
    double low, high;         // interval at 95 %
    bool   profiled;
    double ends[2];    // interval of its profile, below and above; NaN: open there
    double looked[2];  // how far an open end was looked for
} FitParameter;

// An optimum, and the starts that ended there.
typedef struct FitOptimum {
    const LevenbergFit *fit;
    size_t              starts;
} FitOptimum;

// The fit of a group. Release with fit_free(), also after a failure.
typedef struct GroupFit {
    const FitRequest *request;
    const Group      *group;
    const Plan       *plan;
    const FitStudy   *study;
    bool              derived;     // derivatives are those of the kernel; else differences
    FitParameter     *parameters;  // [parameter_count]
    size_t            parameter_count;
    LevenbergRequest  asked;
    Levenberg         levenberg;
    FitOptimum       *optima;                      // [optimum_count] the best one first; at most FIT_OPTIMA
    size_t            optimum_count, optima_more;  // those that are left out
    size_t            converged, failed;           // starts
    double            squares;                     // weighted, at the best
    size_t            freedom;                     // data less parameters
    double            error;        // standard deviation of the errors, or of their ratio to the stated ones
    double           *inverse;      // [parameter_count][parameter_count] (J^T J)^-1 of the parameters off their bounds
    double           *correlation;  // [parameter_count][parameter_count]; NaN where there is none
    double           *unknown;      // [unknown_count][parameter_count] directions that change nothing: relative
    size_t            unknown_count;
    double            below;  // a sum of squares of a profile that is less than the best optimum's; NaN: none is
    PointList         list;
    size_t            room, variants;
    size_t           *variables;  // [quantities][1 + derivatives]
    Arena             arena;
} GroupFit;

// The free parameters of a group, before anything runs.
//   by  [TRIANGLE_MOST] written: their names; borrowed from the plan
// Errors: ERROR_INPUT (none, too many, one that is a whole number, an axis that is neither free nor a condition).
bool fit_find_free(const char *path, const Measurements *data, const Group *group, const char *by[TRIANGLE_MOST],
                   size_t *count, Error *err);

// Finds parameters, bounds and starts.
//   study  borrowed; must outlive the fit
// Errors: those of fit_find_free(); ERROR_INPUT (fewer data than parameters, a condition that the group has not),
// ERROR_INTERNAL.
bool fit_make(const FitRequest *request, const FitStudy *study, const Group *group, GroupFit *fit, Error *err);

// Builds the kernel. Errors: those of point_list_build().
bool fit_build(GroupFit *fit, Error *err);

// Runs a point under all conditions, once the kernel is built: samples of the measured quantities at the study's times.
//   numbers  [condition_count][quantity_count][sample_count] written
// Errors: those of engine_run().
bool fit_show(GroupFit *fit, const double *point, double *numbers, Error *err);

// Builds the kernel and runs all starts; estimates_find() says what they found.
// Errors: those of levenberg_run(), engine_compose(), engine_build() and engine_run().
bool fit_run(GroupFit *fit, Error *err);
void fit_free(GroupFit *fit);
