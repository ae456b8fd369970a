//: method: theta1
//: title: First-order theta method, from the trapezoidal rule to backward Euler
//: source: Wu 2018, eq. 14
//: order: 1
//: first_order: true
//: unknown: velocity
//: extrapolates: true
//: critical: infinite
//: rho_infinity: (1 - theta1)/theta1
//: parameters:
//:   theta1: {default: 0.55, min: 0.5, max: 1, unit: "1", about: "weight of the new point; 1/2 is the trapezoidal rule, 1 backward Euler"}
//: equations:
//:   - solve v1
//:   - x1 = x + h*((1 - theta1)*v + theta1*v1)
//:   - v1 = v + h*((1 - theta1)*accel(t, x, v) + theta1*accel(t + h, x1, v1))

#include "theta.h"

static Theta theta_weights(real h, real r, const MethodParams *m) { return theta_first_order(h, m->theta1); }
