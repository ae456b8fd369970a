// opencl -- inside of the device layer: handles, and the names of OpenCL's errors.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "device/cache.h"
#include "device/device.h"

// Verdict on a device's arithmetic in one precision.
typedef struct Arithmetic {
    bool asked;
    Text verdict;  // the rules it does not keep; empty: it keeps all
} Arithmetic;

struct Device {
    DeviceInfo       info;
    cl_device_id     id;
    cl_context       context;
    cl_command_queue queue;      // kernels and their input
    cl_command_queue transfers;  // their output
    bool             limited;    // device_limit()
    bool             pocl;       // keeps files, not binaries: see device/driver.h
    Cache            cache;
    char             notice[CACHE_NOTICE_SIZE];
    Arithmetic       arithmetic[2];  // in double and single precision
};

// The name of an OpenCL error code, e.g. "CL_OUT_OF_RESOURCES".
const char *opencl_error(cl_int code);

// True when code is CL_SUCCESS; else false with err filled, its code included: "DEVICE: WHAT failed: CL_NAME".
bool opencl_check(const Device *device, cl_int code, const char *what, Error *err);

// Releases a program and a kernel of it, where they are not NULL, and makes them NULL.
void opencl_release(cl_program *program, cl_kernel *kernel);

// Puts in front of a message about wrong results that the device or its driver is broken. Always false.
bool opencl_distrust(const Device *device, Error *err);

// Finds the device that device_open() is asked for.
//   infos   [count] the machine's devices
//   chosen  written: an index into infos
// Errors: ERROR_DEVICE (there is none; lists all), ERROR_USAGE (several are meant; lists them).
bool choose_device(const char *which, Precision precision, const DeviceInfo *infos, size_t count, size_t *chosen,
                   Error *err);

// Finds the devices that device_choose() is asked for.
//   numbers  written: [*number_count] indices into infos
// Errors: those of choose_device(); ERROR_USAGE (a device is named twice).
bool choose_devices(const char *which, Precision precision, const DeviceInfo *infos, size_t count,
                    size_t numbers[DEVICES_MOST], size_t *number_count, Error *err);
