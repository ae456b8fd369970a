// slices -- inside of the device layer: takes a batch to its end in launches of bounded work.
//
// Between slices the host looks at what the lanes did. Where many columns hold points that have ended, those at work
// move together and waiting ones take the room. Where lanes often wait for their neighbours, points are sorted by what
// their steps cost in the last slice, which serves as the trial of those whose cost nothing tells beforehand. Where
// many steps are halved, lanes go on without each other. None of it changes a bit of any result.
#pragma once

#include "device/program.h"

// Work limits of a program's first slice. A GPU has so many columns that more could take longer than its watchdog
// waits.
enum { SLICE_FIRST_WORK = 256, SLICE_FIRST_WORK_GPU = 4 };

// Lets waiting points take the free columns; end receives where they end. Errors: ERROR_DEVICE.
bool slices_begin(Program *program, Run *run, size_t *end, Error *err);

// One slice: points in the columns before run->live go on, those from there to `end` begin; run->live becomes end.
// Errors: ERROR_DEVICE.
bool slices_run_one(Program *program, Run *run, size_t end, cl_uint work, uint64_t tally[TALLY_COUNT], Error *err);

// Launches slices until no point runs and none waits. Errors: ERROR_DEVICE, ERROR_STOPPED, ERROR_INTERNAL (memory).
bool slices_run(Program *program, Run *run, const RunOptions *options, Error *err);
