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
//: equations:
//:   - r = h/h_prev
//:   - back = r^2/(1 + 2*r)
//:   - new = (1 + r)/(1 + 2*r)
//:   - solve v1
//:   - x1 = x + new*h*v1 + back*(x - x_prev)
//:   - v1 = v + new*h*accel(t + h, x1, v1) + back*(v - v_prev)
//: equations_first:
//:   - theta1 = 1/2 + starter/50
//:   - solve v1
//:   - x1 = x + h*((1 - theta1)*v + theta1*v1)
//:   - v1 = v + h*((1 - theta1)*accel(t, x, v) + theta1*accel(t + h, x1, v1))

#include "theta.h"

static Theta theta_weights(real h, real r, const MethodParams *m) { return theta_second_order(h, r, ONE); }
