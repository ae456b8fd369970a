// plain_needs -- instruction sets with which the plain loops were compiled.
#pragma once

#include <stdbool.h>

// A processor's features, as __builtin_cpu_supports() calls them, and the macro of a compiler that uses them.
#define PLAIN_NEEDS(X)        \
    X(avx, __AVX__)           \
    X(avx2, __AVX2__)         \
    X(fma, __FMA__)           \
    X(bmi, __BMI__)           \
    X(bmi2, __BMI2__)         \
    X(avx512f, __AVX512F__)   \
    X(avx512vl, __AVX512VL__) \
    X(avx512dq, __AVX512DQ__) \
    X(avx512bw, __AVX512BW__) \
    X(avx512cd, __AVX512CD__)

typedef struct PlainNeeds {
#define FIELD(name, macro) bool name;
    PLAIN_NEEDS(FIELD)
#undef FIELD
} PlainNeeds;

// Data and no code: nothing that is compiled like the loops may run before a processor is known to have all this.
extern const PlainNeeds plain_needs;
