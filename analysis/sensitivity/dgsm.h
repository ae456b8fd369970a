// dgsm -- derivative-based global sensitivity measures, from derivatives of an output at the points of a sample.
//
// nu is the mean of (dy/dx)^2 over the distribution of the factors (Sobol' and Kucherenko 2009). Of independent factors
// it bounds the total index from above: S_T <= C nu / D, with the variance D of the output and the Poincare constant C
// of the factor's distribution (Sobol' and Kucherenko 2010; Lamboni, Iooss, Popelin and Gamboa 2013; Roustant, Barthe
// and Iooss 2017). A factor whose bound is near 0 does nothing; of another the bound says little, and may be above 1.
#pragma once

#include "analysis/sensitivity/outcome.h"
#include "design/distribution.h"

enum { DGSM_LEAST_POINTS = 8 };

typedef struct Dgsm {
    // conf: half of the 95 % interval of independent points: Student's, on the scale of the logarithm, since squares
    // are skewed, and its longer side.
    double  nu, nu_conf;
    double  bound, bound_conf;  // of the total index; NaN where there is no constant
    Outcome outcome;            // of the bound
} Dgsm;

// The Poincare constant: ((b - a)/pi)^2 of a uniform distribution, the variance of a normal one, and (w/j)^2 of a
// triangular one that is symmetric, of half width w, with the first zero j of J0. NaN of others: a lognormal one has
// none, those of the rest are in no closed form.
double dgsm_constant(const Distribution *distribution);

// Points whose y or slope is not finite are left out.
//   y, slopes  [count]
//   constant   of the factor's distribution, or NaN
void dgsm_find(const double *y, const double *slopes, size_t count, double constant, Dgsm *found);
