// interval -- intervals at 95 % of numbers that are estimated from independent points.
#pragma once

#include <stdint.h>

// An estimate and its interval; low or high NaN: the points are too few for that end.
typedef struct IntervalEstimate {
    double value, low, high;
} IntervalEstimate;

// Of a mean, by Student's t with count - 1 degrees of freedom. Other numbers than normal ones need many points.
IntervalEstimate interval_mean(uint64_t count, double mean, double deviation);

// Of a standard deviation, by the fourth moment on a logarithmic scale: D. G. Bonett, Approximate confidence interval
// for standard deviation of nonnormal distributions, Comput. Stat. Data Anal. 50 (2006) 775-782, with the mean in place
// of the trimmed one. It needs many points.
//   kurtosis  as moments_kurtosis() gives it
IntervalEstimate interval_deviation(uint64_t count, double deviation, double kurtosis);

// Of the quantile of a probability, between two order statistics, whatever the distribution is: H. A. David and H. N.
// Nagaraja, Order Statistics, 3rd ed. (2003), section 7.1. Below each end lie at most 2.5 %.
//   low, high  written: ranks from 1 on; 0, and count + 1: none of the numbers is low, or high, enough
void interval_ranks(uint64_t count, double probability, uint64_t *low, uint64_t *high);

// Of a probability, by C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits illustrated in the
// case of the binomial, Biometrika 26 (1934) 404-413: never less than 95 %.
//   hits  of count
IntervalEstimate interval_share(uint64_t hits, uint64_t count);

// Of a correlation: R. A. Fisher's transformation, of which `spread` is the variance times count - 3. It is 1 for
// Pearson's coefficient of normal numbers, and 1 + r^2 / 2 for Spearman's: D. G. Bonett and T. A. Wright, Sample size
// requirements for estimating Pearson, Kendall and Spearman correlations, Psychometrika 65 (2000) 23-28.
IntervalEstimate interval_correlation(uint64_t count, double correlation, double spread);
