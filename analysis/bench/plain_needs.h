// plain_needs -- instruction sets with which the plain loops were compiled.
#pragma once

#include <stdbool.h>

typedef struct PlainNeeds {
    bool avx, avx2, fma, bmi, bmi2, avx512f, avx512vl, avx512dq, avx512bw, avx512cd;
} PlainNeeds;

// Data and no code: nothing that is compiled like the loops may run before a processor is known to have all this.
extern const PlainNeeds plain_needs;
