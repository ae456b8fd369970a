// theory -- linear theory of every method: amplification matrix, damping at infinity, limit of stability.
//
// The rows are written from the papers and the definitions of the methods, not from the kernels, which the tests
// compare with them. Everything is a function of Omega = omega h, zeta and the method's parameters p, in the order of
// its card. A parameter with a unit of time (Rayleigh damping) counts in units of omega: r_m stands for r_m/omega, r_k
// for r_k omega.
#pragma once

#include "analysis/linear/matrix.h"

enum { THEORY_PARAMETERS = 4 };  // no method has more

// Damping as Omega -> 0 without physical damping: -ln|mu| = coefficient Omega^power + ..., mu the pair of the motion.
typedef struct LowFrequency {
    int    power;  // 0: it damps at no power of Omega
    double coefficient;
} LowFrequency;

typedef struct Theory {
    const char *method;
    Matrix (*matrix)(double omega_h, double zeta, const double *p);
    // The card's rho_infinity and critical as functions, NULL where it has none. The radius is NaN where the card's
    // text does not hold. The limit is the Omega up to which the spectral radius is at most 1: INFINITY without limit,
    // NaN where no closed form is known.
    double (*radius)(double zeta, const double *p);
    double (*limit)(double zeta, const double *p);
    LowFrequency (*low)(const double *p);
} Theory;

extern const Theory theory_rows[];
extern const size_t theory_row_count;

// The row of a method, or NULL. An adaptive method has none: its step is not a matrix.
const Theory *theory_find(const char *method);
