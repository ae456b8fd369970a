// arithmetic -- check of a device's arithmetic: the same bits as on every other device.
//
// Kernels are written so that their results do not depend on the compiler: contraction is off, fma stands where it is
// meant, division and root are rounded correctly, denormals are kept, comparisons with NaN are false. A compiler may do
// otherwise all the same, and never says so. A kernel of expressions that give it the occasion runs once on a device;
// what it computes is compared with what this program computes. The verdict is remembered in the cache of compiled
// programs, under all that decides a program's binary.
#pragma once

#include "device/device.h"

// What a device does not keep, as a sentence, or NULL where it keeps everything or lacks the precision.
// The first call for a precision may compile and run a kernel, those that follow cost nothing.
const char *device_arithmetic(Device *device, Precision precision);
