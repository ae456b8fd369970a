// functions -- functions that a problem file may call.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct KernelFunction {
    const char *name;        // without `real_`
    int         arguments;   // 1 or 2
    bool        elementary;  // kernels/elementary.h defines it, and not real.h
} KernelFunction;

// All that take numbers and give one. Each is the word real_NAME of kernels, of the reference and of certificates, and
// NAME in formulas of a sweep file.
typedef enum Function {
    FUNCTION_SIN,
    FUNCTION_COS,
    FUNCTION_EXP,
    FUNCTION_LOG,
    FUNCTION_ATAN2,
    FUNCTION_SQRT,
    FUNCTION_ABS,
    FUNCTION_MAX,
    FUNCTION_MIN,
    FUNCTION_POW,
    FUNCTION_TAN,
    FUNCTION_TANH,
    FUNCTION_SINH,
    FUNCTION_COSH,
    FUNCTION_ASIN,
    FUNCTION_ACOS,
    FUNCTION_ATAN,
    FUNCTION_HYPOT,
    FUNCTION_CBRT,
    FUNCTION_LOG1P,
    FUNCTION_EXPM1,
    FUNCTION_FLOOR,
    FUNCTION_FMOD,
    FUNCTION_SIGN,
    FUNCTION_COUNT
} Function;

extern const KernelFunction functions_table[FUNCTION_COUNT];

// How often a C text names functions of kernels/elementary.h, as whole words, comments included.
size_t functions_count_elementary(const char *text);
