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
