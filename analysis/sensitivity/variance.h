// variance -- variance-based sensitivity indices from Saltelli's design, by sums that do not grow with the sample.
//
// Saltelli's design of d factors has N base samples, k = 0..N-1. A base sample has an output for each role:
//   [0]          A
//   [1]          B
//   [2 + i]      AB_i: A, with factor i from B
//   [2 + d + i]  BA_i: B, with factor i from A (with second order only)
// A factor may stand for a group of factors that are exchanged together. Estimates are made of outputs minus the mean
// of all outputs; V is the variance of the outputs of A and B together:
//   total         ST = mean((A - AB_i)^2) / (2 V)                       Jansen 1999
//   first order   S1 = mean(B (AB_i - A)) / V                           Saltelli et al. 2010, Table 2 (b)
//                 S1 = 1 - mean((B - AB_i)^2) / (2 V)                   Jansen 1999; 2010, Table 2 (c)
//                 S1 = T_N^X, with mean and variance of B and AB_i      Janon, Klein, Lagnoux, Nodet and Prieur 2014
//   second order  S2 = mean(BA_i AB_j - A B) / V - S1_i - S1_j          Saltelli 2002, as in SALib
// S2 always subtracts the first-order indices of Saltelli et al., whose errors cancel errors of the first term: with
// another estimator the error of S2 is up to twice as large.
//
// Where the base samples are those of several nets that are scrambled by themselves (base sample k is one of net
// k mod R, see sampling.h), each net is an independent study, and intervals are Student's, of R - 1 degrees of freedom,
// from the jackknife that leaves out a net at a time. A total index is a mean of squares, whose distribution is skewed:
// its interval is that of its logarithm, and conf the longer side. L'Ecuyer, Nakayama, Owen and Tuffin ("Confidence
// intervals for randomized quasi-Monte Carlo estimators", WSC 2023) found this interval to hold where bootstraps do
// not.
//
// Else intervals are from a bootstrap of bundles. A bundle is a run of consecutive base samples; where there are no
// more base samples than bundles, each is a bundle, and this is the ordinary bootstrap. Fewer than some 30 bundles make
// intervals too narrow. The bootstrap takes bundles as independent. The points of a scrambled Sobol' sequence are more
// even than independent ones, but for some pairs of its dimensions at some N: the factors with such pairs are drawn by
// the seed (sampling.h). The more base samples, the wider its intervals are than they need be.
#pragma once

#include "analysis/sensitivity/outcome.h"
#include "base/arena.h"
#include "design/sampling.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    VARIANCE_BUNDLES = 1024,  // good values for one output
    VARIANCE_REPLICATES = 1000,
    VARIANCE_NETS = SAMPLING_NETS  // most nets
};

// Sums of one output. They live as long as their arena.
typedef struct Variance {
    size_t   factor_count, role_count, bundle_count, sum_count;
    size_t   net_count;   // R; bundle b has base samples of net b mod R
    uint64_t base_count;  // N
    bool     second_order;
    bool     begun;    // centre is known
    double   centre;   // subtracted from each output: the mean of A and B in the base sample that was added first
    double   largest;  // magnitude of an output
    double  *sums;     // [bundle_count][sum_count]
} Variance;

typedef enum VarianceEstimator {
    VARIANCE_SALTELLI,
    VARIANCE_JANSEN,
    VARIANCE_JANON,
    VARIANCE_ESTIMATORS,                  // how many there are
    VARIANCE_AUTO = VARIANCE_ESTIMATORS,  // chosen by variance_find()
} VarianceEstimator;

typedef struct VarianceOptions {
    VarianceEstimator estimator;   // of first order
    size_t            bundles;     // how many of the first bundles are used, of each net as many; 0: all
    size_t            replicates;  // of the bootstrap; 0: no intervals
    uint64_t          seed;
} VarianceOptions;

// An index and half of its 95 % interval: 1.96 standard deviations of the bootstrap, as SALib's S1_conf, or of several
// nets Student's. conf is NaN without replicates, and where fewer than two bundles, or nets, have base samples.
typedef struct VarianceIndex {
    double value, conf;
} VarianceIndex;

// The arrays live as long as their arena. Without OUTCOME_FOUND the indices are NaN.
typedef struct VarianceIndices {
    Outcome           outcome;
    uint64_t          base_count;                    // of the bundles that were used
    uint64_t          used, skipped;                 // of these: added, and not finite or not added
    double            mean;                          // of all outputs
    double            variance;                      // V
    VarianceEstimator estimator;                     // of first order: never VARIANCE_AUTO
    const char       *reason;                        // why this one, in a line; static text
    double            spreads[VARIANCE_ESTIMATORS];  // variances of S1 by resampled bundles, summed over the factors
    VarianceIndex    *first;                         // [factor_count]
    VarianceIndex    *total;                         // [factor_count]
    VarianceIndex    *second;  // [factor_count (factor_count - 1) / 2], by variance_pair(); NULL without second order
} VarianceIndices;

// How many outputs a base sample has.
size_t variance_role_count(size_t factor_count, bool second_order);

// Where the pair of factors i < j stands: (0, 1), (0, 2), .., (1, 2), ..
size_t variance_pair(size_t factor_count, size_t i, size_t j);

// Makes sums without base samples. The memory is that of the arena: for each bundle 6 (factor_count + 1) numbers, and
// with second order one for each pair.
//   net_count     R, 1 to VARIANCE_NETS
//   bundle_limit  most bundles, R or more; 0: VARIANCE_BUNDLES
// Errors: ERROR_INTERNAL (memory), ERROR_INPUT (no factor, or N is too large).
bool variance_make(size_t factor_count, bool second_order, uint64_t base_count, size_t net_count, size_t bundle_limit,
                   Arena *arena, Variance *variance, Error *err);

// Adds base sample k, at most once. One with an output that is not finite is skipped; one that is not to count is not
// added. The order matters to the last bits only.
//   y  [role_count]
void variance_add(Variance *variance, uint64_t k, const double *y);

// Finds the indices of the base samples in the first bundles. An index of T_N^X is NaN where B and AB_i are constant.
// VARIANCE_AUTO takes the estimator with the least sum of variances, but Saltelli's unless the least one is below 0.8
// of it. Errors: ERROR_INTERNAL (memory).
bool variance_find(const Variance *variance, const VarianceOptions *options, Arena *arena, VarianceIndices *found,
                   Error *err);

// How many base samples give a half width that is wanted, after `base_count` of them gave `conf`: base_count where
// this is enough, else the next power of two at or above N (conf / wanted)^2, since half widths fall as 1 / sqrt(N).
// 0: none below 2^62, or conf is not finite, or wanted is not positive.
uint64_t variance_find_base_count(uint64_t base_count, double conf, double wanted);
