// plan_from -- tests make a plan from the text of a sweep file.
#pragma once

#include "plan/results.h"

#include "support/test.h"

#include <unistd.h>

// What became of a sweep file. `fine`: whether there is a plan; if not, err says why.
typedef struct Made {
    char    path[64];
    Catalog catalog;
    Spec    spec;
    Plan    plan;
    Error   err;
    bool    fine;
} Made;

// Writes the bytes to a new file and returns its path in `path`.
void write_file(char path[64], const char *bytes, size_t count);

// The catalog of what is built in; release it with catalog_free().
void read_catalog(Catalog *catalog);

void plan_from_file(Made *made, const char *path, const char *const *overrides, size_t override_count);

// Overrides end with NULL.
void plan_from(Made *made, const char *text, ...);

void made_free(Made *made);

// The variable of that name, or NULL.
const Variable *find_variable(const Group *group, const char *name);

// A plan that must come out; prints why when it does not.
#define PLAN(made, ...)                                \
    Made made SCOPED(made_free);                       \
    plan_from(&made, __VA_ARGS__, (const char *)NULL); \
    if (!made.fine)                                    \
    fail_msg("%s", made.err.message)
