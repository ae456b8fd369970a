// chaos -- a sparse polynomial chaos expansion of an output: a surrogate, and the sensitivity to its factors.
//
// An output y of independent factors is written as a sum of products of polynomials that are orthonormal under their
// distributions (Wiener 1938; Xiu and Karniadakis 2002). Squared coefficients are then parts of its variance, and
// Sobol' indices are sums of them (Sudret 2008). The coefficients are found by regression at the points of a design,
// the terms by `pursuit` among the products up to a degree that rises while the corrected leave-one-out error falls.
//
// Points are as they come from the distributions: independent, a Latin hypercube, a sequence, or for factors without a
// distribution whatever was sampled. Points that differ in one factor only (the matrices AB_i of Saltelli, steps about
// a centre) are too alike for an error by leaving points out; of Saltelli's design take A and B.
#pragma once

#include "analysis/sensitivity/pursuit.h"

enum {
    CHAOS_FACTORS = 256,      // most factors
    CHAOS_POINTS = 1 << 14,   // points that enter the fit where nothing else is asked for
    CHAOS_LEAST_POINTS = 10,  // different ones
    CHAOS_CANDIDATES = 1024,  // most terms among which a fit chooses; fewer of many points
    CHAOS_TERMS = 256,        // most terms of an expansion; at most half as many as points
    CHAOS_REPLICATES = 200    // a good number
};

// The Q2 below which an expansion is not to be used, where nothing else is asked for.
#define CHAOS_LEAST_Q2 0.9

// Points and an output there. The arrays are borrowed while chaos_make() runs.
typedef struct ChaosData {
    size_t factor_count, point_count;
    // [factor]: their distributions, not refused; NULL where it is not known: its measure is then that of its values at
    // the points, each as likely as the others.
    const Distribution *const *factors;
    const double *const       *x;  // [factor][point], finite
    const double              *y;  // [point], finite
} ChaosData;

// Options of an expansion; 0 of each is a default.
typedef struct ChaosOptions {
    double   norm;    // q of the basis; 0: 1 of up to 3 factors, else 0.75
    size_t   degree;  // highest, at most POLYNOMIALS_MOST
    size_t   points;  // most that enter the fit; the others are held out
    uint64_t seed;    // of the choice of points and of the folds
} ChaosOptions;

// An expansion. Zero-initialise it, chaos_make() fills it in, chaos_free() releases it; its arrays are owned.
//
// Points with the same values of all factors count as one, with their number as its weight and their mean as its
// output; their difference is part of each error below.
typedef struct Chaos {
    Arena        arena;
    size_t       factor_count, term_count;
    Polynomials *polynomials;   // [factor]
    BasisTerm   *terms;         // [term]; the constant is the first
    double      *coefficients;  // [term]
    double      *inverse;       // [term][term]: of `least_squares`; inverse times sums of pushes moves coefficients
    double      *pushes;        // [term][point]: Q of the fit times the leave-one-out error of each point
    size_t       point_count;   // different points in the fit
    size_t       held_count;    // different points held out
    size_t       degree, candidate_count;
    double       norm;
    double       variance;      // of the output at all points
    double       q2_leave_one;  // 1 - leave-one-out error / variance: of the terms chosen, and so too good for noise
    double       q2_folds;      // terms chosen and fitted without a tenth (a quarter) of the points; NaN: not needed
    double       q2_held;       // at the points held out; NaN: fewer than 256 different ones
    double       q2;            // the honest one: q2_held, else q2_folds; NaN of a constant output
    double       error;         // the root of the mean squared error that belongs to q2
} Chaos;

// Finds an expansion. Its result does not depend on the order of the points.
// The output is constant where its values differ by rounding only: the expansion is then that constant, q2 is NaN.
// Errors: ERROR_INPUT (too few different points, no factors or too many, a distribution that is refused, a number that
// is not finite or has no logarithm), ERROR_INTERNAL (memory, LAPACK).
bool chaos_make(const ChaosData *data, const ChaosOptions *options, Chaos *chaos, Error *err);

void chaos_free(Chaos *chaos);

// The expansion at x[factor]. The signature is that of ShapleyFunction.
double chaos_value(const void *chaos, const double *x);

// The value, and its standard error: error * sqrt(1 + psi' (A'A)^-1 psi), psi the terms at x, which grows where there
// are few points. The error is for a point like the design's, on average over them.
void chaos_predict(const Chaos *chaos, const double *x, double *value, double *error);

// Effects that follow from the coefficients, of independent factors. chaos_make_effects() makes it, in an arena.
// Indices are the expansion's. The variance that it leaves out, a share 1 - q2 of the output's, may belong to any
// factor: an index S of the output differs by up to (1 - q2) max(S, 1 - S), beside its interval.
typedef struct ChaosEffects {
    double *numbers;  // [count]: all of the following
    size_t  count;
    double *mean, *variance;  // one each
    double *first, *total;    // [factor]: S1, ST
    double *shapley;          // [factor]: a term's part shared equally among its factors (Owen 2014)
    double *pair;             // [factor][factor]: S2, symmetric, 0 on the diagonal
} ChaosEffects;

// Finds the effects; of a constant output indices are NaN. Errors: ERROR_INTERNAL (memory).
bool chaos_make_effects(const Chaos *chaos, Arena *arena, ChaosEffects *effects, Error *err);

// Finds half of the 95 % interval of each effect, 1.96 standard deviations of a bootstrap on the terms as they are: the
// coefficients move by the leave-one-out errors of the points, each with a random sign (the wild bootstrap of Davidson
// and Flachaire 2008, with the residuals of MacKinnon and White's HC3). That other points might choose other terms is
// not in it: a factor without a term has 0, and of few points such an interval of the whole index holds in a third of
// the studies. Who takes it alone knows the terms. Errors: ERROR_INTERNAL (memory).
bool chaos_make_conf(const Chaos *chaos, size_t replicates, uint64_t seed, Arena *arena, ChaosEffects *conf,
                     Error *err);
