// order_motion -- motion of a point over a window of time, and what of it decides how a method's order is measured.
#pragma once

#include "analysis/conform/certificate.h"

enum { ORDER_TIMES = 8 };

typedef struct OrderMotion {
    double      length;  // of the window, from t = 0
    long double x[ORDER_TIMES + 1][CERTIFICATE_DOFS], v[ORDER_TIMES + 1][CERTIFICATE_DOFS];  // at equal times
    bool        moves;                                                                       // to the end of the window
    bool        damped, driven;  // the acceleration depends on v, on t
    // Over these times: largest |x|, |v|; rounding of the kernel's accelerations; fastest rate, which is the root of
    // the stiffness or the damping.
    long double size_x, size_v, rounding, rate;
} OrderMotion;

// Finds the motion from a state.
//   at      of a substep the problem, its parameters loaded, and the roundoff; no states are read
//   x, v    [at->dofs] as the kernel begins
//   motion  its length is given; written
void order_motion_find(const CertificateSubstep *at, const double *x, const double *v, OrderMotion *motion);
