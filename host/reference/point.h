// point -- one point of a sweep, run from its initial state to its end or its failure.
#pragma once

#include "plan/results.h"
#include "reference/metrics.h"
#include "reference/stepping.h"
#include "reference/tangents.h"

#include <signal.h>

// Data that the points of one thread use in turn. Made by point_make(), released with point_free().
typedef struct PointRun {
    const Plan                  *plan;  // borrowed, like all below but the buffers
    const Batch                 *batch;
    const volatile sig_atomic_t *stop;  // not NULL: give up soon after it becomes non-zero
    const Results               *results;
    const ReferenceProblem      *problem;
    const ReferenceMethod       *method;
    void                        *params;   // [problem->params_bytes]
    double                      *values;   // the problem's parameters, then the method's
    double                      *numbers;  // of the sweep's breaks
    SteppingBreaks               breaks;
    Crossings                    crossings;  // of its events
    double                      *arguments;  // of the metrics, instance after instance
    double (*scratch)[REFERENCE_DOFS];       // the method's scratch vectors, of the last arc
    Metrics              metrics;
    Tangents            *tangents;   // NULL: the group has no derivatives
    Arena                arena;      // owns the four, and the gauges
    int                  nudge;      // as in reference_run_nudged()
    Decisions           *decisions;  // borrowed; NULL: margins are not noted
    const SteppingWatch *watch;      // borrowed; who looks on, or NULL
} PointRun;

// Finds problem and method of the batch's group and allocates the buffers.
// Errors: those of point_problem() and method_read(), ERROR_INTERNAL (memory).
bool point_make(const Plan *plan, const Batch *batch, const volatile sig_atomic_t *stop, const Results *results,
                PointRun *run, Error *err);
void point_free(PointRun *run);

// The reference's problem of that card and number of degrees of freedom; NULL on failure. Errors: those of
// own_problem(), where it is not a built-in one.
const ReferenceProblem *point_problem(const Card *card, size_t dofs, Error *err);

// Gives a problem's params the tables of its card, where it has some.
void point_give_curves(const ReferenceProblem *problem, const Card *card, void *params);

// A number as the kernels are given it: rounded to float in single precision.
double point_input_number(const Plan *plan, double value);

// The time of a point after so many steps, whole or not, as the kernels have it (TIME_AFTER of kernels/point.h).
//   h, begin  as the kernels are given them
double point_time(const Plan *plan, double steps, double h, double begin);

// The parameters of a point's problem, in card order, as the kernels are given them.
void point_parameters(const Plan *plan, const Group *group, uint64_t point, double *values);

// The arguments of the group's metrics at a point, instance after instance, as the kernels are given them; and how many
// there are.
size_t point_argument_count(const Group *group);
void   point_arguments(const Plan *plan, const Group *group, uint64_t point, double *arguments);

// Loads a point's numbers into the run, and prepares its steps; none is taken yet.
//   stepping  borrows the run and the rules
void point_begin(PointRun *run, uint64_t point, NewtonRules *rules, Stepping *stepping);

// Runs a point and writes its results.
// Errors: ERROR_STOPPED.
bool point_run(PointRun *run, uint64_t point, Error *err);
