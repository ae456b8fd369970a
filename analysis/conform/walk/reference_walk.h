// reference_walk -- a point's run on the reference as a walk: the states before and after each substep that it tries,
// in the state rows of a kernel's walk (device.h), so that the judges of kernels can judge the reference.
#pragma once

#include "device/device.h"
#include "reference/point.h"

typedef bool ReferenceVisit(const Walk *walk, void *user, Error *err);

typedef struct ReferenceWalk {
    const Group *group;    // with `walked` set
    const bool  *records;  // [RECORD_COUNT] the ones that are asked for of the group
    size_t       rows;
    double      *numbers[2];  // [rows] before and after
    // Called for the beginning, where `before` is NULL, and after every try. The walk has one column.
    ReferenceVisit *visit;
    void           *user;
    // Inside:
    PointRun *run;
    uint32_t  place;
    State     before, now;  // states before and after the last try
    // [scratch_count][] points within the last substep that was tried, and within the last that was taken.
    double (*tried)[REFERENCE_DOFS], (*taken)[REFERENCE_DOFS];
    double   *tangents;      // derivatives of `now`: a block (reference/tangents.h)
    WalkState seen[2];       // their places, statuses and counters
    bool      began, ended;  // it was shown; it is not to be
    bool      accepted;      // the last try
    bool      passing;       // a break was passed in its place
    double    length, h;     // of the last try, and of a step
    int64_t   solves;        // so far
    bool      ok;
    Error    *err;
} ReferenceWalk;

// Makes room. Errors: ERROR_INTERNAL.
//   arena  owns it
bool reference_walk_make(const Group *group, const bool *records, Arena *arena, ReferenceWalk *walk, Error *err);

// Runs a point and shows its walk. A point that begins with numbers that are not finite is run but not shown.
//   run    made by point_make(); its results are written
//   place  of the point in its batch
// Errors: those of visit; ERROR_STOPPED.
bool reference_walk_point(ReferenceWalk *walk, PointRun *run, uint32_t place, Error *err);
