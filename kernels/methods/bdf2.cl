//: method: bdf2
//: title: Backward differentiation formula of second order
//: source: Curtiss and Hirschfelder 1952; Wu 2018, eq. 12 with theta = 1
//: order: 2
//: first_order: true
//: unknown: velocity
//: extrapolates: true
//: history: true
//: critical: infinite
//: rho_infinity: "0"

#include "theta.h"

static Theta theta_weights(real h, real r, const MethodParams *m) { return theta_second_order(h, r, ONE); }
