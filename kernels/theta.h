// theta.h -- the theta family (Wu 2018, eq. 11-14): a method of it only names its weights.
//
// The unknown is u = v_{n+1}. With a = accel(t_n, x_n, v_n),
//
//     x_{n+1} = X + c u,   X = x_n + e v_n + d (x_n - x_{n-1}),
//     u = W + c accel(t_{n+1}, X + c u, u),   W = v_n + e a + d (v_n - v_{n-1}).

#include "velocity.h"

typedef struct Theta {
    real c, d, e;
} Theta;

static Theta theta_weights(real h, real r, const MethodParams *m);

// Eq. 14; also the start of the second-order method: theta1 = 1/2 is the trapezoidal rule, 1 backward Euler.
static Theta theta_first_order(real h, real theta1)
{
    Theta w;
    w.c = h * theta1;
    w.d = ZERO;
    w.e = h * (1.0 - theta1);
    return w;
}

#if HISTORY
// Eq. 12: theta = 0 is the trapezoidal rule, 1 is BDF2. A substep without a point behind it (r = 0) starts with the
// first-order method at 1/2 + theta/50 (section 2.3.3), or at 1/2. `start: variable` leaves that to the very first
// step, and blends the trapezoidal rule with BDF2 for unequal steps,
//
//     y_{n+1} = y_n + r^2/(1 + 2 r) (y_n - y_{n-1}) + h (1 + r)/(1 + 2 r) y'_{n+1},   r = h/(t_n - t_{n-1}),
//
// which is of second order whatever r: the damped first substep on {t_{i-1}, t_i, t_{i+1/2}} that section 4.1 asks for.
static Theta theta_second_order(real h, real r, real theta)
{
    const mask  fresh = r == ZERO;
    const Theta one = theta_first_order(h, START == START_TRAPEZOIDAL ? ZERO + 0.5 : 0.5 + theta / 50.0);
    Theta       w;
#if START == START_VARIABLE
    const real per = 1.0 / (1.0 + 2.0 * r);
    const real c = h * (0.5 * (1.0 - theta) + theta * (1.0 + r) * per), d = theta * r * r * per;
#else
    const real c = h * (0.5 + theta / 6.0), d = theta / 3.0;
#endif
    w.c = choose(fresh, one.c, c);
    w.d = choose(fresh, ZERO, d);
    w.e = choose(fresh, one.e, h * 0.5 * (1.0 - theta));
    return w;
}
#endif

static void start(const Params *p, const MethodParams *m, State *s)
{
#if HISTORY
    EACH_DOF(i) {
        s->x_prev[i] = s->x[i];
        s->v_prev[i] = s->v[i];
    }
#endif
}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    const Theta w = theta_weights(h, r, m);
    real        a[DOF];
    acceleration(t, s->x, s->v, p, a);
    k->t = t + h;
    k->A = ONE;
    k->q = w.c;
    k->cx = w.c;
    k->cv = ONE;
#if EXTRAPOLATED
    EACH_DOF(i)
        k->a[i] = a[i];
#endif
    EACH_DOF(i) {
        k->V[i] = ZERO;
        k->X[i] = real_fma(w.e, s->v[i], s->x[i]);
        k->B[i] = real_fma(w.e, a[i], s->v[i]);
#if HISTORY
        k->X[i] = real_fma(w.d, s->x[i] - s->x_prev[i], k->X[i]);
        k->B[i] = real_fma(w.d, s->v[i] - s->v_prev[i], k->B[i]);
#endif
    }
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    EACH_DOF(i) {
        s->x[i] = real_fma(k->cx, u[i], k->X[i]);
        s->v[i] = u[i];
    }
}
