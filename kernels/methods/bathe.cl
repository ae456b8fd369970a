//: method: bathe
//: title: Composite method of Bathe with a spectral radius at infinity
//: source: "Bathe and Baig 2005; Noh and Bathe 2019, eq. 1-8 with the splitting ratio of equal stiffness matrices"
//: order: 2
//: unknown: velocity
//: stages: 2
//: scratch: [x_g, v_g]
//: rho_infinity: rho_inf
//: critical: infinite
//: parameters:
//:   rho_inf: {default: 0, min: 0, max: 1, unit: "1", about: "spectral radius at infinite frequency; 0 is Bathe's first method and tr_bdf2"}
//: equations:
//:   - g = 2/(2 + sqrt(2 + 2*rho_inf))
//:   - q1 = (rho_inf + 1)/(2*g*(rho_inf - 1) + 4)
//:   - q0 = (g - 1)*q1 + 1/2
//:   - q2 = 1/2 - g*q1
//:   - solve v_g
//:   - x_g = x + g*h/2*(v + v_g)
//:   - v_g = v + g*h/2*(accel(t, x, v) + accel(t + g*h, x_g, v_g))
//:   - solve v1
//:   - x1 = x + h*(q0*v + q1*v_g + q2*v1)
//:   - v1 = v + h*(q0*accel(t, x, v) + q1*accel(t + g*h, x_g, v_g) + q2*accel(t + h, x1, v1))

// With g = (2 - sqrt(2 + 2 rho))/(1 - rho), written without its pole at rho = 1: y_g by the trapezoidal rule, then
// y_{n+1} = y_n + h (q0 y'_n + q1 y'_g + q2 y'_{n+1}), q1 = (rho + 1)/(2 g (rho - 1) + 4), q0 = (g - 1) q1 + 1/2,
// q2 = 1/2 - g q1. At rho = 1 these are two trapezoidal steps of h/2.

#include "composite.h"

static Composite composite_weights(const MethodParams *m)
{
    const real rho = m->rho_inf;
    Composite  w;
    w.g = 2.0 / (2.0 + real_sqrt(2.0 + 2.0 * rho));
    w.w0 = ONE;
    w.w1 = ZERO;
    w.d1 = (rho + 1.0) / (2.0 * w.g * (rho - 1.0) + 4.0);
    w.d0 = (w.g - 1.0) * w.d1 + 0.5;
    w.d2 = 0.5 - w.g * w.d1;
    return w;
}
