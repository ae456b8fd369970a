// platform -- version of the OpenCL platform of a device, and of its compiler.
#pragma once

#include "device/device.h"

enum { PLATFORM_VERSION_SIZE = 256 };

// Writes e.g. "OpenCL 3.0 PoCL 3.1+debian Linux, ..., LLVM 15.0.6, ..."; "" where the platform does not say.
void platform_version(const Device *device, char version[PLATFORM_VERSION_SIZE]);
