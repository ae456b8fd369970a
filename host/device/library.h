// library -- C texts compiled by the first of the system's compilers, kept in the cache, and loaded.
#pragma once

#include "base/text.h"

#include <stdint.h>

// What Linux says of the first processor: its name, and a hash of all that decides what code it can run.
void library_processor(char name[64], uint64_t *abilities);

// Compiles a C text with the first compiler of compiler_list(), unless the cache has what came of it, and loads it.
//   options  as of OpenCL
//   library  written: as of dlopen()
// Errors: ERROR_DEVICE (no compiler was found, or the program cannot load what it makes), ERROR_KERNEL (the message
// holds the compiler's).
bool library_load(const Text *text, const char *options, void **library, Error *err);
