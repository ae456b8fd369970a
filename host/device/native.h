// native -- OpenCL platform of this process: kernels compiled as C by the system's compilers, run by threads.
//
// A device of it is a compiler, gcc or clang, on this processor. The platform is no driver that others could find: its
// objects lead OpenCL's loader to its own functions, as the objects of any driver do (extension cl_khr_icd), so that
// nothing else in the device layer knows of it. It has the functions that this program calls and no more; commands are
// carried out where they are enqueued.
#pragma once

#include "device/opencl.h"

#include <CL/cl_icd.h>

// Lists its devices, a compiler each, in the order of compiler_list().
//   ids  [room] written
// Returns how many there are, at most `room`.
size_t native_devices(cl_device_id *ids, size_t room);

// The platform of these devices.
cl_platform_id native_platform(void);

// Its functions. Of a platform's information and of a new context a loader is better not asked: before it looks whose
// they are, it loads all drivers.
const cl_icd_dispatch *native_functions(void);
