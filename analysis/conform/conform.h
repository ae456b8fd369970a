// conform -- the check of the kernels' results: the verdict on each group of a sweep, which leaves nothing out.
//
// A group conforms where
//   - the results of all its points have the same bits on every device and at every lane count (bits.h),
//   - every substep that the kernel has tried is certified: its state before and after satisfies the defining equations
//     of the method, to rounding; so are statuses, counters and the reference's own steps (certify.h). Of a method of
//     a user's own file no equations are known: in their place it has the order that its card claims (order.h),
//   - every metric has the value of its formula for the kernel's own steps, to rounding (measures.h).
// No bound depends on results, and none grows with the number of steps, so that no point is too sensitive to be judged.
//
// A solve that ended by the rule does not prove that the rule is strict enough. The solver's part of a step's error is
// measured beside the method's own, on a part of the points, and does not decide either (reference/share.h).
//
// How far whole trajectories of kernels and reference part is measured on a part of the points, and does not decide
// (apart.h).
#pragma once

#include "analysis/conform/points/apart.h"
#include "analysis/conform/points/bits.h"
#include "analysis/conform/walk/certify.h"
#include "analysis/conform/points/order.h"
#include "analysis/conform/points/scope.h"
#include "engine/notice.h"
#include "reference/share.h"

// The findings about a group. They are borrowed from conform_run() during the report.
typedef struct Conformance {
    const Plan         *plan;
    const Group        *group;  // the whole group, of which `scope` was looked at
    const ConformScope *scope;
    const Bits         *bits;
    const char         *walked;  // the device on which substeps were certified
    Certified           certified;
    bool                by_order;  // certificates do not know the method: its order stands for its equations
    bool                ordered;   // `order` was measured: then, and where the request asks for it
    OrderMeasured       order;
    Apart               apart;
    Certified           reference;  // its own steps and results on the compared points, in double precision
    const ConformScope *compared;   // with the reference
    SolverShare         solver;     // of the compared points; NaN: not measured
    double              seconds;
    bool                passed;
} Conformance;

// The work done and in total: points of all groups that are looked at, and the steps that they may take; and how many
// points are of groups that do not conform.
typedef struct ConformProgress {
    uint64_t points, total_points, steps, total_steps, failed;
} ConformProgress;

typedef struct ConformRequest {
    ScopeSweep                   sweep;
    const char *const           *devices;  // [device_count] as device_open(); none: all that have the precision
    size_t                       device_count;
    BitsLanes                    lanes;
    uint64_t                     sample;  // points of a group that are looked at; 0: all
    bool                         orders;  // are measured of methods too whose equations are known
    bool                         drawn;   // shares of bounds, and differences, are kept for every point
    const volatile sig_atomic_t *signals;
    Notice                      *notice;                                     // of kernels being compiled; or NULL
    void (*progress)(const ConformProgress *progress, void *user);           // called often; NULL: nobody asks
    bool (*report)(const Conformance *conformance, void *user, Error *err);  // after each group
    void *user;
} ConformRequest;

// Runs the check. Certificates come from a native device (device/native.h), which is opened where none is among the
// devices asked for: its bits are then compared with theirs as well.
//   failed  written: groups that do not conform
// Errors: those of scope_plan(), device_open(), engine_build(), certify_open(), order_measure(), of the report;
// ERROR_STOPPED; ERROR_INTERNAL. A group that does not conform is not an error of this function.
bool conform_run(const ConformRequest *request, size_t *failed, Error *err);
