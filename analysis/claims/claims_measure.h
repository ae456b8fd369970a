// claims_measure -- what several rows measure: orders, distances, spectral radii, stability limits.
#pragma once

#include "analysis/claims/claims_lab.h"

// Place and velocity, or a step's worth of them.
typedef struct Motion {
    double x, v;
} Motion;

// Where the pendulum x'' = -sin x - 2 zeta x' is after `end`, to rounding: the classical Runge-Kutta method in so many
// steps that more change nothing.
Motion measure_pendulum(double zeta, Motion start, double end);

// LAB_ORDERS at zeta and a number of steps: the larger of the errors of x and v at the end.
//   parameter, value  where the group has an axis of its own; or NULL
double measure_error(Lab *lab, const char *group, const char *parameter, double value, double zeta, double steps);

// LAB_ORDERS: log2 of the ratio of the errors at 100 and 200 steps.
double measure_order(Lab *lab, const char *group, const char *parameter, double value, double zeta);

// LAB_ORDERS, undamped, 50 steps: the largest difference of x between two groups without parameters.
double measure_apart(Lab *lab, const char *group, const char *other);

// The spectral radius of a kernel's step on the oscillator, and the largest over Omega from 1e-2 to 1e4.
//   value  of the method's first parameter, not read where there is none
double measure_radius(Lab *lab, const char *method, double value, double omega, double zeta);
double measure_largest_radius(Lab *lab, const char *method, double value, double zeta);

// The largest of -ln(radius)/Omega, undamped: the most that a method takes from a motion in a unit of its time.
double measure_most_damping(Lab *lab, const char *method, double value);

// LAB_POLAR at one of its tolerances, and LAB_CARTESIAN at k = 1: a number of a group.
double measure_polar(Lab *lab, const char *group, const char *variable, double eps, double k, double tolerance);
double measure_cartesian(Lab *lab, const char *group, const char *variable, double eps, double step, double tolerance);
enum { MEASURE_TOLERANCES = 7 };
extern const double measure_tolerances[MEASURE_TOLERANCES];
