// functions -- functions that a problem file may call.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct KernelFunction {
    const char *name;        // without `real_`
    int         arguments;   // 1 or 2
    bool        elementary;  // kernels/elementary.h defines it, and not real.h
} KernelFunction;

// All that take numbers and give one. Each is the word real_NAME of kernels, of the reference and of certificates.
enum { FUNCTIONS_COUNT = 24 };
extern const KernelFunction functions_table[FUNCTIONS_COUNT];

// How often a C text names functions of kernels/elementary.h, as whole words, comments included.
size_t functions_count_elementary(const char *text);
