// library -- C texts compiled by the first of the system's compilers, kept in the cache, and loaded.
#pragma once

#include "base/text.h"

#include <stdint.h>

// The first processor as Linux describes it: its name, and a hash of all that decides which code it can run.
void library_processor(char name[64], uint64_t *abilities);

// Compiles a C text with the first compiler of compiler_list(), unless the cache has the library, and loads it.
//   options  as of OpenCL
//   library  written: as of dlopen()
// Errors: ERROR_DEVICE (no compiler was found, or the program cannot load its library), ERROR_KERNEL (the message holds
// the compiler's).
bool library_load(const Text *text, const char *options, void **library, Error *err);
