//: method: generalized_alpha_adaptive
//: title: Generalized-alpha method, substeps chosen by Zienkiewicz and Xie's error estimate
//: source: "Chung and Hulbert 1993; Zienkiewicz and Xie 1991, for alpha methods as derived below"
//: conventions: "with equal substeps the map of generalized_alpha; the error of the position alone is estimated"
//: order: 2
//: error_order: 3
//: unknown: acceleration
//: adaptive: true
//: state: [a, j, size_x, size_v]
//: scratch: [x_1, v_1, a_1, j_1, e]
//: parameters:
//:   rho_inf: {default: 0.6, min: 0, max: 1, unit: "1", about: spectral radius at infinite frequency}
//:   rtol: {default: 1.0e-4, above: 0, max: 1, unit: "1", about: "error permitted per substep, relative to the size of x"}
//:   atol: {default: 1.0e-7, above: 0, unit: "1", about: "error permitted per substep beside that, relative to the largest that the component has been"}
//: equations_start:
//:   - a = accel(t, x, v)
//:   - j = 0*a
//: equations:
//:   - alpha_m = (2*rho_inf - 1)/(rho_inf + 1)
//:   - alpha_f = rho_inf/(rho_inf + 1)
//:   - gamma = 1/2 - alpha_m + alpha_f
//:   - beta = (1 - alpha_m + alpha_f)^2/4
//:   - a_s = a + (alpha_m - alpha_f)*h*j
//:   - solve a_e
//:   - x1 = x + h*v + h^2*((1/2 - beta)*a_s + beta*a_e)
//:   - v1 = v + h*((1 - gamma)*a_s + gamma*a_e)
//:   - (1 - alpha_m)*a_e + alpha_m*a_s = accel(t + (1 - alpha_f)*h, (1 - alpha_f)*x1 + alpha_f*x, (1 - alpha_f)*v1 + alpha_f*v)
//:   - j1 = (a_e - a_s)/h
//:   - a1 = a_e - (alpha_m - alpha_f)*(a_e - a_s)
//:   - error_x = h^2*(beta - 1/6 + (alpha_m - alpha_f)/2)/(1 - alpha_f)*((1 - alpha_m)*a_e + alpha_m*a_s - a)
//:   - error_v = 0*v

// The accelerations of alpha methods live beside the ends of a step, at t_n + s h with s = alpha_m - alpha_f. Where the
// next substep has another length that costs an order, so a is moved to the end along the jerk j, and to t_n + s h of
// the next substep along it: with equal substeps this is the method of Chung and Hulbert.
//
// The position's error over a substep is h^3 x'''/6 less what the method has of it, beta h^3 x''' + s h^3 x'''/2
// (Zienkiewicz and Xie's, of Newmark's method, is without s). x''' is the difference of the acceleration that the
// balance asks for, at t + (1 - alpha_f) h, and the one at the start: it is there in the first substep too.

#include "alpha.h"
#include "error.h"

static Alpha alpha_weights(const MethodParams *m)
{
    Alpha w;
    w.am = (2.0 * m->rho_inf - 1.0) / (m->rho_inf + 1.0);
    w.af = m->rho_inf / (m->rho_inf + 1.0);
    w.gamma = 0.5 - (w.am - w.af);
    w.beta = 0.25 * (1.0 - (w.am - w.af)) * (1.0 - (w.am - w.af));
    return w;
}

static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(START_TIME(p), s->x, s->v, p, s->a);
    EACH_DOF(i)
        s->j[i] = s->size_x[i] = s->size_v[i] = ZERO;
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    const Alpha w = alpha_weights(m);
    EACH_DOF(i) {
        const real a = alpha_first(h, &w, s, i), moved = u[i] - a;
        s->x_1[i] = s->x[i];
        s->v_1[i] = s->v[i];
        alpha_move(h, &w, a, u[i], &s->x_1[i], &s->v_1[i]);
        s->j_1[i] = moved / h;
        s->a_1[i] = real_fma(-(w.am - w.af), moved, u[i]);
        s->e[i] = real_fma(1.0 - w.am, u[i], w.am * a) - s->a[i];
    }
}

// Largest over the positions of |error|/(atol size + rtol max(|old|, |new|)).
static real trial(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    const Alpha w = alpha_weights(m);
    const real  part = h * h * (w.beta - 1.0 / 6.0 + 0.5 * (w.am - w.af)) / (1.0 - w.af);
    real        worst = ZERO;
    EACH_DOF(i) {
        worst = worse(worst, error_share(i, h, m, s->x_1[i], s->v_1[i], part * s->e[i], ZERO, s));
        s->x[i] = s->x_1[i];
        s->v[i] = s->v_1[i];
        s->a[i] = s->a_1[i];
        s->j[i] = s->j_1[i];
    }
    return worst;
}
