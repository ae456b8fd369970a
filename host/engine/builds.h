// builds -- several programs built side by side: by this process, and by others that it starts (device/apart.h).
#pragma once

#include "engine/engine.h"

// What is to be built. All is borrowed.
typedef struct Build {
    Device   *device;
    Engine   *engine;  // composed; NULL: the verdict of device_arithmetic()
    int       lanes;   // as device_build()
    Precision precision;
    bool      made;  // zeroed
} Build;

// How it is done: what is called before a build that may take long and after it, and what says that it is to stop.
// Each may be NULL.
typedef struct BuildsOptions {
    bool alone;  // no other process helps
    void (*begin)(size_t number, void *user);
    void (*end)(size_t number, void *user);
    bool (*must_stop)(void *user);
    void *user;
} BuildsOptions;

// Builds all. Those that no other process has taken come first.
// Errors: those of engine_build() and device_compile_rest(); ERROR_STOPPED.
bool builds_make(Build *builds, size_t count, const BuildsOptions *options, Error *err);
