//: method: trapezoidal
//: title: Trapezoidal rule
//: source: Wu 2018, eq. 14 with theta = 1/2
//: order: 2
//: first_order: true
//: unknown: velocity
//: extrapolates: true
//: critical: infinite
//: rho_infinity: "1"
//: equations:
//:   - solve v1
//:   - x1 = x + h/2*(v + v1)
//:   - v1 = v + h/2*(accel(t, x, v) + accel(t + h, x1, v1))

#include "theta.h"

static Theta theta_weights(real h, real r, const MethodParams *m) { return theta_first_order(h, ZERO + 0.5); }
