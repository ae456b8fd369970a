// claims_lab -- the sweeps that claims are measured by: each is run once, when its first number is asked for.
//
// A number is asked for by sweep, group, variable and place on the axes. What goes wrong on the way is kept: every
// later number is NaN, and lab_check() tells. So a measurement need not look at each of its numbers for failure.
#pragma once

#include "analysis/linear/spectrum.h"

typedef enum LabSweep {
    LAB_MODES,           // Wu 2018, problem 1: two decoupled oscillators
    LAB_PENDULUM,        // problem 2
    LAB_POLAR,           // problem 3
    LAB_FLOOR,           // problem 3 at tolerances where rounding decides
    LAB_CARTESIAN,       // problem 4
    LAB_TRUE_POLAR,      // problem 3 as exactly as can be
    LAB_TRUE_CARTESIAN,  // problem 4 as exactly as can be
    LAB_DECAY,           // long runs of an undamped oscillator
    LAB_HALVED,          // every step in two halves
    LAB_ORDERS,          // a pendulum at three steps
    LAB_FANG,            // TR-2018-01, section 4
    LAB_ENERGY,          // a damped oscillator, finely
    LAB_BARRIER,         // a particle that falls on a barrier
    LAB_FRICTION,        // a block on an incline
    LAB_SWEEPS
} LabSweep;

// The stems of their files in sweeps/claims/.
extern const char *const lab_names[LAB_SWEEPS];

// The files of sweeps/claims/, by their paths; made by the build.
extern const TextFile claims_files[];
extern const size_t   claims_file_count;

// A place on one axis. A list of them ends with NULL; it names every axis of more than one value.
typedef struct At {
    const char *axis;
    double      value;
} At;
#define AT(...) ((const At[]){__VA_ARGS__, {NULL, 0}})
#define NOWHERE ((const At[]){{NULL, 0}})

typedef struct Lab Lab;

// Opens the device; nothing is built yet.
//   device  as device_open()
//   say     is told what is built and run next; or NULL
// Errors: ERROR_DEVICE, ERROR_INPUT (a card is wrong), ERROR_INTERNAL.
bool lab_open(const char *device, void (*say)(const char *what, void *user), void *user, Lab **lab, Error *err);
void lab_close(Lab *lab);

// Whether all went well so far. Errors: those of plan_make(), compose(), device_build() and program_run();
// ERROR_INTERNAL (no such group, variable or place).
bool lab_check(const Lab *lab, Error *err);

// A number of a point.
double lab_number(Lab *lab, LabSweep sweep, const char *group, const char *variable, const At *at);

// A number of a trajectory; `dof` is 0 for a variable that is no vector.
double lab_sample(Lab *lab, LabSweep sweep, const char *group, const char *variable, const At *at, size_t sample,
                  size_t dof);

// How many samples the trajectory of a point has.
size_t lab_samples(Lab *lab, LabSweep sweep, const char *group, const At *at);

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
