// lab -- the sweeps that claims are measured by: each is run once, when its first number is asked for.
//
// A number is asked for by sweep, group, variable and place on the axes. What goes wrong on the way is kept: every
// later number is NaN, and lab_check() tells. So a measurement need not look at each of its numbers for failure.
#pragma once

#include "analysis/linear/spectrum.h"

// The files of sweeps/claims/ and of analysis/claims/ledger/, by their paths; made by the build.
extern const TextFile claims_files[];
extern const size_t   claims_file_count;

// A place on one axis. A list of them ends with NULL; it names every axis of more than one value.
typedef struct At {
    const char *axis;
    double      value;
} At;

typedef struct Lab Lab;

// Opens the device; nothing is built yet.
//   device  as device_open()
//   say     is told what is built and run next; or NULL
// Errors: ERROR_DEVICE, ERROR_INPUT (a card is wrong), ERROR_INTERNAL.
bool lab_open(const char *device, void (*say)(const char *what, void *user), void *user, Lab **lab, Error *err);
void lab_close(Lab *lab);

// Whether all went well so far. Errors: those of plan_make(), engine_make() and engine_run_all();
// ERROR_INTERNAL (no such group, variable or place).
bool lab_check(const Lab *lab, Error *err);

// A number of a point.
//   sweep  the stem of a file in sweeps/claims/
double lab_number(Lab *lab, const char *sweep, const char *group, const char *variable, const At *at);

// A number of a trajectory; `dof` is 0 for a variable that is no vector.
double lab_sample(Lab *lab, const char *sweep, const char *group, const char *variable, const At *at, size_t sample,
                  size_t dof);

// How many samples the variable has at a point: 0 where it is not a trajectory.
size_t lab_samples(Lab *lab, const char *sweep, const char *group, const char *variable, const At *at);

// The matrices that one step of a method's kernel is on the undamped or damped oscillator, scaled as in
// analysis/linear/matrix.h.
//   value     of the method's first parameter; the others have their defaults. Not read where there is none
//   omegas    [count] Omega = omega h
//   matrices  [count] written: of one NaN where something went wrong
void lab_matrices(Lab *lab, const char *method, double value, double zeta, const double *omegas, size_t count,
                  Matrix *matrices);

// The Omega up to which the kernel's step on the oscillator is stable, at `count` values of zeta: 0 where it never is,
// INFINITY where it always is, NaN where something went wrong.
void lab_limits(Lab *lab, const char *method, double value, const double *zetas, size_t count, double *limits);
