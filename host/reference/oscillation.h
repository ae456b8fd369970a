// oscillation -- amplitude, decay and period of a coordinate seen at equal intervals.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Feed it consecutive observations. Start it zeroed.
typedef struct Oscillation {
    uint64_t count;  // observations so far
    double   y[2];   // the last two, older first
    uint64_t extrema;
    double   amplitude_first, amplitude_last;
    uint64_t logs;                     // extrema that are not zero: the points (t, ln|y|) of the line that is fitted
    double   t_first, amplitude_base;  // of the first extremum that is not 0
    double   sum_t, sum_l, sum_tt, sum_tl;  // of t - t_first and ln of the amplitude over the base
    uint64_t crossings;                     // upward through zero
    double   crossing_first, crossing_last;
} Oscillation;

// Adds the observation y at time t, h after the one before.
void oscillation_observe(Oscillation *oscillation, double t, double h, double y);

// What was seen; NaN with fewer than one extremum, two of them, two crossings.
typedef struct OscillationResults {
    double amplitude_first, amplitude_last;
    double decay_rate;  // minus the slope of ln|extremum| over time, by least squares
    double period;      // mean time between upward zero crossings
} OscillationResults;

OscillationResults oscillation_results(const Oscillation *oscillation);
