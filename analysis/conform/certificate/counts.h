// counts -- inside of certificates: the ranges of counters and condition numbers after the possible solves.
#pragma once

#include "analysis/conform/certificate/updates.h"

// Demands that the substep's counters agree with one way in which its solves may have ended, and its condition numbers
// with the matrices made on that way.
void counts_judge(Judge *judge);
