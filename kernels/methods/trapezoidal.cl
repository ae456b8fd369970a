//: method: trapezoidal
//: title: Trapezoidal rule
//: source: Wu 2018, eq. 14 with theta = 1/2
//: order: 2
//: first_order: true
//: unknown: velocity
//: extrapolates: true
//: critical: infinite
//: rho_infinity: "1"

#include "theta.h"

static Theta theta_weights(real h, real r, const MethodParams *m) { return theta_first_order(h, ZERO + 0.5); }
