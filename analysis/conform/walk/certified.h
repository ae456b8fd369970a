// certified -- results of certificates: how many of the substeps and results of a group are certified.
#pragma once

#include "analysis/conform/judgement/measures.h"
#include "device/device.h"

typedef struct Certified {
    uint64_t substeps, certified;     // tried by the kernel, failed ones included
    uint64_t steps, certified_steps;  // completed; steps whose substeps are all certified
    double  *shares;       // [points of the group] the largest of each, owned by the caller; NULL: nobody asks
    uint64_t by_interval;  // substeps whose count differs from the reference's, and may
    // Of an implicit method: substeps that are followed whatever their counts are; substeps of which no other number of
    // updates is possible, so that a wrong one would be refused.
    uint64_t         counts, decided_counts;
    CertificateShare worst;        // the largest part of a bound that was used
    uint64_t         point;        // where that is, in the group
    int64_t          step, index;  // in units of 2^-20 of the step
    MeasuresCount    measured;     // results: metrics, last states, samples (measures.h)
} Certified;

// Shows a judgement as it is made: of a substep, or where `before` is NULL of a point's beginning. Threads call it side
// by side.
typedef void CertifiedSee(uint64_t point, const WalkState *before, const CertificateShare *share, void *user);
