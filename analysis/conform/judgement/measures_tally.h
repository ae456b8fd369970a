// measures_tally -- counts of a point's work and its condition numbers, summed over the substeps that were seen.
//
// The walk shows how many updates a substep took, and whether it was accepted, and certificates examine both
// (certify.h); here they are added up, and each count is held to the range that its substep permits.
#pragma once

#include "device/device.h"
#include "gauges/gauge.h"

typedef struct MeasuresTally {
    uint64_t steps, substeps, updates, step_updates, most_updates, jacobians, solves, tries, taken, failed, stagnated,
        depth;
    uint64_t    accepted;  // solves
    Ball        logs;      // of their condition numbers, summed
    double      last, largest;
    const char *wrong;  // a count that its substep does not permit
} MeasuresTally;

// Adds a substep that was tried.
//   h     of the step, as the kernel has it
//   mean  the kernel keeps the product of condition numbers
void measures_tally_see(MeasuresTally *tally, const Group *group, Roundoff u, double h, bool mean,
                        const WalkState *before, const WalkState *after);

// The expected value of a result. False: the tally does not know the result.
bool measures_tally_expect(const MeasuresTally *tally, const Group *group, Roundoff u, const char *result,
                           Expected *expected);
