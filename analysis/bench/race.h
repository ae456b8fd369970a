// race -- one group on one device, timed turn by turn with the plain loops and the bare kernel of the same points.
//
// A repetition is so many batches of the group, spread over its points, as fill the time asked for; a group with a
// plain loop runs whole, as often as fills it. The loop takes every point, or every second, fourth, ... evenly spaced,
// to need no longer; the bare kernel takes all. Of a kernel the launches are timed, of a loop all. Where points of the
// loop or of the bare kernel make other updates or end in other states, the race fails and nothing is timed.
#pragma once

#include "analysis/bench/plain.h"
#include "device/shapes.h"

// Several measurements of one thing.
typedef struct Spread {
    double median, least, most, lower, upper;  // lower and upper quartile
} Spread;

// Sorts the values. count is at least 1.
Spread race_spread(double *values, size_t count);

typedef struct RaceRequest {
    Device      *device;
    const Plan  *plan;
    const Group *group;
    const Plain *plain;           // NULL: the kernel alone
    const Plain *by_differences;  // a second loop, whose results are not compared; or NULL
    const char  *bare;            // text of the bare kernel (device/bare.h); or NULL
    double       bound;           // how far final states may be apart
    int          repetitions, threads;
    double       seconds;     // of a repetition, about
    int          lanes;       // of a work item; 0: as a run would take
    bool         try_shapes;  // look for the fastest shape first
} RaceRequest;

typedef struct RaceResult {
    ShapeTrial trial;  // count 0: there was none
    int        lanes;
    uint64_t   points, steps, updates, bytes;  // of one run of its batches; updates 0 where the group lists none
    double     overhead;                       // time of a run over that of its kernels
    Spread     steps_per_s;                    // of the kernel
    Spread     plain_steps_per_s, ratio;       // of the loop; kernel over loop, repetition by repetition
    Spread     ratio_by_differences;
    Spread     bare_steps_per_s, bare_ratio;  // of the bare kernel; kernel over it, repetition by repetition
} RaceResult;

// The group's first axis has the values that the plain loop takes, and is its only one.
// Errors: those of engine_make() and engine_run(); ERROR_CONFORMANCE (kernel and loop do not do the same),
// ERROR_INTERNAL.
bool race_run(const RaceRequest *request, RaceResult *result, Error *err);
