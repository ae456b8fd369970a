// binary -- inside of the device layer: builds programs, from the cache where it has them, else from their source.
#pragma once

#include "device/opencl.h"

// A program's entry in the cache. Zero-initialise it; release with binary_free().
typedef struct Kept {
    Text   key;      // of its entry; empty where there is no cache
    Text   folders;  // PoCL: the program's, below the driver's folder
    size_t bytes;    // of the entry that is there; 0: there is none
} Kept;

// Adds everything that decides a program's binary. Left empty where the device does not say.
void binary_key(const Device *device, const char *source, const char *options, Text *key);

// Builds a source and makes its kernel, `sweep`.
//   group            its label, for the message
//   program, kernel  written; NULL where there are none yet
//   kept             written
// Errors: ERROR_KERNEL (the message holds the compiler's log), ERROR_DEVICE.
bool binary_build(Device *device, const char *group, const char *source, const char *options, cl_program *program,
                  cl_kernel *kernel, Kept *kept, Error *err);

// Writes a program that has run into the cache, where its entry there is missing or holds less.
void binary_keep(const Device *device, cl_program program, const Kept *kept);

void binary_free(Kept *kept);
