// criterion -- criteria of damping: the number of a method that both methods of a pair have in common.
//
// All but `measured` are numbers of the undamped oscillator, functions of Omega = omega h and the method's parameters.
// mu is the complex pair of largest modulus, radius the largest modulus of all eigenvalues of the amplification matrix
// (Wu 2018, section 3; Chung and Hulbert 1993).
//
//   low_frequency   c of -ln|mu| = c Omega^k + ... as Omega -> 0, from the series of the eigenvalue. Methods of
//   different k have an
//                   equivalent only where both damp nothing
//   high_frequency  the radius as Omega -> infinity
//   radius          -ln(radius) of one step at Omega; in a band the parameter with the least largest |ln(radius ratio)|
//   damping_ratio   xi = -ln|mu|/|arg mu| at Omega; in a band the parameter with the least largest |ln(xi ratio)|
//   decay           -ln(radius)/Omega: over a fixed time omega t the amplitude decays by exp(-decay omega t). TO may
//                   take another step than FROM
//   max_decay       the maximum over Omega of -ln(radius)/Omega, the fastest decay in time that any mode can have
//   measured        a metric of a problem, log_decrement by default, run through the kernel (analysis/pairs/trial)
#pragma once

#include "analysis/linear/theory.h"

typedef enum Criterion {
    CRITERION_LOW_FREQUENCY,
    CRITERION_HIGH_FREQUENCY,
    CRITERION_RADIUS,
    CRITERION_DAMPING_RATIO,
    CRITERION_DECAY,
    CRITERION_MAX_DECAY,
    CRITERION_MEASURED,
    CRITERION_COUNT
} Criterion;
extern const char *const criterion_names[CRITERION_COUNT];  // "low_frequency", ...
extern const char *const criterion_about[CRITERION_COUNT];  // a phrase: "-ln(radius) of a step"

// Whether the number is one at an Omega.
bool criterion_takes_omega(Criterion criterion);

// The number; NaN where the method has none there. Not of CRITERION_MEASURED.
//   omega_h  > 0; not read by criteria that take none
//   p        in the row's order
double criterion_number(Criterion criterion, const Theory *theory, const double *p, double omega_h);

// How far rounding may put the number off.
double criterion_noise(Criterion criterion, double omega_h);
