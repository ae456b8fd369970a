// runlog -- lines of JSON in FILE.h5.log: when a run began and on what, which device was lost, who computed what.
//
// Nothing of it is in the result file, whose bytes do not depend on it. Where the log cannot be written the run goes
// on.
#pragma once

#include "run/sweep.h"

void runlog_start(Sweep *sweep);

// After devices were left out. Always true.
bool runlog_lost(Sweep *sweep);

//   event  "end", "stopped" or "failed"
void runlog_end(Sweep *sweep, const char *event);
