//: method: generalized_alpha
//: title: Generalized-alpha method of Chung and Hulbert
//: source: Chung and Hulbert 1993; Wu 2018, eq. 3-9
//: conventions: "alpha_m and alpha_f weigh the old state as in Chung and Hulbert 1993; PETSc and OpenSees weigh the new one (theirs = 1 - ours)"
//: order: 2
//: unknown: acceleration
//: state: [a]
//: extrapolates: true
//: guess_state: [a_1, a_2]
//: critical: "infinite at 2 beta >= gamma >= 1/2 + max(alpha_f - alpha_m, 0), as by rho_inf"
//: rho_infinity: rho_inf
//: parameters:
//:   rho_inf: {default: 0.6, min: 0, max: 1, unit: "1", about: spectral radius at infinite frequency}
//:   alpha_m: {default: equations, min: -1, max: 0.5, unit: "1", about: weight of the old acceleration}
//:   alpha_f: {default: equations, min: 0, max: 0.5, unit: "1", about: weight of the old state in the force}
//:   gamma: {default: equations, min: 0, max: 2, unit: "1", about: "weight of the new acceleration in v; order 1 unless 1/2 - alpha_m + alpha_f"}
//:   beta: {default: equations, min: 0, max: 2, unit: "1", about: weight of the new acceleration in x}
//: equations:
//:   - alpha_m = (2*rho_inf - 1)/(rho_inf + 1)
//:   - alpha_f = rho_inf/(rho_inf + 1)
//:   - gamma = 1/2 - alpha_m + alpha_f
//:   - beta = (1 - alpha_m + alpha_f)^2/4
//:   - solve a1
//:   - x1 = x + h*v + h^2*((1/2 - beta)*a + beta*a1)
//:   - v1 = v + h*((1 - gamma)*a + gamma*a1)
//:   - (1 - alpha_m)*a1 + alpha_m*a = accel(t + (1 - alpha_f)*h, (1 - alpha_f)*x1 + alpha_f*x, (1 - alpha_f)*v1 + alpha_f*v)
//: equations_start:
//:   - a = accel(t, x, v)

#include "alpha.h"

static Alpha alpha_weights(const MethodParams *m)
{
    Alpha w;
    w.am = GIVEN_OR(alpha_m, (2.0 * m->rho_inf - 1.0) / (m->rho_inf + 1.0));
    w.af = GIVEN_OR(alpha_f, m->rho_inf / (m->rho_inf + 1.0));
    w.gamma = GIVEN_OR(gamma, 0.5 - w.am + w.af);
    w.beta = GIVEN_OR(beta, 0.25 * (1.0 - w.am + w.af) * (1.0 - w.am + w.af));
    return w;
}
