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
//: rho_infinity: "the largest |z| of beta z^2 - (2 beta - gamma - 1/2) z + beta - gamma + 1/2 = 0, at beta > 0"
//: parameters:
//:   beta:  {default: 0.25, min: 0, max: 1, unit: "1", about: "weight of the new acceleration in x"}
//:   gamma: {default: 0.5, min: 0, max: 1.5, unit: "1", about: "weight of the new acceleration in v; first order unless 1/2"}

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
