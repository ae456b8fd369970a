// workers -- the devices of a run: which they are, opened, built for, left out and closed.
#pragma once

#include "run/sweep.h"

// Opens what the run is asked for: the reference, one device or several; of the ranks of a machine each takes one, in
// turn.
// Errors: those of device_choose() and device_open_number(), where none is left; ERROR_DEVICE (the reference does not
// have it all).
bool workers_open(Sweep *sweep, Error *err);

// Starts building what will be needed on each. Errors: ERROR_INTERNAL.
bool workers_build(Sweep *sweep, Error *err);

// Waits until all is built. A device of several for which something cannot be built is left out, and that is said.
// Errors: those of device_build(), where none is left; ERROR_STOPPED.
bool workers_wait(Sweep *sweep, Error *err);

// Leaves out the workers whose device is lost, says which and who goes on: the others, else a device that was not asked
// for, which is opened: a GPU, else a CPU.
//   err  of the last that was lost, where nobody is left; false then
bool workers_replace(Sweep *sweep, Error *err);

// The number of workers that are not lost; the one of that seat among them.
size_t  workers_left(const Sweep *sweep);
Worker *workers_at(const Sweep *sweep, size_t seat);

// Puts the names of the devices that are or were at work into the summary.
void workers_name(Sweep *sweep);

// Ends a run of consecutive blocks, before a block that does not follow.
void workers_end_run(Worker *worker);

// Ends what is being built; false where a compiler was abandoned, which still uses all.
bool workers_stop(Sweep *sweep);
void workers_close(Sweep *sweep);
