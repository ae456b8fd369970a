// theory_walk -- inside of linear theory: one step as a matrix of power series.
#pragma once

#include "analysis/linear/series.h"
#include "analysis/linear/theory.h"

// A vector of a step as a map of the state at its beginning.
typedef struct TheoryMap {
    PowerSeries of[MATRIX_MOST];
} TheoryMap;

// How Omega stands in the series: it is s, or 1/s, or the number omega_h.
typedef struct TheoryOmega {
    int    power;  // 1, -1, 0
    double omega_h;
    size_t terms;  // coefficients that are kept
} TheoryOmega;

// The spectral radius as Omega -> infinity. Where eigenvalues coincide there, it is off by their shift from rounding.
double theory_walk_radius(const Theory *theory, double zeta, const double *p);

// The Omega up to which the method is stable, by search; to 1e-7 of itself where eigenvalues coincide there.
double theory_walk_limit(const Theory *theory, double zeta, const double *p);

// Fills the rows of the matrix [n][n].
void theory_walk(const Theory *theory, TheoryOmega omega, double zeta, const double *p, TheoryMap rows[MATRIX_MOST]);
