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
