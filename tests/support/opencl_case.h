// opencl_case -- OpenCL around the engine: a device, programs of the kernels' headers, and numbers to try them with.
#pragma once

#include "support/test.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

// The first CPU device, or the first device at all where there is none, and a context of it.
cl_device_id opencl_case_open(cl_context *context);

// Builds a text that may include the kernels' files; the test fails with the log where it does not compile.
cl_program opencl_case_build(cl_context context, cl_device_id device, const char *text, const char *options);

// The next of a sequence of pseudo-random numbers (splitmix64).
uint64_t opencl_case_bits(uint64_t *seed);
double   opencl_case_uniform(uint64_t *seed, double low, double high);
