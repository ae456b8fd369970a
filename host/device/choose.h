// choose -- inside of the device layer: choice among the machine's devices.
#pragma once

#include "device/device.h"

// Finds the device that device_open() is asked for.
//   infos   [count] what there is
//   chosen  written: an index into infos
// Errors: ERROR_DEVICE (there is none; lists all), ERROR_USAGE (several are meant; lists them).
bool choose_device(const char *which, Precision precision, const DeviceInfo *infos, size_t count, size_t *chosen,
                   Error *err);
