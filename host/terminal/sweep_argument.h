// sweep_argument -- sweep file as an argument of a command: its options, and the way from the file to the plan.
#pragma once

#include "terminal/options.h"
#include "device/device.h"
#include "plan/plan.h"

// A sweep file as the command line gives it, and its plan. Zero-initialise it; release with sweep_argument_free().
typedef struct SweepArgument {
    const char *path;       // borrowed from argv; NULL: not given
    Words       overrides;  // -s KEY=VALUE; released by options_run()
    Words       named;      // --distribution NAME={..}; likewise
    Arena       arena;      // overrides of sweep_argument_name()
    Catalog     catalog;
    Spec        spec;
    Plan        plan;
} SweepArgument;

// The argument SWEEP.yaml, and the option `-s KEY=VALUE`, of a command whose struct T has such a member.
#define SWEEP_ARGUMENT(T, member) ARGUMENTS_ONE(T, member.path, "SWEEP.yaml", "sweep file")
#define SWEEP_ARGUMENT_SET(T, member) OPTION_ROW_SET(T, member.overrides)

// The option `--distribution NAME={..}` of a command that takes the distributions of a sweep and not its design's
// points.
#define SWEEP_ARGUMENT_DISTRIBUTION(T, member)                                   \
    OPTION_BRACES("distribution", 0, "NAME={..}", OPTION_TEXTS(T, member.named), \
                  "of a parameter, in place of what the sweep gives it: "        \
                  "a={uniform: [0, 1]} (may be repeated); the sweep needs no design")

// Makes overrides of the distributions that are named, and gives a sweep that has distributions and no design one of a
// single point, at each value of its axes. Comes before sweep_argument_read().
// Errors: ERROR_USAGE (no distribution, a parameter that is named twice), those of spec_read().
bool sweep_argument_name(SweepArgument *sweep, Error *err);

// Makes the plan.
// Errors: those of catalog_read(), spec_read() and plan_make().
bool sweep_argument_read(SweepArgument *sweep, Error *err);

// Notes the files that the plan names as inputs, which no output may replace.
void sweep_argument_keep(const SweepArgument *sweep, Outputs *outputs);

// Opens the device for a plan; "reference" has none, and must know its problem and methods.
//   named   as device_open()
//   device  written; NULL: the reference
// Errors: those of device_open() and reference_check().
bool sweep_argument_device(const Plan *plan, const char *named, Device **device, Error *err);

// Refuses a place for a sweep that is made of this one and names files: they are found by their place from the folder
// of this one alone.
//   to  path of the sweep that is written
// Errors: ERROR_USAGE.
bool sweep_argument_check_place(const SweepArgument *sweep, const char *to, Error *err);
void sweep_argument_free(SweepArgument *sweep);
