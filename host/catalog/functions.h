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

// Calls of long functions in a file that are still inlined, those of its Jacobian too. No file of kernels/problems has
// as many; three oscillators, each coupled with both others, have 12, and four 24.
enum { FUNCTIONS_INLINED = 24 };

// Whether a function is more than an instruction or two, as square roots, absolute values, larger and smaller ones are.
bool functions_is_long(int function);

// How often a C text calls each function: names of them as whole words, comments included. A block of calls,
// CALLS(real_sin, calls, 16), is as many as it says.
//   counts  written
void functions_count(const char *text, size_t counts[FUNCTION_COUNT]);

// The same of the functions of kernels/elementary.h together.
size_t functions_count_elementary(const char *text);
