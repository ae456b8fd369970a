// chaos_case -- pseudo-random points of a function, and the expansion of it.
#pragma once

#include "analysis/sensitivity/chaos.h"

enum { CHAOS_CASE_FACTORS = 9 };

// Points and the values of a function there. chaos_case_make() makes it, chaos_case_free() releases it.
typedef struct ChaosCase {
    Distribution        distributions[CHAOS_CASE_FACTORS];
    const Distribution *factors[CHAOS_CASE_FACTORS];  // these
    double             *x[CHAOS_CASE_FACTORS], *y;    // [point]; owned
    const double       *columns[CHAOS_CASE_FACTORS];  // x
    ChaosData           data;
} ChaosCase;

typedef double ChaosCaseFunction(const double *x);

// A point's values depend on the seed, its number and the number of the factor only.
void chaos_case_make(ChaosCase *sample, const Distribution *distributions, size_t factor_count, size_t count,
                     ChaosCaseFunction *function, uint64_t seed);

void chaos_case_free(ChaosCase *sample);

// The expansion and what follows from it; the test fails where they cannot be made.
Chaos        chaos_case_expand(const ChaosData *data, ChaosOptions options);
ChaosEffects chaos_case_effects(const Chaos *chaos, Arena *arena);

// The same uniform distribution for each of `count` factors.
void chaos_case_uniform(Distribution *distributions, size_t count, double a, double b);

// A standard normal number.
double chaos_case_normal(uint64_t seed, uint64_t i);
