// metrics -- the numbers of a point: gauges that are shown the reference's states, without bounds.
//
// A metric's definition is its gauge (gauges/gauge.h). Counts of work and condition numbers are the stepping's own.
#pragma once

#include "gauges/gauge.h"
#include "reference/stepping.h"

// Watches a trajectory. Pointers are borrowed but for the gauges' own.
typedef struct Metrics {
    const Group            *group;
    Gauge                  *gauges;  // [group->instance_count]
    const ReferenceProblem *functions;
    const void             *params;
    const double           *arguments;   // of all metrics, as the kernels are given them
    const double           *parameters;  // of the problem, likewise
    SolutionSamples         samples;     // the point's solution, where it has no closed form
    GaugeProblem            problem;
    double                  last_x[REFERENCE_DOFS], last_v[REFERENCE_DOFS];  // at the last observation
} Metrics;

// Begins a trajectory, all but `problem` and the last state filled. Gauges are zeroed before the first; gauge_end()
// releases their memory. The metrics are not moved until the trajectory has ended.
void metrics_start(Metrics *metrics);

// ||x - x_exact(t)||_inf, of a problem that provides `exact`.
double metrics_distance(const ReferenceProblem *problem, const void *params, double t, const double *x);

// Sees the trajectory at t = 0 or after a completed full step. Errors: ERROR_INTERNAL (memory).
//   t, before  the time, and that of the observation before, as the kernels have them
bool metrics_observe(Metrics *metrics, const Stepping *stepping, uint64_t steps, double t, double before,
                     const State *state, Error *err);

// The state at a time between the last observation and the one to come, before metrics_observe() sees it: by the cubics
// of gauges/between.h.
//   t, before  as in metrics_observe()
void metrics_between(const Metrics *metrics, const Stepping *stepping, double t, double before, const State *state,
                     double time, State *there);

// The value of a formula of `observe:` at a state.
double metrics_observed(const Metrics *metrics, double t, const State *state, const struct Node *formula);

// Number k of a metric's result. A point that failed has counts, and of all others NaN, as has a metric that is not
// known.
double metrics_value(Metrics *metrics, const Stepping *stepping, const Variable *variable, size_t k);
