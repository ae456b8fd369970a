// lab -- the sweeps and kernels that claims are measured by.
//
// A sweep is planned when it is first named, and run when its first number is asked for with a device. Without one
// every number is NaN, but there are as many as there will be: so claims are checked before anything is measured.
#pragma once

#include "analysis/linear/spectrum.h"

// The files of sweeps/claims/ and of analysis/claims/ledger/, by their paths; made by the build.
extern const TextFile claims_files[];
extern const size_t   claims_file_count;

// A list of numbers; owned by the arena of whoever asked for it.
typedef struct Value {
    double *at;  // [count]
    size_t  count;
} Value;

enum { PLACE_AXES = 8 };

// Numbers of a sweep: SWEEP.GROUP.VARIABLE[AXIS=VALUES, ...]. An axis that is not named has all its values, after the
// named ones; of a zip one axis names the point. A trajectory gives all its samples; `sample` and `dof` (0) choose one.
// `error` is the larger of the errors of x_final and v_final on the pendulum x'' = -sin x - 2 zeta x'.
typedef struct Place {
    const char *sweep;  // the stem of a file in sweeps/claims/, or a name of lab_add_sweep()
    const char *group, *variable;
    struct {
        const char *name;
        Value       values;
    } axes[PLACE_AXES];
    size_t axis_count;
} Place;

// Zero-initialise it; release with lab_close().
typedef struct Lab {
    Device          *device;  // NULL: nothing is run; opened and set by the caller, owned
    Catalog          catalog;
    struct LabSweep *sweeps;  // [sweep_count]
    size_t           sweep_count;
    Probe          **probes;                    // [catalog.card_count] of the methods that were asked for, else NULL
    void (*say)(const char *what, void *user);  // gets the name of the next build or run; or NULL
    void *user;
} Lab;

// Errors: ERROR_INPUT (a card is wrong), ERROR_INTERNAL.
bool lab_open(Lab *lab, Error *err);
void lab_close(Lab *lab);

// Names another sweep: a file, read when the name is used first, with changes as of `pendula run -s`.
//   name, path, overrides  [count]; borrowed
// Errors: ERROR_INPUT (too many).
bool lab_add_sweep(Lab *lab, const char *name, const char *path, const char *const *overrides, size_t count,
                   Error *err);

// The numbers of a place.
// Errors: those of plan_make(), engine_make() and engine_run_all(); ERROR_INPUT (the place does not exist).
bool lab_place(Lab *lab, const Place *place, Arena *arena, Value *value, Error *err);

// Measures a method's kernel on the oscillator, for all combinations of lists of numbers, the last fastest. The first
// list is the value of the method's first parameter, not read where it has none; the others have their defaults.
//   radius   of value, Omega, zeta: the spectral radius of a step
//   matrix   of the same: the entries of the step's matrix, row by row, scaled as in analysis/linear/matrix.h
//   limits   of value, zeta: the Omega up to which the step is stable, INFINITY where it always is
// lab_lists() is the number of lists, 0 where the name is none of these.
// Errors: those of probe_make(), probe_matrices() and spectrum_search(); ERROR_INPUT (no such method).
size_t lab_lists(const char *name);
bool   lab_method(Lab *lab, const char *name, const char *method, const Value *lists, Arena *arena, Value *value,
                  Error *err);
