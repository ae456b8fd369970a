// passes -- workers go through the groups side by side, and once more where a device was lost.
#pragma once

#include "run/workers.h"

// Computes all blocks of all groups that are not done, hands them to the store, and logs it. The blocks that a lost
// device leaves are computed by others. Where the run ends early, the blocks computed before are brought to the disk
// all the same.
// Errors: those of batches_run() and store_write(); ERROR_DEVICE (no device is left); ERROR_STOPPED.
bool passes_run(Workers *workers, Error *err);
