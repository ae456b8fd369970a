//: method: hht_alpha
//: title: Alpha method of Hilber, Hughes and Taylor
//: source: Hilber, Hughes and Taylor 1977; Chung and Hulbert 1993, section 3
//: conventions: alpha <= 0 is the weight of the force's lag, alpha_f = -alpha; OpenSees' alpha is 1 + ours, Abaqus' is ours
//: order: 2
//: unknown: acceleration
//: state: [a]
//: extrapolates: true
//: guess_state: [a_1, a_2]
//: rho_infinity: "max((1 + alpha)/(1 - alpha), -alpha/(1 + alpha))"
//: critical: "infinite at 2 beta >= gamma >= 1/2 - alpha, as by alpha alone"
//: parameters:
//:   alpha: {default: -0.1, min: -0.5, max: 0, unit: "1", about: "0 is the trapezoidal rule, -1/3 damps high frequencies most"}
//:   gamma: {default: equations, min: 0, max: 2, unit: "1", about: "weight of the new acceleration in v; order 1 unless 1/2 - alpha"}
//:   beta: {default: equations, min: 0, max: 2, unit: "1", about: weight of the new acceleration in x}
//: equations:
//:   - alpha_f = -alpha
//:   - gamma = 1/2 - alpha
//:   - beta = (1 - alpha)^2/4
//:   - solve a1
//:   - x1 = x + h*v + h^2*((1/2 - beta)*a + beta*a1)
//:   - v1 = v + h*((1 - gamma)*a + gamma*a1)
//:   - a1 = accel(t + (1 - alpha_f)*h, (1 - alpha_f)*x1 + alpha_f*x, (1 - alpha_f)*v1 + alpha_f*v)
//: equations_start:
//:   - a = accel(t, x, v)

#include "alpha.h"

static Alpha alpha_weights(const MethodParams *m)
{
    Alpha w;
    w.am = ZERO;
    w.af = -m->alpha;
    w.gamma = GIVEN_OR(gamma, 0.5 - m->alpha);
    w.beta = GIVEN_OR(beta, 0.25 * (1.0 - m->alpha) * (1.0 - m->alpha));
    return w;
}
