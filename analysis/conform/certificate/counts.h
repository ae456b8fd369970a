// counts -- inside of certificates: what counters and condition numbers may be after what the solves may have been.
#pragma once

#include "analysis/conform/certificate/updates.h"

// Demands that the substep's counters are those of one way in which its solves may have ended, and that its condition
// numbers are those of the matrices made on that way.
void counts_judge(Judge *judge);
