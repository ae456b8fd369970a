// build -- the options a group's source is compiled with: all that differs between devices.
#pragma once

#include "device/device.h"

enum { BUILD_OPTIONS_SIZE = 256 };

// The lanes a group has on a device by default: 1, 2, 4, 8, 16 or 32. They depend on all its points, and not on which
// of them a run computes: resumed runs, shards and retries then take the kernel that the cache has.
int build_lanes(const DeviceInfo *info, Precision precision, const Group *group);

// The most lanes for which a thread has memory: their Newton matrices take up to BUILD_PRIVATE bytes; 1 at least.
enum { BUILD_PRIVATE = 1 << 20, BUILD_PRIVATE_GPU = 1 << 18 };
int build_lanes_most(Precision precision, const Group *group);

// The most lanes of which so many points fill more than half.
int build_lanes_filled(uint64_t points);

// Work items of a work group: a power of two that the device takes.
size_t build_local_size(const DeviceInfo *info);

// The size halved until it is at most `most`; 1 at least.
size_t build_halved(size_t size, size_t most);

// Writes the compiler's options. Correct rounding in single precision is asked of devices that have it: others refuse
// the option.
void build_options(const DeviceInfo *info, Precision precision, int lanes, size_t local_size,
                   char options[BUILD_OPTIONS_SIZE]);
