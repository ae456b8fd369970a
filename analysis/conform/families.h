// families -- inside of certificates: what each method's papers demand of a substep, a function each.
#pragma once

#include "analysis/conform/equations.h"

// families_newmark.c
void families_generalized_alpha(Judge *judge);
void families_hht_alpha(Judge *judge);
void families_wbz_alpha(Judge *judge);
void families_newmark(Judge *judge);

// families_theta.c
void families_theta2(Judge *judge);
void families_bdf2(Judge *judge);
void families_theta1(Judge *judge);
void families_trapezoidal(Judge *judge);
void families_backward_euler(Judge *judge);
