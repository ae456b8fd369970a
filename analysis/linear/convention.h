// convention -- parameters of methods, papers and programs that have one spectral radius at infinite frequency.
//
// The alpha family has as many conventions as authors. With d = (1 - rho_inf)/(1 + rho_inf), every quantity below is a
// function of rho_inf alone; all of them, rho_inf included, are pure numbers (unit 1).
//
//   Chung and Hulbert 1993 (Wu 2018, eq. 3-9): alpha_m and alpha_f weigh the old state. This is the project's
//       convention; generalized_alpha computes the four from rho_inf where a sweep does not give them.
//   PETSc, manual pages TSAlpha2SetRadius and TSAlpha2SetParams (options -ts_alpha_radius, -ts_alpha_alpha_m, ...):
//       alpha_m and alpha_f weigh the new state, theirs = 1 - ours; beta and gamma are the same.
//   OpenSees, manual pages of `integrator GeneralizedAlpha` and `integrator HHT`: both weigh the new state. HHT's alpha
//       is 1 + ours, from 2/3 to 1. gamma and beta may be left out, and are then these.
//   Hilber, Hughes and Taylor 1977 (Chung and Hulbert 1993, section 3): alpha = -alpha_f = -d from -1/3 to 0, so that
//       rho_inf >= 1/2. The method is stable down to alpha = -1/2, but below -1/3 the radius is -alpha/(1 + alpha),
//       which rises again. The same in Abaqus and CalculiX, manual pages *DYNAMIC, and in Chrono,
//       ChTimestepperHHT::SetAlpha.
//   Wood, Bossak and Zienkiewicz 1980 (Chung and Hulbert 1993, section 3): alpha = alpha_m = -d. The same in Kratos
//       Multiphysics, whose Bossak scheme calls it damp_factor_m; its newmark_beta stays 1/4.
//   Newmark 1959 with beta = (gamma + 1/2)^2/4, where both roots at infinity are one, -rho_inf: gamma = 1/2 + d
//       (Hughes 1987, section 9.1).
//   theta1 and theta2, Wu 2018, eq. 10-14; bathe, Noh and Bathe 2019, eq. 1-8.
#pragma once

#include "base/text.h"
#include "terminal/coordinates.h"

// A quantity that sets the radius of a method, in the convention of a program or a paper.
typedef struct Convention {
    const char *method;    // of the catalog: the method whose parameters are set
    const char *software;  // the program or the paper; "pendula": a parameter of the method's card
    const char *quantity;  // as it is spelt there
    double (*value)(double rho_inf);
    const char *note;  // "" where there is nothing to say
} Convention;

// The conventions of a method follow each other, the parameter that sets its radius first.
extern const Convention conventions[];
extern const size_t     convention_count;

// The first convention of a method, or NULL.
const Convention *convention_find(const char *method);

// The smallest radius that the method can have; the largest is 1.
double convention_least(const Convention *convention);

// The radius at a value of the method's first convention.
double convention_radius(const Convention *convention, double value);

// The value at a radius, the inverse for radii from the least to 1; NaN at a smaller radius.
double convention_value(const Convention *convention, double rho_inf);

// The note at a radius, which says why where the method does not have it.
const char *convention_note(const Convention *convention, double rho_inf);

// Adds the table of `pendula show METHOD --rho-inf VALUE`: the table's rows at a radius, the method's first.
//   radius   at infinite frequency; NaN: the radius that
//   setting  makes, a parameter of the method and its value
//   json     an object in place of a table
// Errors: ERROR_USAGE (no such method, one without a parameter for its radius, a parameter or a value it does not
// have), ERROR_INPUT (a card is wrong), ERROR_INTERNAL.
bool convention_print(Text *text, const char *method, double radius, const NamedValue *setting, bool json, Error *err);
