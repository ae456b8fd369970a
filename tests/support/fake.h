// fake -- children of a test that see a device as tests/shim/fake_opencl.c makes it look or fail.
#pragma once

#include "support/test.h"

// Sets PENDULA_FAKE_NAME for the children that start from now on, and puts the shim before their OpenCL library.
void fake_set(const char *name, const char *value);

// Children see the devices as they are again.
void fake_clear(void);
