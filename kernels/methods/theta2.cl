//: method: theta2
//: title: Second-order theta method, from the trapezoidal rule to BDF2
//: source: Wu 2018, eq. 10-13
//: order: 2
//: first_order: true
//: unknown: velocity
//: extrapolates: true
//: history: true
//: critical: infinite
//: rho_infinity: 3 (1 - theta)/(3 + theta)
//: parameters:
//:   theta: {default: 0.07, min: 0, max: 1, unit: "1", about: "0 is the trapezoidal rule, 1 is BDF2"}

#include "theta.h"

static Theta theta_weights(real h, real r, const MethodParams *m) { return theta_second_order(h, r, m->theta); }
