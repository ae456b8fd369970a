// metrics -- the numbers of a point: what the metric files of kernels/metrics compute, from their definitions.
#pragma once

#include "plan/solution.h"
#include "reference/damping.h"
#include "reference/oscillation.h"
#include "reference/stepping.h"

typedef struct Observer Observer;

// The trajectory at t = 0 or after a completed full step.
typedef struct Observation {
    uint64_t     step, steps;  // number of steps taken, and of all
    double       t, h;
    const State *state;
} Observation;

// One metric instance watching one trajectory; only the sums of its own metric are used. Pointers are borrowed.
struct Observer {
    const MetricInstance   *instance;
    const ReferenceProblem *problem;
    const void             *params;
    void (*observe)(Observer *observer, const Observation *now);  // NULL: nothing to watch
    uint64_t        observations;                                 // inside the instance's window
    double          energy_first, energy_last, energy_worst, energy_scale;
    double          kinetic_last, kinetic_max, kinetic_integral;
    Oscillation     oscillation;
    Damping         damping;
    double          x_max;
    double          fast_squares, fast_max;
    uint64_t        fast_count;  // in the last quarter
    SolutionSamples samples;     // what the point should do, where no closed form says it
    double          error_last, error_max;
    double          angle_error, radius_error;
};

// Sets the observer to watch for the results of the instance's card.
void metrics_start(Observer *observer, const MetricInstance *instance, const ReferenceProblem *problem,
                   const void *params, SolutionSamples samples);

// ||x - x_exact(t)||_inf, of a problem that provides `exact`.
double metrics_distance(const ReferenceProblem *problem, const void *params, double t, const double *x);

void metrics_observe(Observer *observer, const Observation *now);

// The value of a result of the instance's card for a trajectory that came to its end; counters hold after a failure
// too. False where the reference does not know the result.
bool metrics_value(const Observer *observer, const Stepping *stepping, const char *result, double *value);

// Whether the reference knows a result: it does not where a metric's file was added without a line here.
bool metrics_known(const char *result);
