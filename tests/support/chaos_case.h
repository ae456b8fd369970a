// chaos_case -- pseudo-random points of a function, and the expansion of it.
#pragma once

#include "analysis/sensitivity/chaos.h"

enum { CHAOS_CASE_FACTORS = 9 };

// Points and the values of a function there, to the end of the test.
typedef struct ChaosCase {
    Distribution        distributions[CHAOS_CASE_FACTORS];
    const Distribution *factors[CHAOS_CASE_FACTORS];  // of these distributions
    double             *x[CHAOS_CASE_FACTORS], *y;    // [point]
    const double       *columns[CHAOS_CASE_FACTORS];  // x
    ChaosData           data;
} ChaosCase;

typedef double ChaosCaseFunction(const double *x);

// One that is a formula of x.
#define CHAOS_CASE_FUNCTION(name, formula) \
    static double name(const double *x)    \
    {                                      \
        return formula;                    \
    }

// A distribution of each kind.
extern const Distribution chaos_case_mixed[CHAOS_CASE_FACTORS];

double chaos_case_first_two(const double *x);
double chaos_case_exponential(const double *x);

// A point's values depend on the seed, its number and the number of the factor only.
ChaosCase *chaos_case_make(const Distribution *distributions, size_t factor_count, size_t count,
                           ChaosCaseFunction *function, uint64_t seed);

// The same of factors that are all uniform on [a, b].
ChaosCase *chaos_case_uniform(size_t factor_count, double a, double b, size_t count, ChaosCaseFunction *function,
                              uint64_t seed);

// The expansion and what follows from it; the test fails where they cannot be made.
Chaos        chaos_case_expand(const ChaosData *data, ChaosOptions options);
ChaosEffects chaos_case_effects(const Chaos *chaos);

// A standard normal number.
double chaos_case_normal(uint64_t seed, uint64_t i);
