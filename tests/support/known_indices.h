// known_indices -- two functions whose indices of Sobol' are known in closed form.
#pragma once

#include <stddef.h>

enum { KNOWN_INDICES_FACTORS = 8 };

// The true indices; those of pairs i < j.
typedef struct KnownIndices {
    double first[KNOWN_INDICES_FACTORS], total[KNOWN_INDICES_FACTORS];
    double second[KNOWN_INDICES_FACTORS][KNOWN_INDICES_FACTORS];
} KnownIndices;

// Ishigami and Homma's function of three factors (1990), a = 7, b = 0.1.
//   u  [3] shares of the probability
double       known_indices_ishigami(const double *u, size_t d);
KnownIndices known_indices_of_ishigami(void);

// Sobol's g function of the first d of eight factors (Saltelli and Sobol' 1995), a = 0, 1, 4.5, 9, 99, 99, 99, 99.
//   u  [d]
double       known_indices_g(const double *u, size_t d);
KnownIndices known_indices_of_g(size_t d);
