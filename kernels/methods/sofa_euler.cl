//: method: sofa_euler
//: title: Linearised backward Euler with Rayleigh damping
//: source: "Baraff and Witkin 1998; Degletagne 2015 (SOFA), section 2.2"
//: conventions: "x_{n+1} = x_n + h v_{n+1}, not x_n + h v_n as printed; F_ext is all of the force but the Rayleigh damping"
//: order: 1
//: unknown: velocity
//: solver: linearised
//: rho_infinity: "0"
//: critical: "infinite for z <= 1, 2 (z - sqrt(z^2 - 1)) above, z = zeta - r_m/(2 omega) - r_k omega/2"
//: parameters:
//:   r_m: {default: 0, min: 0, unit: 1/s, about: "Rayleigh damping by mass, -r_m M v"}
//:   r_k: {default: 0, min: 0, unit: s, about: "Rayleigh damping by stiffness, -r_k K v"}
//: equations:
//:   - solve v1
//:   - x1 = x + h*v1
//:   - (1 + h*r_m)*v1 = v + h*accel(t, x + (h + r_k)*v1, v)

// With F = accel(t_n, x_n, v_n) and K = -dF/dx there, section 2.2 is
//
//     [(1 + h r_m) I + h (h + r_k) K] v_{n+1} = v_n + h F,
//
// one update from u = 0 of (1 + h r_m) u - v_n - h accel(t_n, x_n + (h + r_k) u, v_n) = 0. A velocity in the force is
// the old one, so that damping in the problem is explicit: that of r_m and r_k is not.

#include "newton.h"

static void start(const Params *p, const MethodParams *m, State *s) {}

static void guess(real h, const State *s, const Stage *k, real u[DOF])
{
    EACH_DOF(i)
        u[i] = ZERO;
}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    k->t = t;
    k->A = 1.0 + h * m->r_m;
    k->q = h;
    k->cx = h + m->r_k;
    k->cv = ZERO;
    EACH_DOF(i) {
        k->B[i] = s->v[i];
        k->X[i] = s->x[i];
        k->V[i] = s->v[i];
    }
}

// The size of the numbers that are rounded on the way to the residual.
static real magnitude(real h, const State *s, const real u[DOF], int i)
{
    return real_abs(s->x[i]) + h * real_abs(s->v[i]);
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    EACH_DOF(i) {
        s->x[i] = real_fma(h, u[i], s->x[i]);
        s->v[i] = u[i];
    }
}
