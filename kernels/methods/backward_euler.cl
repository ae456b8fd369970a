//: method: backward_euler
//: title: Backward Euler
//: source: Wu 2018, eq. 14 with theta = 1; Fang 2018 (TR-2018-01), eq. 15-16
//: order: 1
//: first_order: true
//: unknown: velocity
//: extrapolates: true
//: critical: infinite
//: rho_infinity: "0"
//: equations:
//:   - solve v1
//:   - x1 = x + h*v1
//:   - v1 = v + h*accel(t + h, x1, v1)

#include "theta.h"

static Theta theta_weights(real h, real r, const MethodParams *m) { return theta_first_order(h, ONE); }
