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
    double shown_x[REFERENCE_DOFS], shown_v[REFERENCE_DOFS];                 // likewise, or at the end of the last arc
} Metrics;

// The times of both ends of a step or of an arc, as the kernels have them; its length, and that of the step.
typedef struct MetricsTimes {
    double        before, t, h, step_length;
    const double *dense;  // [6][dofs] of an arc, or NULL
} MetricsTimes;

// Begins a trajectory, all but `problem` and the last state filled. Gauges are zeroed before the first; gauge_end()
// releases their memory. The metrics are not moved until the trajectory has ended.
void metrics_start(Metrics *metrics);

// ||x - x_exact(t)||_inf, of a problem that provides `exact`.
double metrics_distance(const ReferenceProblem *problem, const void *params, double t, const double *x);

// Sees the trajectory at t = 0 or after a completed full step. Errors: ERROR_INTERNAL (memory).
//   t, before  the time, and that of the observation before, as the kernels have them
bool metrics_observe(Metrics *metrics, const Stepping *stepping, uint64_t steps, double t, double before,
                     const State *state, Error *err);

// Shows an arc to the metrics that look between the ends of steps. Errors: ERROR_INTERNAL (memory).
//   step  the steps that have ended
bool metrics_see_arc(Metrics *metrics, const SteppingArc *arc, uint64_t step, uint64_t steps, const MetricsTimes *times,
                     Error *err);

// The state at a time within a step or an arc: by the cubics of gauges/between.h.
//   begun_x, begun_v, state  at its ends
void metrics_between(const Metrics *metrics, const MetricsTimes *times, const double *begun_x, const double *begun_v,
                     const State *state, double time, State *there);

// The value of a formula of `observe:` at a state.
double metrics_observed(const Metrics *metrics, double t, const State *state, const struct Node *formula);

// Number k of a metric's result. A point that failed has counts, and of all others NaN, as has a metric that is not
// known.
double metrics_value(Metrics *metrics, const Stepping *stepping, const Variable *variable, size_t k);
