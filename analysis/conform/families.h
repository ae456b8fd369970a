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

// families_explicit.c
void families_explicit_euler(Judge *judge);
void families_symplectic_euler(Judge *judge);
void families_variational_explicit(Judge *judge);
void families_chung_lee(Judge *judge);
void families_velocity_verlet(Judge *judge);
void families_yoshida4(Judge *judge);

// families_runge_kutta.c
void families_rk2(Judge *judge);
void families_rk4(Judge *judge);
void families_dopri5(Judge *judge);
void families_dopri5_adaptive(Judge *judge);

// families_start.c
void families_start(Judge *judge);

// families_composite.c
void families_bathe(Judge *judge);
void families_tr_bdf2(Judge *judge);

// families_midpoint.c
void families_implicit_midpoint(Judge *judge);
void families_variational_implicit(Judge *judge);
void families_central_difference(Judge *judge);

// families_sofa.c
void families_sofa_euler(Judge *judge);
void families_sofa_newmark(Judge *judge);

// families_incremental.c
void families_incremental_potential(Judge *judge);
void families_incremental_newmark(Judge *judge);
