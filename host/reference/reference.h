// reference -- the CPU path: a second, independent implementation of every method, problem by problem, in plain C.
//
// It exists to be obviously right: scalar double arithmetic, textbook order, LAPACKE for linear solves and singular
// values, libm for functions; metrics by their gauges (gauges/gauge.h). It shares only the problem's kernel file with
// the kernels, compiled as C. It fills the same Results as a device.
//
// A plan in single precision is computed in double too, on inputs rounded to float: parameters, step and tolerance. The
// stencil and the floor guard keep the constants of double, so update counts do not compare with a device's there.
#pragma once

#include "plan/results.h"
#include "plan/solution.h"

#include <signal.h>

typedef struct ReferenceOptions {
    int                          threads;  // 0: one per core
    const volatile sig_atomic_t *stop;     // not NULL: give up soon after it becomes non-zero (ERROR_STOPPED)
    const bool                  *needed;   // of solve_group(): [tables] to be made; NULL: all
} ReferenceOptions;

// Runs the points of a batch into results (buffers at least as large as the batch). A metric that the reference does
// not have is NaN, and -1 where it is a whole number.
// Errors: ERROR_DEVICE (reference_check()), ERROR_INTERNAL (memory), ERROR_STOPPED.
bool reference_run(const Plan *plan, const Batch *batch, const ReferenceOptions *options, Results *results, Error *err);

enum { REFERENCE_NUDGES = 9 };

// Runs every point nine times: as it is, and with every component of x0 moved by one to four ulps of the largest
// component of x0, and v0 likewise, down and up. Ulps are of the plan's precision; a vector of zeros stays. The stencil
// of difference Jacobians widens by a thousandth per ulp: the error they add to each step is rounding, and a stencil
// that is a power of two would hide it in all nine.
//   results      [REFERENCE_NUDGES] the first is the point as it is
//   close_calls  [batch->point_count] written: the point came so near to another count of updates that rounding decides
//                (decisions.h)
// Errors: as reference_run().
bool reference_run_nudged(const Plan *plan, const Batch *batch, const ReferenceOptions *options,
                          Results results[REFERENCE_NUDGES], bool *close_calls, Error *err);

// Whether the reference has the problem and the method of a group. Errors: ERROR_DEVICE (a method of the user's; those
// of own_problem()), ERROR_KERNEL.
bool reference_check(const Group *group, Error *err);

// Whether the reference computes a variable of a group: a metric whose file was added alone it does not have.
bool reference_computes(const Group *group, size_t variable);

// Accelerations that one table may cost: about a second.
enum { SOLVE_EVALUATIONS = 20000000 };

// Makes the solution that a group's metrics need; an empty one where they need none.
//   solution  written; release with solution_free()
// Errors: ERROR_INPUT (more than 2 GiB of tables), those of own_problem(), ERROR_STOPPED, ERROR_INTERNAL.
bool solve_group(const Plan *plan, const Group *group, const ReferenceOptions *options, Solution *solution, Error *err);
