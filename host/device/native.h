// native -- OpenCL platform of this process: kernels compiled as C by the system's compilers, run by threads.
//
// A device of it is a compiler, gcc or clang, on this processor. The platform is no driver that others could find: its
// objects lead OpenCL's loader to its own functions, as those of any driver do (extension cl_khr_icd), so that nothing
// else in the device layer knows of it. It has what this program asks of OpenCL and no more; commands are carried out
// where they are enqueued.
#pragma once

#include "device/opencl.h"

// Lists the compilers that are there, the first by preference: that of PENDULA_CC, where it is set (an empty one, or
// one that is not there, is none), else clang and gcc.
//   ids  [room] written: its devices
// Returns how many there are, at most `room`.
size_t native_devices(cl_device_id *ids, size_t room);

// The platform of those devices.
cl_platform_id native_platform(void);

// Compiles a C text with the first of these compilers, unless the cache has what came of it, and loads it.
//   options  as of OpenCL
//   library  written: as of dlopen()
// Errors: ERROR_DEVICE (there is no compiler, or the process has no place for what it makes), ERROR_KERNEL (the message
// holds the compiler's).
bool native_load(const Text *text, const char *options, void **library, Error *err);
