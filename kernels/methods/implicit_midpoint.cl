//: method: implicit_midpoint
//: title: Implicit midpoint rule
//: source: Hairer, Lubich and Wanner 2006, section II.1; the title of "Implicit midpoint method" (2020), whose scheme is `trapezoidal`
//: order: 2
//: first_order: true
//: unknown: velocity
//: rho_infinity: 1
//: critical: infinite
//: conserves: symplectic, quadratic invariants
//: equations:
//:   - solve v1
//:   - x1 = x + h*(v + v1)/2
//:   - v1 = v + h*accel(t + h/2, (x + x1)/2, (v + v1)/2)

// With xm = (x_n + x_{n+1})/2 and vm likewise: x_{n+1} = x_n + h vm, v_{n+1} = v_n + h accel(t + h/2, xm, vm). The
// unknown is u = v_{n+1}, so that vm = (v_n + u)/2 and xm = x_n + (h/4) (v_n + u).

#include "velocity.h"

static void start(const Params *p, const MethodParams *m, State *s) {}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    k->t = t + 0.5 * h;
    k->A = ONE;
    k->q = h;
    k->cx = 0.25 * h;
    k->cv = ZERO + 0.5;
    EACH_DOF(i) {
        k->B[i] = s->v[i];
        k->X[i] = real_fma(0.25 * h, s->v[i], s->x[i]);
        k->V[i] = 0.5 * s->v[i];
    }
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    EACH_DOF(i) {
        s->x[i] = real_fma(0.5 * h, s->v[i] + u[i], s->x[i]);
        s->v[i] = u[i];
    }
}
