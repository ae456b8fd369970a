// density -- a histogram of numbers, and a kernel estimate of their density.
//
// The bandwidth is B. W. Silverman's, Density Estimation for Statistics and Data Analysis (1986), equation 3.31:
// 0.9 min(deviation, interquartile range / 1.34) n^(-1/5), and at least half of a bar. The width of bars is that of D.
// Freedman and P. Diaconis, On the histogram as a density estimator, Z. Wahrscheinlichkeitstheorie 57 (1981) 453-476: 2
// IQR n^(-1/3).
//
// Numbers that are positive and span three decades are binned by their logarithm. Bars reach beyond the middle 98 % of
// the numbers by half of their length; numbers further out are counted. Whole numbers have bars of whole width, and no
// kernel.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { DENSITY_QUANTILES = 4 };
extern const double density_quantiles[DENSITY_QUANTILES];  // the probabilities of those that a shape has

enum { DENSITY_BINS = 1024, DENSITY_BARS = 60, DENSITY_POINTS = 257 };

typedef struct DensityEstimate {
    bool     logarithmic, whole;
    double   low, high;  // ends of the bars, on the scale: logarithms where it is logarithmic
    size_t   bar_count;
    uint64_t bars[DENSITY_BARS];
    double   fine[DENSITY_BINS];  // between the same ends, each number shared by the two bins around it
    double   bandwidth;
    uint64_t count, outside;
} DensityEstimate;

// What is known of the numbers before they are binned.
typedef struct DensityShape {
    uint64_t count;  // finite ones
    double   least, most, quantiles[DENSITY_QUANTILES], deviation;
    bool     whole;  // they are whole numbers
} DensityShape;

// Chooses scale, bars and bandwidth. Returns false where the numbers are constant.
bool density_begin(DensityEstimate *density, const DensityShape *shape);

// Counts a number; one that is not finite is left out.
void density_add(DensityEstimate *density, double number);

// The end of a bar on the axis of the numbers: 0 is the lower one of the first.
double density_end(const DensityEstimate *density, size_t bar);

// The kernel estimate, as the share of the numbers in a bar there.
//   at     on the axis of the numbers
double density_share(const DensityEstimate *density, double at);
