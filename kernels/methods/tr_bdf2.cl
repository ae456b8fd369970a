//: method: tr_bdf2
//: title: Trapezoidal rule to an inner point, then BDF2
//: source: "Bank et al. 1985; Hosea and Shampine 1996"
//: conventions: "gamma is the inner point; at its default 2 - sqrt(2) the map is that of bathe at rho_inf 0"
//: order: 2
//: first_order: true
//: unknown: velocity
//: stages: 2
//: scratch: [x_g, v_g]
//: rho_infinity: "0"
//: critical: infinite
//: parameters:
//:   gamma: {default: 0.5857864376269049, above: 0, below: 1, unit: "1", about: "where the trapezoidal rule ends, as part of the step"}
//: equations:
//:   - b = 1 - gamma
//:   - c = 2 - gamma
//:   - solve v_g
//:   - x_g = x + gamma*h/2*(v + v_g)
//:   - v_g = v + gamma*h/2*(accel(t, x, v) + accel(t + gamma*h, x_g, v_g))
//:   - solve v1
//:   - x1 = x_g/(gamma*c) - b^2/(gamma*c)*x + b/c*h*v1
//:   - v1 = v_g/(gamma*c) - b^2/(gamma*c)*v + b/c*h*accel(t + h, x1, v1)

// y_{n+1} = y_g/(g (2 - g)) - (1 - g)^2/(g (2 - g)) y_n + h (1 - g)/(2 - g) y'_{n+1}: BDF2 on the points t, t + g h, t
// + h.

#include "composite.h"

static Composite composite_weights(const MethodParams *m)
{
    const real g = m->gamma, per = 1.0 / (g * (2.0 - g));
    Composite  w;
    w.g = g;
    w.w0 = -(1.0 - g) * (1.0 - g) * per;
    w.w1 = per;
    w.d0 = ZERO;
    w.d1 = ZERO;
    w.d2 = (1.0 - g) / (2.0 - g);
    return w;
}
