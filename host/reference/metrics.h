// metrics -- the numbers of a point: what the metric files of kernels/metrics compute, from their definitions.
#pragma once

#include "plan/solution.h"
#include "reference/damping.h"
#include "reference/oscillation.h"
#include "reference/stepping.h"

// The trajectory at t = 0 or after a completed full step.
typedef struct Observation {
    uint64_t     step, steps;  // number of steps taken, and of all
    double       t, h;
    const State *state;
} Observation;

// Least and largest of what was seen.
typedef struct MotionRange {
    double   low, high;
    uint64_t seen;
} MotionRange;

// One metric instance watching one trajectory. Pointers are borrowed.
typedef struct Observer {
    const MetricInstance         *instance;
    const struct ReferenceMetric *metric;  // NULL: the reference has no such metric
    const ReferenceProblem       *problem;
    const void                   *params;
    double                       *kept;  // [width] of each result of the card that has samples, one after the other
    const double                 *arguments;  // [instance->card->parameter_count] as the kernels are given them
    SolutionSamples               samples;    // what the point should do, where no closed form says it
    union {                                   // by metric, zero at the start
        struct {
            uint64_t observations;  // inside the instance's window
            double   first, last, worst, scale;
        } energy;
        struct {
            uint64_t observations;  // inside the instance's window
            double   last, largest, integral;
        } kinetic;
        Oscillation oscillation;
        Damping     damping;
        struct {
            bool   seen;  // an observation in the window, as below
            double largest;
        } extent;
        struct {
            bool     seen;
            double   largest, squares;
            uint64_t count;  // in the last quarter
        } fast;
        struct {
            bool   seen;
            double last, largest;
        } error;
        struct {
            double angle, radius;
        } visual;
        struct {
            MotionRange range;
            double      sum, squares;
        } stats;
        struct {
            MotionRange early, late;
        } steady;
        struct {
            bool     begun;  // the last observation was in the window
            double   value, first, last;
            uint64_t seen;
        } events;
        struct {
            bool   begun;
            double first, last, lost, gained, dissipated, work;
        } balance;
        struct {
            uint64_t count;   // samples taken
            bool     begun;   // the last observation was in the window
            double   value;   // what was observed there
            State    before;  // the last observation
        } taken;
        struct {
            bool        inside;  // the last observation was in the window
            double      state[2 * REFERENCE_DOFS], d[2 * REFERENCE_DOFS], size[2 * REFERENCE_DOFS];
            double      sum, time;
            uint64_t    seen;  // steps in the window
            MotionRange late;
        } lyapunov;
    } of;
} Observer;

// Sets the observer to watch for the results of an instance.
void metrics_start(Observer *observer, const MetricInstance *instance, const ReferenceProblem *problem,
                   const void *params, const double *arguments, double *kept, SolutionSamples samples);

// ||x - x_exact(t)||_inf, of a problem that provides `exact`.
double metrics_distance(const ReferenceProblem *problem, const void *params, double t, const double *x);

void metrics_observe(Observer *observer, const Observation *now);

// The value of a result of the instance's card for a trajectory that came to its end; counters hold after a failure
// too. False where the reference does not know the result.
bool metrics_value(const Observer *observer, const Stepping *stepping, const char *result, double *value);

// The same of a result with samples: its number k; NaN where it was not taken. False where there is no such result.
bool metrics_sample(const Observer *observer, const char *result, size_t k, double *value);

// Whether the reference knows a result of a metric: it does not where a metric's file was added without a row here.
bool metrics_known(const Card *metric, const char *result);
