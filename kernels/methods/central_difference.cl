//: method: central_difference
//: title: Central differences with half-step velocities
//: source: "Degletagne 2015 (SOFA), section 6, with the half-kick start that it lacks; Newmark 1959 at beta 0, gamma 1/2"
//: conventions: "v is the velocity at t_n; SOFA keeps and reports v_{n-1/2}. Without the half kick the scheme is symplectic_euler"
//: order: 2
//: unknown: velocity
//: critical: "2"
//: conserves: symplectic without damping
//: parameters:
//:   r_m: {default: 0, min: 0, unit: 1/s, about: "Rayleigh damping by mass: -r_m v is added to the acceleration"}
//: equations:
//:   - half = v + h/2*(accel(t, x, v) - r_m*v)
//:   - x1 = x + h*half
//:   - solve v1
//:   - v1 = half + h/2*(accel(t + h, x1, v1) - r_m*v1)

// v_{n+1/2} = v_n + (h/2) (a_n - r_m v_n) and x_{n+1} = x_n + h v_{n+1/2}; then u = v_{n+1} solves
//
//     u = v_{n+1/2} + (h/2) (accel(t_{n+1}, x_{n+1}, u) - r_m u),
//
// in one update where the acceleration does not depend on the velocity. Eliminating v_n gives the form of section 6,
// v_{n+1/2} = [(1 - r_m h/2) v_{n-1/2} + h a_n]/(1 + r_m h/2). Damping is centred, which makes the limit 2 for every
// zeta.

#include "velocity.h"

static void start(const Params *p, const MethodParams *m, State *s) {}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    real a[DOF];
    acceleration(t, s->x, s->v, p, a);
    k->t = t + h;
    k->A = 1.0 + 0.5 * h * m->r_m;
    k->q = 0.5 * h;
    k->cx = ZERO;
    k->cv = ONE;
    EACH_DOF(i) {
        k->B[i] = real_fma(0.5 * h, a[i] - m->r_m * s->v[i], s->v[i]);
        k->X[i] = real_fma(h, k->B[i], s->x[i]);
        k->V[i] = ZERO;
    }
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    EACH_DOF(i) {
        s->x[i] = k->X[i];
        s->v[i] = u[i];
    }
}
