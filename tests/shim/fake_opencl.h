// fake_opencl -- what the parts of the shim share: settings, the library's own functions, and the fake devices.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 128 };

typedef struct Fake {
    char     name[TEXT_SIZE], platform[TEXT_SIZE];
    bool     gpu, single;
    unsigned calls[4];  // by name
    cl_int   lost;      // with this code; or CL_SUCCESS
} Fake;

// The library's own function.
#define REAL(function)                                   \
    static __typeof__(&function) real;                   \
    if (!real) {                                         \
        void *const found = dlsym(RTLD_NEXT, #function); \
        memcpy(&real, &found, sizeof found);             \
    }

static inline const char *setting(const char *name)
{
    char full[TEXT_SIZE];
    snprintf(full, sizeof full, "PENDULA_FAKE_%s", name);
    return getenv(full);
}

// A setting's number, or 0.
static inline uint64_t number(const char *name)
{
    const char *text = setting(name);
    return text ? strtoull(text, NULL, 0) : 0;
}

// No name of these is seen by the program.
#pragma GCC visibility push(hidden)

extern pthread_mutex_t fake_mutex;
extern size_t          fake_count;

// The device that does a fake one's work: each its own, where the platform has as many.
cl_device_id device_of(cl_device_id device);

// The fake device of a queue, or NULL. Called with the mutex held.
Fake *fake_of_queue(cl_command_queue queue);

#pragma GCC visibility pop
