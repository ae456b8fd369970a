// profile -- intervals of parameters by the profile of the sum of squares: likelihood ratios, without a linear model.
//
// The profile S(c) of a parameter is the least sum of squares with the parameter held at c and all others free. With
// errors that are independent and normal the interval at 95 % is where
//
//     tau(c) = sign(c - optimum) sqrt(S(c) - S) / s        |tau(c)| <= q
//
// s being the standard deviation of the errors, S / (data - parameters), and q the quantile of Student's t: D. M. Bates
// and D. G. Watts, Nonlinear Regression Analysis and Its Applications (1988), section 6.1, where q^2 is that of F with
// 1 and data - parameters degrees of freedom. Where the standard deviations of the data are taken as stated s is 1 and
// q^2 is the quantile of chi-square with 1: A. Raue et al., Structural and practical identifiability analysis of
// partially observed dynamical models by exploiting the profile likelihood, Bioinformatics 25 (2009) 1923-1929. Both
// are those of the intervals by J^T J, which are the same ones where the model is linear in its parameters: tau is then
// the distance from the optimum over the standard deviation.
//
// All sides of all parameters are looked at together: the values of a grid, then each further out, until S has risen
// enough or a bound is reached, and then between two values by Chandrupatla's method (pairs/roots). The fits of a round
// are one batch. They start where the linear model has the others, from the solution nearest by, and from the other
// optima.
#pragma once

#include "analysis/fit/fit.h"
#include "terminal/options.h"

// The word for all parameters.
extern const char profile_all[];  // "all"

// Refuses names that are no parameters of the fit. Errors: ERROR_USAGE.
bool profile_check(const GroupFit *fit, const Words *names, Error *err);

// How many fits a round has at most: the room of a FitRequest.
//   parameters  of which profiles are found
size_t profile_room(size_t parameters);

// Finds the profiles' ends, after estimates_find() and before the fit is released.
// Errors: those of profile_check() and levenberg_run(); ERROR_INPUT (no data are left for the error).
bool profile_find(GroupFit *fit, const Words *names, Error *err);
