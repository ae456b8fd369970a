// passes -- workers go through the groups side by side, and once more where a device was lost.
#pragma once

#include "run/workers.h"

// Computes all blocks of all groups that are not done, hands them to the store, and logs it. What a lost device leaves
// others compute. Where it ends early, what was computed before is brought to the disk all the same.
// Errors: those of batches_run() and store_write(); ERROR_DEVICE (no device is left); ERROR_STOPPED.
bool passes_run(Workers *workers, Error *err);
