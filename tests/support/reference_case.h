// reference_case -- groups built by hand and run on the reference.
#pragma once

#include "plan/results.h"
#include "reference/method.h"
#include "reference/reference.h"
#include "support/test.h"

typedef struct Setting {
    const char *name;
    double      value;
} Setting;

enum { MOST_SETTINGS = 12 };

// One group. What is left zero has the default in brackets.
typedef struct Case {
    const char  *problem, *method;
    Setting      settings[MOST_SETTINGS];  // parameters of the problem, or else of the method
    const char  *axis;                     // a problem parameter with several values [none]
    double       values[8];
    size_t       value_count;
    double       h;
    uint64_t     steps;
    bool         paper;        // mode: paper [robust]
    bool         guard_off;    // floor_guard: false in robust mode
    double       tolerance;    // [0]
    double       max_updates;  // [50]
    JacobianRule jacobian;
    int          max_depth;   // [20]
    bool         no_halving;  // max_depth: 0
    double       budget;      // [200]
    StartRule    start;
    Precision    precision;
    Observed     of;
    double       from, to;  // window [0, INFINITY]
    uint64_t     every;     // trajectory of all fields [none]
    int          threads;
} Case;

typedef struct Run {
    Plan    plan;
    Group   group;
    Axis    axis;
    Dim     dim;
    Results results;
    Arena   arena;
} Run;

void case_plan(Run *run, const Case *c);
bool case_try(const Case *c, const volatile sig_atomic_t *stop, Run *run);
void run_free(Run *run);

// Fills run, which is zero-initialised or ran before, and stays where it is until run_free().
void run_case(const Case *c, Run *run);

// The same; its first point must end so.
void run_to(Status expected, const Case *c, Run *run);

// The same of a run that is declared here and released where its block ends.
#define RUN_CASE(run, c)            \
    Run run SCOPED(run_free) = {0}; \
    run_case(c, &run)
#define RUN_TO(expected, run, c)    \
    Run run SCOPED(run_free) = {0}; \
    run_to(expected, c, &run)

size_t variable_of(const Run *run, const char *name);

// Element of a variable at a point (or of its trajectory).
double case_element(const Run *run, const char *name, size_t point, size_t i);

// The number of the first point.
double case_number(const Run *run, const char *name);

// Stops the test unless the first point has these numbers, each {name, value, bound}.
#define assert_numbers(run, ...) case_due(run, (const Due[]){__VA_ARGS__, {0}})
void case_due(const Run *run, const Due *due);

Status status(const Run *run);
double number_of(const Case *c, const char *name);
