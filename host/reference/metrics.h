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

// One metric instance watching one trajectory. Pointers are borrowed.
typedef struct Observer {
    const MetricInstance         *instance;
    const struct ReferenceMetric *metric;  // NULL: the reference has no such metric
    const ReferenceProblem       *problem;
    const void                   *params;
    SolutionSamples               samples;  // what the point should do, where no closed form says it
    union {                                 // by metric, zero at the start
        struct {
            double first, last, worst, scale;
        } energy;
        struct {
            uint64_t observations;  // inside the instance's window
            double   last, largest, integral;
        } kinetic;
        Oscillation oscillation;
        Damping     damping;
        double      extent;
        struct {
            double   largest, squares;
            uint64_t count;  // in the last quarter
        } fast;
        struct {
            double last, largest;
        } error;
        struct {
            double angle, radius;
        } visual;
    } of;
} Observer;

// Sets the observer to watch for the results of an instance.
void metrics_start(Observer *observer, const MetricInstance *instance, const ReferenceProblem *problem,
                   const void *params, SolutionSamples samples);

// ||x - x_exact(t)||_inf, of a problem that provides `exact`.
double metrics_distance(const ReferenceProblem *problem, const void *params, double t, const double *x);

void metrics_observe(Observer *observer, const Observation *now);

// The value of a result of the instance's card for a trajectory that came to its end; counters hold after a failure
// too. False where the reference does not know the result.
bool metrics_value(const Observer *observer, const Stepping *stepping, const char *result, double *value);

// Whether the reference knows a result of a metric: it does not where a metric's file was added without a row here.
bool metrics_known(const Card *metric, const char *result);
