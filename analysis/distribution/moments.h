// moments -- mean and central moments of numbers that come one after the other.
//
// P. Pebay, Formulas for robust, one-pass parallel computation of covariances and arbitrary-order statistical moments,
// SAND2008-6212: each number moves the sums about the mean. No sum of squares loses the digits of a small deviation.
#pragma once

#include <stdint.h>

// Zero-initialise it. Sums are of numbers times 2^shift.
typedef struct Moments {
    uint64_t count;
    double   mean, squares, cubes, fourths;  // about the mean
    int      shift;
} Moments;

void moments_add(Moments *moments, double number);

// The power of two that brings numbers up to this magnitude so near 1 that their fourth powers fit into a double; 0
// where they do as they are.
int moments_shift(double largest);

// The mean and the standard deviation with count - 1; NaN of no number, or of one.
double moments_mean(const Moments *moments);
double moments_deviation(const Moments *moments);

// The fourth moment over the square of the second, 3 of normal numbers; NaN where all are equal.
double moments_kurtosis(const Moments *moments);
