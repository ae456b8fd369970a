// binary -- inside of the device layer: builds programs, from the cache where it has them, else from their source.
#pragma once

#include "device/opencl.h"

// Builds a source and makes its kernel, `sweep`.
//   group            its label, for the message
//   program, kernel  written; NULL where there are none yet
//   key              of the cache's entry that is now to be made with binary_keep(); left empty where there is one, or
//                    no cache
// Errors: ERROR_KERNEL (the message holds the compiler's log), ERROR_DEVICE.
bool binary_build(Device *device, const char *group, const char *source, const char *options, cl_program *program,
                  cl_kernel *kernel, Text *key, Error *err);

// Where the key is not empty, writes a program that has run into the cache, and frees the key.
void binary_keep(const Device *device, cl_program program, Text *key);
