// workloads -- table of the standard workloads, and the sweep of each.
#include "analysis/bench/workloads.h"

#include "base/suggest.h"
#include "catalog/catalog.h"
#include "compose/included.h"

#include <string.h>

#define ALPHA "{generalized_alpha: {rho_inf: 0.6}}"
#define THETA "{theta2: {theta: 0.07}}"
#define SWINGS "x0: {linear: [0.5, 2.5, "
#define STIFFNESSES "eps: {log: [1.0e-1, 1.0e-3, "
#define GRADINGS "eps: {log: [0.5, 0.1, "
#define CHAIN(n) ", n: " #n ", cubic: 1, x0: 0.1"
#define CENTRAL "mode: paper, tolerance: 1.0e-10"
#define ANALYTIC CENTRAL ", jacobian: analytic"

extern const TextFile bare_files[];  // bare.cl alone; made by the build

// Single precision is rounded to 6e-8 a step, and the error that grows from that over a thousand steps is not the
// method's.
const Workload workloads[WORKLOAD_COUNT] = {
    {"W1", "pendulum", SWINGS, "", ALPHA, CENTRAL, false, &plain_pendulum_alpha, NULL, true, 1e-9},
    {"W2", "elastic_pendulum_cartesian", STIFFNESSES, "", THETA, CENTRAL, false, &plain_cartesian_theta, NULL, true,
     1e-9},
    {"W3", "pendulum", SWINGS, "", "{rk4: {}}", NULL, false, &plain_pendulum_rk4, NULL, true, 1e-9},
    {"W5", "elastic_pendulum_polar", STIFFNESSES, "", THETA, CENTRAL, false, &plain_polar_theta, NULL, true, 1e-9},
    {"W4n4", "spring_chain", GRADINGS, CHAIN(4), ALPHA, CENTRAL, false, &plain_chain4_alpha, NULL, true, 1e-9},
    {"W4n8", "spring_chain", GRADINGS, CHAIN(8), ALPHA, CENTRAL, false, &plain_chain8_alpha, NULL, true, 1e-9},
    {"W1a", "pendulum", SWINGS, "", ALPHA, ANALYTIC, false, &plain_pendulum_alpha_slope, &plain_pendulum_alpha, false,
     1e-9},
    {"W2a", "elastic_pendulum_cartesian", STIFFNESSES, "", THETA, ANALYTIC, false, &plain_cartesian_theta_slope,
     &plain_cartesian_theta, false, 1e-9},
    {"W5a", "elastic_pendulum_polar", STIFFNESSES, "", THETA, ANALYTIC, false, &plain_polar_theta_slope,
     &plain_polar_theta, false, 1e-9},
    {"W4n4a", "spring_chain", GRADINGS, CHAIN(4), ALPHA, ANALYTIC, false, &plain_chain4_alpha_slope,
     &plain_chain4_alpha, false, 1e-9},
    {"W4n8a", "spring_chain", GRADINGS, CHAIN(8), ALPHA, ANALYTIC, false, &plain_chain8_alpha_slope,
     &plain_chain8_alpha, false, 1e-9},
    {"W1s", "pendulum", SWINGS, "", ALPHA, "mode: paper, tolerance: 1.0e-5", true, &plain_pendulum_alpha_single, NULL,
     false, 1e-2},
};

const Workload *workloads_find(const char *name, Error *err)
{
    const char *names[WORKLOAD_COUNT];
    for (size_t i = 0; i < WORKLOAD_COUNT; ++i) {
        names[i] = workloads[i].name;
        if (strcmp(name, names[i]) == 0)
            return &workloads[i];
    }
    Text all = {0};
    for (size_t i = 0; i < WORKLOAD_COUNT; ++i)
        text_add(&all, "%s%s", i ? ", " : "; there is: ", names[i]);
    fail(err, ERROR_USAGE, "unknown workload '%.100s'", name);
    suggest_add(err, suggest(name, names, WORKLOAD_COUNT), all.text ? all.text : "");
    text_free(&all);
    return NULL;
}

void workloads_text(const Workload *workload, size_t points, size_t steps, Text *text)
{
    text_add(text,
             "title: %s\nproblem: %s\nparameters: {%s%zu]}%s}\nmethods: [%s]\nstep: %g\nsteps: %zu\nprecision: %s\n"
             "metrics: [status, x_final, v_final%s]\n",
             workload->name, workload->problem, workload->axis, points, workload->constants, workload->method,
             PLAIN_STEP, steps, workload->single ? "single" : "double", workload->newton ? ", updates" : "");
    if (workload->newton)
        text_add(text, "newton: {%s}\n", workload->newton);
}

bool workloads_bare(const Workload *workload, Text *text, Error *err)
{
    Included included = {0};
    text_add(text, "#define %s\n", workload->name);
    return included_add(text, "bare.cl", bare_files[0].text, &included, err);
}
