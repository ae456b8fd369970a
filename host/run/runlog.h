// runlog -- lines of JSON in FILE.h5.log: a run's start and devices, the devices lost, and the blocks of each.
//
// Nothing of it is in the result file, whose bytes do not depend on it. Where the log cannot be written the run goes
// on.
#pragma once

#include "run/workers.h"

void runlog_start(const Workers *workers);

// After devices were left out. Always true.
bool runlog_lost(Workers *workers);

//   event  "end", "stopped" or "failed"
void runlog_end(Workers *workers, const char *event);
