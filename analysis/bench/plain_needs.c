// plain_needs -- instruction sets of the plain loops, from the macros that the compiler defines.
#include "analysis/bench/plain_needs.h"

const PlainNeeds plain_needs = {
#ifdef __AVX__
    .avx = true,
#endif
#ifdef __AVX2__
    .avx2 = true,
#endif
#ifdef __FMA__
    .fma = true,
#endif
#ifdef __BMI__
    .bmi = true,
#endif
#ifdef __BMI2__
    .bmi2 = true,
#endif
#ifdef __AVX512F__
    .avx512f = true,
#endif
#ifdef __AVX512VL__
    .avx512vl = true,
#endif
#ifdef __AVX512DQ__
    .avx512dq = true,
#endif
#ifdef __AVX512BW__
    .avx512bw = true,
#endif
#ifdef __AVX512CD__
    .avx512cd = true,
#endif
};
