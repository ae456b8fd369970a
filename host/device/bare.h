// bare -- a kernel written by hand, with no group behind it: builds it, and runs it over all points in one launch.
//
// Its arguments: values [columns], parameters, states [2 dofs][columns] (out: x, then v), long more [columns] (out),
// the number of columns, the number of steps; all real numbers are double. A work item takes LANES columns.
#pragma once

#include "base/text.h"
#include "device/device.h"

typedef struct Bare Bare;

// Builds the kernel `bare` of a text for a device in double precision, for that many points of that many unknowns.
//   lanes  a power of 2 up to LANES_MOST
//   bare   released with bare_free()
// Errors: ERROR_KERNEL (the message holds the compiler's log), ERROR_DEVICE, ERROR_INTERNAL.
bool bare_build(Device *device, const char *text, int lanes, size_t points, size_t dofs, Bare **bare, Error *err);
void bare_free(Bare *bare);

// Writes the values and parameters of the points.
//   values      [points] each point's own
//   parameters  [count] the same for all
// Errors: ERROR_DEVICE.
bool bare_set(Bare *bare, const double *values, const double *parameters, size_t count, Error *err);

// Takes the steps from t = 0, in one launch.
//   seconds  written: from the launch to its end
// Errors: ERROR_DEVICE.
bool bare_run(Bare *bare, uint64_t steps, double *seconds, Error *err);

// Reads the results of the last run.
//   states  [2 dofs][points] written: x, then v
//   more    [points] written: the kernel's counts
// Errors: ERROR_DEVICE.
bool bare_read(const Bare *bare, double *states, int64_t *more, Error *err);
