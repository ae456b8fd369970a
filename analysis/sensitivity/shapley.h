// shapley -- Shapley effects of factors that depend on each other.
//
// The factors are x_i = quantile_i(Phi(z_i)) with z normal of mean 0, variance 1 and a given correlation: a Gaussian
// copula. The effect of a factor is its share of the variance of an output y: with c(u) = E[Var(y | x outside u)],
// which a set u of factors costs,
//   effect_i = sum over u without i of |u|! (d - |u| - 1)! / d! (c(u + i) - c(u)) / c(all)
// (Owen 2014; Song, Nelson and Staum 2016; Owen and Prieur 2017). Effects sum to 1; they are Sobol' indices shared out.
#pragma once

#include "base/error.h"
#include "design/distribution.h"

#include <stdint.h>

enum {
    SHAPLEY_FACTORS = 12,          // most factors: all 2^d sets are looked at
    SHAPLEY_SAMPLES = 1 << 14,     // most points where no number is asked for
    SHAPLEY_EVALUATIONS = 1 << 21  // of the output, about, where no number is asked for
};

// The output at x[factor].
typedef double ShapleyFunction(const void *user, const double *x);

// A function of random factors. The arrays are borrowed.
typedef struct Shapley {
    size_t              factor_count;   // d
    const Distribution *distributions;  // [factor], not refused
    const double       *correlation;    // [factor][factor] of z; NULL: the factors are independent
    ShapleyFunction    *function;
    const void         *user;     // of the function
    size_t              samples;  // points; each takes 2^d evaluations; 0: a number by d
    uint64_t            seed;
} Shapley;

// Finds the effects and their standard errors.
//   effects, errors  [factor] written; NaN where the variance is 0
//   variance         of the output, written
// c(u) is half the mean of (y(x) - y(x'))^2 with x' drawn given the part of x outside u (Jansen 1999; Broto, Bachoc and
// Depecker 2020), with the same x for all u. The effects are means over x, with the error of a ratio of two means; the
// error of a surrogate is not in them. Errors: ERROR_INPUT (no factors or too many, one sample, a correlation that is
// not positive definite, an output that is not finite), ERROR_INTERNAL (memory).
bool shapley_find(const Shapley *shapley, double *effects, double *errors, double *variance, Error *err);
