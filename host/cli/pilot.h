// pilot -- a short measured run of a group, from which `plan` estimates the time of the whole.
//
// Two questions have two answers. How fast is the device? The beginnings of whole batches say, which fill it. How much
// is there to do? Points that need few substeps and updates a step are the first to get far, so beginnings say too
// little: some points, spread over the group, run to their end.
#pragma once

#include "device/device.h"

typedef struct Pilot {
    double   compile_seconds;  // of building, and of the first launch, at which some drivers compile too
    double   seconds;          // measured, after that
    uint64_t work;             // substeps tried and updates made in them
    double   total_work;       // of all points of the group, estimated
    bool     ended;            // the points from which it is estimated came to their end
} Pilot;

// Steps of all points of a group together; UINT64_MAX where they do not fit.
uint64_t pilot_steps(const Group *group);

// Runs up to 256 points of the group to their end, fewer where that takes longer than twice `seconds`, then the
// beginnings of up to three batches, from its first, middle and last points, each for about `seconds`. The results are
// thrown away.
// Errors: those of engine_make() and engine_run().
bool pilot_run(Device *device, const Plan *plan, const Group *group, double seconds, Pilot *pilot, Error *err);

// The time that a run of all groups would take.
typedef struct PilotEstimate {
    bool   known;
    char   device[256];
    double seconds, compile_seconds;  // of computing; of compiling the programs that no cache has
    double work, measured;            // substeps and updates; seconds of the batches from which it is estimated
    bool   ended;                     // the points from which it is estimated came to their end
    Error  why;                       // it is not known
} PilotEstimate;

// Runs a pilot of each group of a plan.
//   which     as device_open()
//   estimate  written
void pilot_estimate(const char *which, const Plan *plan, double seconds, PilotEstimate *estimate);
