// plain -- plain C loops of the kernels' algorithms, one point after the other: the yardstick of `pendula bench`.
//
// The loop that a careful C programmer writes without lanes: libm, the number of unknowns a constant, elimination
// written out, optimised for the processor that compiles it, all cores. Newton's method is `newton: {mode: paper,
// tolerance: 1.0e-10}` without halving. A loop is written for the parameters of its workload.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAIN_STEP 0.01

enum { PLAIN_DOFS = 8 };  // no workload has more

// One point from t = 0.
//   value  of the parameter along which the workload's points lie
//   x, v   [PLAIN_DOFS] written: the final state; NaN where a solve failed
// Returns the Newton updates.
typedef uint64_t PlainLoop(double value, size_t steps, double *x, double *v);

typedef struct Plain {
    PlainLoop *run;
    int        dofs;
    double     step_flops, update_flops;  // operations of a step, and of each update in it on top
} Plain;

extern const Plain plain_pendulum_alpha, plain_pendulum_alpha_slope, plain_pendulum_rk4, plain_pendulum_alpha_single,
    plain_cartesian_theta, plain_cartesian_theta_slope, plain_polar_theta, plain_polar_theta_slope, plain_chain4_alpha,
    plain_chain4_alpha_slope, plain_chain8_alpha, plain_chain8_alpha_slope;

// The points of one run; each array is the caller's.
typedef struct PlainRun {
    const Plain  *plain;
    const double *values;   // [count]
    double       *x, *v;    // [count][plain->dofs] written
    uint64_t     *updates;  // [count] written
    size_t        count, steps;
    int           threads;
} PlainRun;

// Runs all points on that many threads, which take them a few at a time.
void plain_run(const PlainRun *run);

// Names an instruction set that the loops were compiled with and this processor lacks; NULL where there is none.
const char *plain_lacks(void);
