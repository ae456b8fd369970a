// scope -- the scope of a check of conformance: a sweep with every metric and field added, and some points that stand
// for all.
#pragma once

#include "plan/plan.h"

// A sweep that is checked. All is borrowed.
typedef struct ScopeSweep {
    const char        *name, *text;  // its path; or its text, with `name` as its name; NULL: read the file
    const char *const *overrides;    // [override_count]
    size_t             override_count;
    const SpecFile    *files;  // [file_count] looked for before files on a disk
    size_t             file_count;
    bool               foreign;  // as of a Spec, and so are the tables
    const SpecTable   *tables;   // [table_count]
    size_t             table_count;
} ScopeSweep;

// Reads a sweep, and plans it with every metric that applies to all of its groups added to its own, with their options
// and windows; and with up to 33 samples of every field, of every point, in place of its trajectories. Metrics that
// compare with a solution are added where it has a closed form, or the sweep itself asks for solutions: computing them
// takes longer than all else.
//   spec, plan  zeroed; written; the caller releases them, also after a failure
// Errors: those of spec_read() and plan_make(); ERROR_INTERNAL.
bool scope_plan(const ScopeSweep *sweep, const Catalog *catalog, Spec *spec, Plan *plan, Error *err);

// A part of a group as a group of its own. Zero-initialise it; release with scope_free().
typedef struct ConformScope {
    Group     group;  // its points are a list
    uint64_t  count;
    uint64_t  most;    // points of a batch
    uint64_t *points;  // [count] which of the whole group's they are; NULL: these are all
    Arena     arena;
} ConformScope;

// Takes so many points, spread evenly and at no fixed distance, so that none of the axes is missed.
//   most  0: all
// Errors: ERROR_INTERNAL.
bool scope_take(const Group *whole, uint64_t most, ConformScope *scope, Error *err);
void scope_free(ConformScope *scope);

// The point of a group that comes i-th where `count` of all are taken, which lie spread over it.
uint64_t scope_choose(uint64_t i, uint64_t count, uint64_t all);

// The number of a point in the whole group.
uint64_t scope_point(const ConformScope *scope, uint64_t point);
