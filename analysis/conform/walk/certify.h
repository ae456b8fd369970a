// certify -- certificates of all substeps of a group on a device.
//
// The points of a batch walk side by side, a substep at a launch. Of each substep it is checked that the kernel's place
// in time is right, that a two-step method was given the point that it should have, that the defining equations hold
// (certificate.h), and that its counters moved as the outcome demands. The outcome must be that of the reference's
// Newton method from the same state; where it differs, it is checked whether rounding leaves the choice.
#pragma once

#include "analysis/conform/walk/certified.h"
#include "engine/engine.h"

typedef struct Certifier Certifier;  // a group's kernel built for walks, and its problem in long double

// Composes and builds the group's kernel for walks.
//   plan, group, device  borrowed
//   threads              0: one per core
//   certifier            written: release with certify_close()
// Of a method that certificates do not know (certificate.h) substeps are certified but for its equations: by the place
// in time, the counters, the numbers that must not change, and the state of x and v that a point begins with.
// Errors: those of engine_compose(), engine_build(), exact_make().
bool certify_open(const Plan *plan, const Group *group, Device *device, int threads, Certifier **certifier, Error *err);
void certify_close(Certifier *certifier);

// Shows every judgement from then on.
void certify_watch(Certifier *certifier, CertifiedSee *see, void *user);

// Certifies the points of a batch.
//   batch      its solution is there, where the group's metrics need one
//   results    of a run of the batch by itself; NULL: results are not judged
//   certified  added to
// Errors: those of device_walk(); ERROR_INTERNAL.
bool certify_batch(Certifier *certifier, const Batch *batch, const Results *results, const RunOptions *options,
                   Certified *certified, Error *err);

// Certifies the reference itself: runs the points of a batch on it, and judges its substeps, counters and results as it
// judges a kernel's. The plan is in double precision, and reference_check() knows the batch's group.
//   certified  added to
// Errors: ERROR_STOPPED, ERROR_INTERNAL.
bool certify_reference_run(const Plan *plan, const Batch *batch, const RunOptions *options, Certified *certified,
                           Error *err);
