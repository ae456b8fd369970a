// conform -- comparison of the kernels with the reference, and of devices and lane counts with each other.
//
// A group's points run on every device at several lane counts, which must agree in every bit, and on the CPU reference,
// which shares no code with the kernels. How far the two may differ is measured at each point: the reference runs again
// with the initial state moved by one to four units in the last place up and down. A point whose status or counts
// change under that, or whose trajectory moves by more than 1e-4 of its scale, is ill-conditioned: rounding decides its
// fate, and it is counted and left out. So is a point that differs where a count came within three times the move of
// changing (reference/decisions.h). Every other point must have equal status and counts, and a trajectory within 10
// times the spread that the move caused plus 64 ulp, and four a step, of the trajectory's scale; its metrics likewise,
// of the larger of them and 1, and condition numbers with the rounding of the differences that they are made of.
//
// With a tolerance of 0 every solve goes on to the rounding floor: the states are then as equal as they can be, while
// the counts are chance and are not compared.
//
// What the reference does not have is left out: a metric is compared between lane counts and devices only, and so is a
// whole group whose method or problem it lacks, such as a problem of a user's file.
//
// In single precision the reference still computes in double, from inputs rounded to float. Rounding is then the
// kernel's alone and counts and metrics do not compare; status must agree, and trajectories within 10 times the spread
// (by float's ulps) plus 1e-3 of their scale, points that move by more than that being ill-conditioned.
#pragma once

#include "plan/plan.h"

#include <signal.h>

// One group on one device.
typedef struct Conformance {
    const char        *label, *method, *problem;  // of the plan
    char               device[256];
    const char        *arithmetic;  // what the device does not keep, or NULL; see device/arithmetic.h
    Precision          precision;
    int                lanes[4];  // lane counts that ran
    size_t             lane_count;
    uint64_t           points;
    bool               bit_equal;           // all lane counts of the device agree, and the first device with it
    uint64_t           bit_differences;     // points that differ in any bit from one lane count to another
    const char        *first_device;        // NULL: this is the first
    uint64_t           device_differences;  // points whose bits differ on the first device
    const char        *unreferenced;        // why nothing was compared with the reference; "" where something was
    const char *const *left_out;            // [left_out_count] metrics that the reference does not have
    size_t             left_out_count;
    uint64_t           status_differences, count_differences, beyond_bound;  // well-conditioned points
    uint64_t           metric_differences;  // metrics of those points, beyond their bound
    uint64_t           ill_conditioned;
    double             worst_ulp;    // largest difference of a well-conditioned trajectory, in ulps of its scale
    double             worst_share;  // largest difference as a share of what is allowed
    uint64_t           worst_point;  // where that is
    bool               within_bound, passed;
} Conformance;

enum { CONFORM_ILL_PERCENT = 5 };  // more ill-conditioned points than this fail a group: nothing would be shown

typedef struct ConformRequest {
    const char                  *sweep;
    const char *const           *overrides;  // [override_count]
    size_t                       override_count;
    const char *const           *devices;  // [device_count] as device_open(); none: the default
    size_t                       device_count;
    const volatile sig_atomic_t *signals;
    void (*report)(const Plan *plan, const Group *group, const Conformance *result,
                   void *user);  // after each group and device
    void *user;
} ConformRequest;

// Runs the check. Every metric that applies to all groups is compared in place of those that the sweep names;
// trajectories of x and v are sampled at up to 33 times. `failed` receives the number of groups that did not pass.
// Errors: those of spec_read, plan_make, device_open, device_build; ERROR_STOPPED; ERROR_INTERNAL. A failed comparison
// is not an error of this function.
bool conform_run(const ConformRequest *request, size_t *failed, Error *err);
