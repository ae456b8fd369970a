// printed -- formulas as the documents print them, beside the right ones: plain C, a few lines each.
#pragma once

#include "analysis/claims/measure.h"

// Place and velocity.
typedef struct Motion {
    double x, v;
} Motion;

// Where the pendulum x'' = -sin x - 2 zeta x' is after `end`, to rounding: the classical Runge-Kutta method in so many
// steps that more change nothing.
Motion printed_pendulum(double zeta, Motion start, double end);

extern const Measure printed_measures[];
extern const size_t  printed_measure_count;
