// sweep -- what the commands that take a sweep file share: its options, and the way from the file to the plan.
#pragma once

#include "cli/options.h"
#include "plan/plan.h"

// A sweep file as the command line gives it, and its plan. Zero-initialise it; release with sweep_free().
typedef struct Sweep {
    const char *path;       // borrowed from argv; NULL: not given
    Words       overrides;  // -s KEY=VALUE
    Catalog     catalog;
    Spec        spec;
    Plan        plan;
} Sweep;

// For a parser function: takes `-s`, and the one argument SWEEP.yaml. ARGP_ERR_UNKNOWN for any other key.
error_t sweep_parse(Sweep *sweep, int key, char *value, struct argp_state *state);

// Makes the plan.
// Errors: those of catalog_read(), spec_read() and plan_make().
bool sweep_read(Sweep *sweep, Error *err);
void sweep_free(Sweep *sweep);
