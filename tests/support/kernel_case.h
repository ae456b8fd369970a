// kernel_case -- sweeps from text, run by the kernels on the default device.
#pragma once

#include "engine/engine.h"

#include "support/plan_from.h"

enum { MOST_GROUPS = 64 };

// A sweep and what the kernels made of it. Zero-initialise it; it stays where it is until ran_free(), which running
// another sweep does first.
typedef struct Ran {
    Made    made;
    Engine  engines[MOST_GROUPS];
    Results results[MOST_GROUPS];  // every point of each group
    size_t  slices[MOST_GROUPS];   // launches that it took
} Ran;

// What a program was called with, which is the state of its tests, and the device.
typedef struct Chosen {
    Device            *device;
    const char *const *names;  // [name_count] methods; none: all
    size_t             name_count;
} Chosen;

bool chosen_has(const Chosen *chosen, const char *name);

// Runs the tests on the default device; the exit status of main().
int chosen_run(int argc, char **argv);

// Leave the default device, or the one of compiled C, to the tests.
int open_device(void **state);
int open_native(void **state);
int close_device(void **state);

// Builds and runs every group of a sweep, each as one batch.
void run_file(Ran *ran, Device *device, int lanes, const char *path);

void build_text(Ran *ran, Device *device, int lanes, const char *text);
void run_text(Ran *ran, Device *device, int lanes, const char *text);

// The same; every point must be well.
void run_ok(Ran *ran, Device *device, int lanes, const char *text);

// The same of a sweep that is declared here and released where its block ends.
#define RUN(ran, device, lanes, text) \
    Ran ran SCOPED(ran_free) = {0};   \
    run_text(&ran, device, lanes, text)
#define RUN_OK(ran, device, lanes, text) \
    Ran ran SCOPED(ran_free) = {0};      \
    run_ok(&ran, device, lanes, text)

// The same with a problem file NAME.cl beside the sweep, which names it ./NAME.cl.
#define RUN_BESIDE(ran, device, lanes, name, problem, text) \
    Ran ran SCOPED(ran_free) = {0};                         \
    run_beside(&ran, device, lanes, name, problem, text)
void run_beside(Ran *ran, Device *device, int lanes, const char *name, const char *problem, const char *text);

void         ran_free(Ran *ran);
const Group *group_at(const Ran *ran, size_t number);
size_t       group_number(const Ran *ran, const char *label);

// Element of a variable at a point (or, for trajectories, of a slot).
double element(const Ran *ran, size_t group, const char *name, size_t point, size_t i);

double number(const Ran *ran, size_t group, const char *name, size_t point);

// Stops the test unless a point has these numbers, each {name, value, bound}.
#define assert_point(ran, group, point, ...) point_due(ran, group, point, (const Due[]){__VA_ARGS__, {0}})
void point_due(const Ran *ran, size_t group, size_t point, const Due *due);

#define assert_status(ran, group, point, expected) \
    assert_string_equal(plan_status_names[(size_t)number(ran, group, "status", point)], plan_status_names[expected])

void assert_all_ok(const Ran *ran);

// Whether a row of `a` has the same bytes as one of `b`; both have the same variables.
void assert_same_row(const Results *a, size_t row_a, const Results *b, size_t row_b, size_t variable, const char *what);

// Every number of two runs of the same sweep has the same bits.
void assert_same(const Ran *a, const Ran *b, const char *what);

// Every point gives the same bits in a batch of its own as among its neighbours.
void assert_same_alone(Ran *ran);

// Adds "lead: [a, b, ...]" with every digit.
void add_list(Text *text, const char *lead, const double *values, size_t count);

// The counters of a point.
typedef struct Counts {
    double failed, substeps, updates, evaluations, depth, steps;
} Counts;

void assert_counts(const Ran *ran, size_t group, size_t point, Counts expected);
