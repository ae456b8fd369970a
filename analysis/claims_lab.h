// claims_lab -- the sweeps that claims are measured by: each is run once, when its first number is asked for.
//
// A number is asked for by sweep, group, variable and place on the axes. What goes wrong on the way is kept: every later
// number is NaN, and lab_check() tells. So the measurements themselves need not look at each number for failure.
#pragma once

#include "analysis/matrix.h"
#include "device/device.h"

typedef enum LabSweep {
    LAB_MODES,        // Wu 2018, problem 1
    LAB_PENDULUM,     // problem 2
    LAB_POLAR,        // problem 3
    LAB_CARTESIAN,    // problem 4
    LAB_TRUE_POLAR,   // problems 3 and 4, solved as exactly as can be
    LAB_TRUE_CARTESIAN,
    LAB_SOFT,         // problem 4 with eps^2 as printed
    LAB_DECAY,        // long runs of an undamped oscillator
    LAB_HALVED,       // every step in substeps
    LAB_ORDERS,       // a pendulum at several steps, by many methods
    LAB_RESTING,      // a pendulum under the methods that are compared step by step
    LAB_FANG,         // TR-2018-01, section 4.1
    LAB_ENERGY_LAW,   // a damped oscillator, finely
    LAB_EXPLICIT,     // amplification matrices of explicit methods
    LAB_IMPLICIT,     // and of implicit ones
    LAB_BARRIER,      // a particle that falls on a barrier
    LAB_FRICTION,     // a block on an incline
    LAB_SWEEPS
} LabSweep;

// A sweep file, and where it stands in messages.
typedef struct LabText {
    const char *name, *text;
} LabText;

extern const LabText lab_texts[LAB_SWEEPS];

// A place on one axis. A list of them ends with a NULL; it names every axis of more than one value.
typedef struct At {
    const char *axis;
    double      value;
} At;
#define AT(...)                   \
    (const At[])                  \
    {                             \
        __VA_ARGS__, { NULL, 0 }, \
    }
#define NOWHERE ((const At[]){{NULL, 0}})

typedef struct Lab Lab;

// Opens the device; nothing is built yet.
//   say  is told what is built or run next; or NULL
// Errors: ERROR_DEVICE, ERROR_INPUT (a card is wrong), ERROR_INTERNAL.
bool lab_open(const char *device, void (*say)(const char *what, void *user), void *user, Lab **lab, Error *err);
void lab_close(Lab *lab);

// Whether all went well so far. Errors: those of plan_make(), compose(), device_build() and program_run();
// ERROR_INTERNAL (no such group, variable or place).
bool lab_check(const Lab *lab, Error *err);

// A number of a point.
double lab_number(Lab *lab, LabSweep sweep, const char *group, const char *variable, const At *at);

// Component `dof` of a vector of a point: x_final, v_final.
double lab_component(Lab *lab, LabSweep sweep, const char *group, const char *variable, const At *at, size_t dof);

// A number of a trajectory; `dof` is 0 for a variable that is no vector.
double lab_sample(Lab *lab, LabSweep sweep, const char *group, const char *variable, const At *at, size_t sample,
                  size_t dof);

// How many samples the trajectory of a point has.
size_t lab_samples(Lab *lab, LabSweep sweep, const char *group, const At *at);

// The values of an axis of a group: *count of them, borrowed. NULL where something went wrong.
const double *lab_axis(Lab *lab, LabSweep sweep, const char *group, const char *axis, size_t *count);

// The matrix that the kernel's step is at a point, on the state scaled by h (analysis/matrix.h). The sweep's problem has
// one degree of freedom and a frequency of 1; its axis `v0` has at least as many values as the state has numbers and is
// not named.
Matrix lab_matrix(Lab *lab, LabSweep sweep, const char *group, const At *at);
