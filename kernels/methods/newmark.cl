//: method: newmark
//: title: Newmark's method
//: source: Newmark 1959; Wu 2018, eq. 3-4 with alpha_m = alpha_f = 0
//: conventions: "beta weighs a_{n+1} in x, gamma in v: average acceleration is 1/4, 1/2"
//: order: 2
//: unknown: acceleration
//: state: [a]
//: extrapolates: true
//: guess_state: [a_1, a_2]
//: critical: "infinite at 2 beta >= gamma >= 1/2, (z + sqrt(c + z^2))/c at a smaller beta, c = gamma/2 - beta, z = zeta (gamma - 1/2)"
//: rho_infinity: "sqrt((abs(beta - gamma/2 - 1/4) + sqrt(max((gamma + 1/2)^2/4 - beta, 0)))^2 + max(beta - (gamma + 1/2)^2/4, 0))/beta"
//: parameters:
//:   beta:  {default: 0.25, min: 0, max: 1, unit: "1", about: "weight of the new acceleration in x"}
//:   gamma: {default: 0.5, min: 0, max: 1.5, unit: "1", about: "weight of the new acceleration in v; first order unless 1/2"}
//: equations:
//:   - solve a1
//:   - x1 = x + h*v + h^2*((1/2 - beta)*a + beta*a1)
//:   - v1 = v + h*((1 - gamma)*a + gamma*a1)
//:   - a1 = accel(t + h, x1, v1)
//: equations_start:
//:   - a = accel(t, x, v)

#include "alpha.h"

static Alpha alpha_weights(const MethodParams *m)
{
    Alpha w;
    w.am = ZERO;
    w.af = ZERO;
    w.gamma = m->gamma;
    w.beta = m->beta;
    return w;
}
