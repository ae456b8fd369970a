//: method: incremental_newmark
//: title: Newmark's method as a minimum
//: source: "Kane, Marsden, Ortiz and West 2000; Chern 2024 (CSE 291), \"Newmark algorithm\""
//: conventions: "beta weighs the incremental potential; a = -M^-1 dU, with the opposite sign of what is printed"
//: order: 2
//: order_damped: 1
//: unknown: velocity
//: solver: line_search
//: state: [a]
//: needs: [potential, masses]
//: rho_infinity: "1 at beta 1/4 and gamma 1/2"
//: critical: "infinite at 2 beta >= gamma >= 1/2, sqrt(4 zeta^2 + 2/(gamma - 2 beta)) - 2 zeta at a smaller beta"
//: parameters:
//:   beta:  {default: 0.25, min: 0, max: 1, unit: "1", about: "weight of the new acceleration in x; 0 is explicit in x"}
//:   gamma: {default: 0.5, min: 0, max: 1, unit: "1", about: "weight of the new acceleration in v; first order unless 1/2"}
//: equations:
//:   - w = v + h*(1/2 - beta)*a
//:   - solve u
//:   - x1 = x + h*u
//:   - a1 = accel(t + h, x1, u)
//:   - v1 = v + h*((1 - gamma)*a + gamma*a1)
//:   - u = w + beta*h*accel(t + h, x1, u)
//: equations_start:
//:   - a = accel(t, x, v)

// x_{n+1} = argmin |x - x_pred|_M^2/(2 h^2) + beta [U(x) + h R(x_n, (x - x_n)/h)] about the prediction
// x_pred = x_n + h v_n + (h^2/2) (1 - 2 beta) a_n. The new acceleration is minus the gradient of the bracket, so that a
// damping force sees the mean velocity of the step: the reason why damping costs an order. The unknown is
// u = (x_{n+1} - x_n)/h, and a_{n+1} = (u - w)/(beta h) by the equation of the minimum: the force at x_{n+1} would
// carry Omega^2 of its rounding. At beta = 0 the minimum is the prediction, found by one update, and only the force is
// left.

#include "incremental.h"

static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(START_TIME(p), s->x, s->v, p, s->a);
}

static real incremental_weight(const MethodParams *m) { return m->beta; }

static real incremental_velocity(real h, const State *s, const MethodParams *m, int i)
{
    return real_fma(h * (0.5 - m->beta), s->a[i], s->v[i]);
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    const mask free = k->q == ZERO;
    const real weight = choose(free, ONE, k->q);
    real       a[DOF];
    EACH_DOF(i)
        s->x[i] = real_fma(h, u[i], s->x[i]);
    acceleration(t + h, s->x, u, p, a);
    EACH_DOF(i) {
        a[i] = choose(free, a[i], (u[i] - k->B[i]) / weight);
        s->v[i] = real_fma(h * (1.0 - m->gamma), s->a[i], real_fma(h * m->gamma, a[i], s->v[i]));
        s->a[i] = a[i];
    }
}
