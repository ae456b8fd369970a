// decisions -- distance of a trajectory from another count of updates.
//
// Whether a solve is accepted hangs on comparisons of rounded numbers. A margin says how far one was from going the
// other way: left over right side, minus 1. A first run notes its margins; a run that began an ulp away notes the same
// ones, a little moved. Where a margin is smaller than three times that move, rounding decides, and an independent
// implementation may decide otherwise.
#pragma once

#include "base/text.h"

// Zero-initialise it, begin each run with decisions_first() or decisions_again(), release with decisions_free().
typedef struct Decisions {
    Text   margins;    // doubles, of the first run in order
    size_t next;       // in bytes: the margin of the first run that a later one compares with next
    bool   comparing;  // a later run
    bool   close;      // some margin was too small, or could not be noted
} Decisions;

void decisions_first(Decisions *decisions);
void decisions_again(Decisions *decisions);

// Notes a comparison of left with right. A right side of zero leaves nothing to decide, and NULL notes nothing.
void decisions_note(Decisions *decisions, double left, double right);
void decisions_free(Decisions *decisions);
