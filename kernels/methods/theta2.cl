//: method: theta2
//: title: Second-order theta method, from the trapezoidal rule to BDF2
//: source: Wu 2018, eq. 10-13
//: order: 2
//: first_order: true
//: unknown: velocity
//: extrapolates: true
//: history: true
//: critical: infinite
//: rho_infinity: 3*(1 - theta)/(3 + theta)
//: parameters:
//:   theta: {default: 0.07, min: 0, max: 1, unit: "1", about: "0 is the trapezoidal rule, 1 is BDF2"}
//: equations:
//:   - r = h/h_prev
//:   - trapezoid = (1 - theta)/2
//:   - back = theta*r^2/(1 + 2*r)
//:   - new = trapezoid + theta*(1 + r)/(1 + 2*r)
//:   - solve v1
//:   - x1 = x + h*(trapezoid*v + new*v1) + back*(x - x_prev)
//:   - v1 = v + h*(trapezoid*accel(t, x, v) + new*accel(t + h, x1, v1)) + back*(v - v_prev)
//: equations_first:
//:   - theta1 = 1/2 + starter*theta/50
//:   - solve v1
//:   - x1 = x + h*((1 - theta1)*v + theta1*v1)
//:   - v1 = v + h*((1 - theta1)*accel(t, x, v) + theta1*accel(t + h, x1, v1))

#include "theta.h"

static Theta theta_weights(real h, real r, const MethodParams *m) { return theta_second_order(h, r, m->theta); }
