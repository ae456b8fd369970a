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

// Sums over points, of each factor: of its share s of a point, s^2 and s v, v the variance's; of v and v^2.
typedef struct ShapleySums {
    double share[SHAPLEY_FACTORS], square[SHAPLEY_FACTORS], mixed[SHAPLEY_FACTORS], variance, variance_square;
} ShapleySums;

// Finds |u|! (d - |u| - 1)! / d! for |u| = 0 .. d - 1.
void shapley_weights(size_t d, double *weights);

// Finds the share of each factor from the costs[2^d] of all sets.
void shapley_share(size_t d, const double *weights, const double *costs, double *shares);

// Adds the shares of a point, and what it says of the variance.
void shapley_add(ShapleySums *sums, size_t d, const double *shares, double variance);

// Finds effects s / v and their standard errors: a ratio of two means r has the variance of s - r v over n, in units of
// v. NaN where the variance is 0.
void shapley_ratios(const ShapleySums *sums, size_t d, double samples, double *effects, double *errors,
                    double *variance);

// Finds the effects and their standard errors.
//   effects, errors  [factor] written; NaN where the variance is 0
//   variance         of the output, written
// c(u) is half the mean of (y(x) - y(x'))^2 with x' drawn given the part of x outside u (Jansen 1999; Broto, Bachoc and
// Depecker 2020), with the same x for all u. The effects are means over x, with the error of a ratio of two means; the
// error of a surrogate is not in them. Errors: ERROR_INPUT (no factors or too many, one sample, a correlation that is
// not positive definite, an output that is not finite), ERROR_INTERNAL (memory).
bool shapley_find(const Shapley *shapley, double *effects, double *errors, double *variance, Error *err);
