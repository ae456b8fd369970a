// functions -- functions that a formula or a problem file may call.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// As functions.def says of each.
typedef struct KernelFunction {
    const char *name;        // without `real_`
    size_t      arguments;   // 1 or 2
    bool        elementary;  // kernels/elementary.h defines it, and not real.h
    double      ulp;
    const char *derivative;
} KernelFunction;

// All that take numbers and give one. Each is the function real_NAME of kernels, of the reference and of certificates,
// and NAME in formulas of a sweep file.
typedef enum Function {
#define FUNCTION(NAME, ...) FUNCTION_##NAME,
#include "catalog/functions.def"
    FUNCTION_COUNT
} Function;

extern const KernelFunction functions_table[FUNCTION_COUNT];

// How often a C text names each function, as whole words, comments included.
//   counts  written
void functions_count(const char *text, size_t counts[FUNCTION_COUNT]);

// The same of the functions of kernels/elementary.h together.
size_t functions_count_elementary(const char *text);
