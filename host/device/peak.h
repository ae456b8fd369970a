// peak -- peak rate of a device: operations per second of independent chains of fused multiply-adds.
#pragma once

#include "device/device.h"

// Measures the peak, in floating-point operations (two a multiply-add) per second, with the device's own lanes, on all
// of its units. It takes about a quarter of a second and the time to compile.
// Errors: ERROR_DEVICE (no double precision, a call failed), ERROR_KERNEL, ERROR_INTERNAL.
bool peak_measure(Device *device, Precision precision, double *flops_per_second, Error *err);
