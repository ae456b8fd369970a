//: method: wbz_alpha
//: title: Alpha method of Wood, Bossak and Zienkiewicz
//: source: Wood, Bossak and Zienkiewicz 1980; Chung and Hulbert 1993, section 3
//: conventions: alpha <= 0 is Chung and Hulbert's alpha_m, the weight of the old acceleration
//: order: 2
//: unknown: acceleration
//: state: [a]
//: extrapolates: true
//: guess_state: [a_1, a_2]
//: rho_infinity: "(1 + alpha)/(1 - alpha)"
//: critical: infinite
//: parameters:
//:   alpha: {default: -0.1, min: -1, max: 0, unit: "1", about: "0 is the trapezoidal rule, -1 annihilates high frequencies"}
//: equations:
//:   - gamma = 1/2 - alpha
//:   - beta = (1 - alpha)^2/4
//:   - solve a1
//:   - x1 = x + h*v + h^2*((1/2 - beta)*a + beta*a1)
//:   - v1 = v + h*((1 - gamma)*a + gamma*a1)
//:   - (1 - alpha)*a1 + alpha*a = accel(t + h, x1, v1)
//: equations_start:
//:   - a = accel(t, x, v)

#include "alpha.h"

static Alpha alpha_weights(const MethodParams *m)
{
    Alpha w;
    w.am = m->alpha;
    w.af = ZERO;
    w.gamma = 0.5 - m->alpha;
    w.beta = 0.25 * (1.0 - m->alpha) * (1.0 - m->alpha);
    return w;
}
