//: method: sofa_newmark
//: title: Newmark's method linearised once per step, with Rayleigh damping
//: source: "Degletagne 2015 (SOFA), section 3"
//: conventions: "beta weighs a_{n+1} in x, gamma in v; F_ext is all of the force but the Rayleigh damping"
//: order: 2
//: order_damped: 1
//: order_driven: 1
//: unknown: acceleration
//: solver: linearised
//: state: [a]
//: rho_infinity: "1 at beta 1/4, gamma 1/2 and zeta 0"
//: critical: "at beta 1/4 and gamma 1/2 infinite for zeta = 0, 2 (sqrt(1 + zeta^2) - zeta) for zeta > 0 and r_m = r_k = 0"
//: parameters:
//:   beta:  {default: 0.25, above: 0, max: 1, unit: "1", about: "weight of the new acceleration in x"}
//:   gamma: {default: 0.5, min: 0, max: 1, unit: "1", about: "weight of the new acceleration in v; first order unless 1/2"}
//:   r_m:   {default: 0, min: 0, unit: 1/s, about: "Rayleigh damping by mass, -r_m M v"}
//:   r_k:   {default: 0, min: 0, unit: s, about: "Rayleigh damping by stiffness, -r_k K v"}
//: equations:
//:   - solve a1
//:   - x1 = x + h*v + h^2*((1/2 - beta)*a + beta*a1)
//:   - v1 = v + h*((1 - gamma)*a + gamma*a1)
//:   - a1 + r_m*v1 = accel(t, x1 + r_k*v1, v)
//: equations_start:
//:   - a = accel(t, x, v) - r_m*v - r_k*stiff(t, x, v)

// With F = accel(t_n, x_n, v_n), K = -dF/dx there, and
//
//     d = (h + r_k) v_n + (h^2 (1/2 - beta) + h r_k (1 - gamma)) a_n,
//
// section 3 is [(1 + h gamma r_m) I + (h^2 beta + h gamma r_k) K] a_{n+1} = F - K d - r_m (v_n + h (1 - gamma) a_n):
// one update from the u at which x_n + d + (h^2 beta + h gamma r_k) u is x_n. A velocity or a time in the force is the
// old one: damping in the problem, or a drive, is explicit and costs an order; the damping of r_m and r_k does not.

#define Q_IS_ONE 1
#include "newton.h"

// The time in which the first coordinate would move by its own size, as fast as it is; where none has both, in which
// the first velocity would change so.
static real own_time(const State *s)
{
    real moved = ZERO, changed = ZERO;
    EACH_DOF(i) {
        const real x = real_abs(s->x[i]), v = real_abs(s->v[i]), a = real_abs(s->a[i]);
        moved = larger(moved, choose(x > ZERO, v / x, ZERO));
        changed = larger(changed, choose(v > ZERO, a / v, ZERO));
    }
    const real rate = choose(moved > ZERO, moved, changed);
    return choose(rate > ZERO, 1.0 / rate, ONE);
}

// a_0 has the Rayleigh damping in it, as every later a: without, one step of first order begins the motion. K v is a
// difference along v.
static void start(const Params *p, const MethodParams *m, State *s)
{
    real ahead[DOF], behind[DOF], a_ahead[DOF], a_behind[DOF];
    acceleration(START_TIME(p), s->x, s->v, p, s->a);
    const real part =
        RELATIVE ? CBRT_POWER * own_time(s) : CBRT_EPSILON * larger(norm(s->x), ONE) / larger(norm(s->v), ONE);
    EACH_DOF(i) {
        ahead[i] = real_fma(part, s->v[i], s->x[i]);
        behind[i] = real_fma(-part, s->v[i], s->x[i]);
    }
    acceleration(START_TIME(p), ahead, s->v, p, a_ahead);
    acceleration(START_TIME(p), behind, s->v, p, a_behind);
    EACH_DOF(i)
        s->a[i] = s->a[i] + m->r_k * (a_ahead[i] - a_behind[i]) / (2.0 * part) - m->r_m * s->v[i];
}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    k->t = t;
    k->A = 1.0 + h * m->gamma * m->r_m;
    k->q = ONE;
    k->cx = h * (h * m->beta + m->gamma * m->r_k);
    k->cv = ZERO;
    EACH_DOF(i) {
        const real kick = h * (1.0 - m->gamma) * s->a[i];
        k->B[i] = -m->r_m * (s->v[i] + kick);
        k->X[i] = s->x[i] + (h * (s->v[i] + h * (0.5 - m->beta) * s->a[i]) + m->r_k * (s->v[i] + kick));
        k->V[i] = s->v[i];
    }
}

static void guess(real h, const State *s, const Stage *k, real u[DOF])
{
    EACH_DOF(i)
        u[i] = (s->x[i] - k->X[i]) / k->cx;
}

// The size of the numbers that are rounded on the way to the residual.
static real magnitude(real h, const State *s, const real u[DOF], int i)
{
    const real a = larger(real_abs(s->a[i]), real_abs(u[i]));
    return real_abs(s->x[i]) + h * real_abs(s->v[i]) + 0.5 * h * h * a;
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    EACH_DOF(i) {
        const real slope = real_fma(h * (0.5 - m->beta), s->a[i], real_fma(h * m->beta, u[i], s->v[i]));
        s->x[i] = real_fma(h, slope, s->x[i]);
        s->v[i] = real_fma(h * (1.0 - m->gamma), s->a[i], real_fma(h * m->gamma, u[i], s->v[i]));
        s->a[i] = u[i];
    }
}
