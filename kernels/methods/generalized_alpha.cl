//: method: generalized_alpha
//: title: Generalized-alpha method of Chung and Hulbert
//: source: Chung and Hulbert 1993; Wu 2018, eq. 3-9
//: conventions: alpha_m and alpha_f weigh the old state; PETSc and OpenSees weigh the new one (theirs = 1 - ours)
//: order: 2
//: unknown: acceleration
//: state: [a]
//: extrapolates: true
//: guess_state: [a_1, a_2]
//: critical: infinite
//: rho_infinity: rho_inf
//: parameters:
//:   rho_inf: {default: 0.6, min: 0, max: 1, unit: "1", about: spectral radius at infinite frequency}
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
    w.am = (2.0 * m->rho_inf - 1.0) / (m->rho_inf + 1.0);
    w.af = m->rho_inf / (m->rho_inf + 1.0);
    w.gamma = 0.5 - w.am + w.af;
    w.beta = 0.25 * (1.0 - w.am + w.af) * (1.0 - w.am + w.af);
    return w;
}
