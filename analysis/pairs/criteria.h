// criteria -- in what sense two methods damp alike: one number of a method, which both are to have in common.
//
// All are numbers of the undamped oscillator, as functions of Omega = omega h and the method's parameters; only
// `measured` is one of a real problem. mu is the complex pair of largest modulus, radius the largest modulus of all
// eigenvalues of the amplification matrix.
//
//   low_frequency   c of -ln|mu| = c Omega^k as Omega -> 0, in closed form (NUMERICS of each method: Theory's `low`).
//                   Methods of different k have an equivalent only where both damp nothing.
//   high_frequency  the radius as Omega -> infinity
//   radius          -ln(radius) of one step at Omega; over a band the parameter whose largest |ln(radius/radius)| is
//                   the least
//   damping_ratio   xi = -ln|mu|/|arg mu| at Omega; over a band the parameter whose largest |ln(xi/xi)| is the least
//   decay           -ln(radius)/Omega: decay over a fixed time, where TO may take another step than FROM
//   max_decay       the maximum over Omega of -ln(radius)/Omega, the fastest decay in time that any mode can have
//   measured        a metric of a problem, log_decrement by default, run through the kernel
#pragma once

#include "analysis/theory.h"

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
extern const char *const criterion_about[CRITERION_COUNT];  // a phrase for tables: "-ln(radius) of a step"

// Whether --omega-h says something; whether a band does.
bool criterion_takes_omega(Criterion criterion);
bool criterion_takes_band(Criterion criterion);

// The number itself; NaN where the method has none there.
//   omega_h  > 0; not read by low_frequency, high_frequency, max_decay
//   p        [of the row's parameters]
// Not for CRITERION_MEASURED. low_frequency gives the coefficient of Omega^power, 0 where the first power with damping
// is higher.
double criterion_number(Criterion criterion, const Theory *theory, const double *p, double omega_h, int power);

// Over what the logarithm of a ratio is taken in a band: ln(radius), or ln(xi).
double criterion_logarithm(Criterion criterion, const Theory *theory, const double *p, double omega_h);
