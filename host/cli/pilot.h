// pilot -- a short measured run of a group, from which `plan` estimates the time of the whole.
#pragma once

#include "device/device.h"

typedef struct Pilot {
    double   seconds;  // measured, after the first launch, which compiles
    uint64_t steps;    // taken in them
    size_t   batches;  // from how many places of the group
} Pilot;

// Steps of all points of a group together; UINT64_MAX where they do not fit.
uint64_t pilot_steps(const Group *group);

// Runs the beginnings of up to three batches of the group, from its first, middle and last points, each for about
// `seconds`. The results are thrown away. Errors: those of compose(), device_build() and program_run().
bool pilot_run(Device *device, const Plan *plan, const Group *group, double seconds, Pilot *pilot, Error *err);
