//: method: variational_implicit
//: title: Variational implicit integrator in position and momentum
//: source: "Kharevych et al. 2006; Degletagne 2015 (SOFA), section 4.2 with alpha = 1/2"
//: conventions: "v is the momentum over the mass, at t_n; SOFA reports the velocity at mid-step"
//: order: 2
//: unknown: velocity
//: rho_infinity: 1
//: critical: infinite
//: conserves: symplectic, quadratic invariants
//: equations:
//:   - solve w
//:   - x1 = x + h*w
//:   - v1 = 2*w - v
//:   - w = v + h/2*accel(t + h/2, x + h/2*w, w)

// Section 4.2 solves (4 M/h^2 - K) res = f(q_mid) - K res + 2 p/h for the half step res = q_mid - q_n by turns, which
// is Newton's method for w = 2 res/h, the velocity at mid-step:
//
//     w - p_n - (h/2) f(x_n + (h/2) w, w) = 0,   x_{n+1} = x_n + h w,   p_{n+1} = w + (h/2) f = 2 w - p_n.
//
// As printed, 4/h(2) stands for 4/h^2, the momentum update (M + h^2/4) v + (h/2) F lacks K, and the loop's last
// assignment is the wrong way round. The map is that of implicit_midpoint; the unknown, hence the stopping, is not.

#include "velocity.h"

static void start(const Params *p, const MethodParams *m, State *s) {}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    k->t = t + 0.5 * h;
    k->A = ONE;
    k->q = 0.5 * h;
    k->cx = 0.5 * h;
    k->cv = ONE;
    EACH_DOF(i) {
        k->B[i] = s->v[i];
        k->X[i] = s->x[i];
        k->V[i] = ZERO;
    }
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    EACH_DOF(i) {
        s->x[i] = real_fma(h, u[i], s->x[i]);
        s->v[i] = 2.0 * u[i] - s->v[i];
    }
}
