// damping -- the logarithmic decrement of a coordinate seen at equal intervals, and the energy lost per cycle.
//
// What kernels/metrics/damping.cl and energy_loss.cl say they measure: turning points of the quartic through five
// observations, least squares of the logarithms of the amplitudes between them.
#pragma once

#include <stdint.h>

// The triangular factor of the rows [1, k, k^2, y] of points of a curve.
typedef struct DampingFit {
    uint64_t count;
    double   r[4][4];
} DampingFit;

typedef enum DampingState {
    DAMPING_MEASURED,
    DAMPING_NO_OSCILLATION,
    DAMPING_FEW_CYCLES,
    DAMPING_UNDERSAMPLED,
    DAMPING_IRREGULAR,
    DAMPING_GROWING,
    DAMPING_UNFINISHED,  // of a point that failed; for the caller to say
} DampingState;

// Feed it consecutive observations. Start it zeroed.
typedef struct Damping {
    uint64_t   count;            // observations so far
    double     y[5], energy[5];  // the last ones, oldest first
    uint64_t   extrema;
    double     first_place, last_place;  // of extrema, in observations
    double     first_energy, last_energy;
    double     first_evenness, last_evenness;  // of the energies about them: below 0 where an outer one is far off
    double     height, parabola_height;        // of the last extremum
    double     first_amplitude;
    double     logs[3];  // of the last amplitudes over the first one, newest first
    double     third_log;
    DampingFit logs_fit;    // of the logarithms
    DampingFit height_fit;  // of what parabolas in place of quartics would add to them
} Damping;

// The energy may be anything where damping_energy_loss() is not asked for.
void damping_observe(Damping *damping, double y, double energy);

// What was seen. Numbers are NaN unless the state is DAMPING_MEASURED or DAMPING_GROWING.
typedef struct DampingResults {
    DampingState state;
    double       decrement;    // over all amplitudes
    double       first, last;  // of the first cycle, and of the last one
    double       error;        // bound on that of the decrement
} DampingResults;

DampingResults damping_results(const Damping *damping);

// NaN with less than a cycle, fewer than 8 observations to one, or where the five energies about the first and the last
// extremum range over more than the middle one, 8 times what the middle three do and 8 times what is lost, together.
double damping_energy_loss(const Damping *damping);
