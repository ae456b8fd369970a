// certify_reference -- the reference's own attempt at a substep, from the kernel's state.
//
// It saves time: where it ends as the kernel's did, by as many updates, no intervals are needed to say how many there
// may be. The problems of a user's own files are not in the reference: their counts are by intervals alone.
#pragma once

#include "analysis/conform/certificate.h"
#include "reference/point.h"

typedef struct CertifyReference {
    bool        knows;  // problem and method; else nothing below is filled
    PointRun    run;
    NewtonRules rules;
    Stepping    stepping;  // borrows the two
} CertifyReference;

// Makes room for a thread's points.
//   plan, batch, options  borrowed
//   reference             zeroed; written; release with certify_reference_free()
// Errors: ERROR_INTERNAL.
bool certify_reference_make(const Plan *plan, const Batch *batch, const ReferenceOptions *options,
                            CertifyReference *reference, Error *err);
void certify_reference_free(CertifyReference *reference);

// Whether the reference's attempt at a substep of a point ends as the kernel's did, by as many updates.
bool certify_reference_agrees(CertifyReference *reference, uint64_t point, const CertificateSubstep *substep);
