// workloads -- standard workloads of `pendula bench`: sweeps that have a plain C loop of the same algorithm, and some
// of them a bare kernel.
//
// W1 pendulum and W2 stiff Cartesian pendulum by Newton, W3 pendulum without, W4n4 and W4n8 chains of 4 and 8 masses,
// W5 stiff polar pendulum; with an `a` behind it the Jacobian is analytic, with an `s` the precision is single.
#pragma once

#include "analysis/bench/plain.h"
#include "base/text.h"

typedef struct Workload {
    const char  *name;
    const char  *problem;
    const char  *axis;       // the parameter along which the points lie, and its range without the number of values
    const char  *constants;  // further parameters, each with a comma before it
    const char  *method;
    const char  *newton;          // settings; NULL: the method has no Newton iteration
    bool         single;          // precision
    const Plain *plain;           // the same algorithm
    const Plain *by_differences;  // that with a Jacobian by differences, where the workload's is analytic; else NULL
    bool         bare;            // analysis/bench/bare.cl has it
    double       bound;           // how far the final states of kernel and loop may be apart
} Workload;

enum { WORKLOAD_COUNT = 12 };
extern const Workload workloads[WORKLOAD_COUNT];

// The workload of that name. NULL with err filled where there is none: ERROR_USAGE, which names them.
const Workload *workloads_find(const char *name, Error *err);

// Adds the text of the sweep with that many points and steps.
void workloads_text(const Workload *workload, size_t points, size_t steps, Text *text);

// Adds the text of its bare kernel, with the kernel file that it includes.
// Errors: those of included_add().
bool workloads_bare(const Workload *workload, Text *text, Error *err);
