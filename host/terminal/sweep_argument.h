// sweep_argument -- sweep file as an argument of a command: its options, and the way from the file to the plan.
#pragma once

#include "terminal/options.h"
#include "plan/plan.h"

// A sweep file as the command line gives it, and its plan. Zero-initialise it; release with sweep_argument_free().
typedef struct SweepArgument {
    const char *path;       // borrowed from argv; NULL: not given
    Words       overrides;  // -s KEY=VALUE
    Catalog     catalog;
    Spec        spec;
    Plan        plan;
} SweepArgument;

// For a parser function: takes `-s`, and the one argument SWEEP.yaml. ARGP_ERR_UNKNOWN for any other key.
error_t sweep_argument_parse(SweepArgument *sweep, int key, char *value, struct argp_state *state);

// Makes the plan.
// Errors: those of catalog_read(), spec_read() and plan_make().
bool sweep_argument_read(SweepArgument *sweep, Error *err);
void sweep_argument_free(SweepArgument *sweep);
