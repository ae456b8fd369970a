// theta.h -- the theta family (Wu 2018, eq. 11-14): a method of it only names its weights.
//
// The unknown is u = v_{n+1}. With a = accel(t_n, x_n, v_n),
//
//     x_{n+1} = X + c u,   X = x_n + e v_n + d (x_n - x_{n-1}),
//     u = W + c accel(t_{n+1}, X + c u, u),   W = v_n + e a + d (v_n - v_{n-1}).

#include "newton.h"

typedef struct Theta {
    real c, d, e;
} Theta;

static Theta theta_weights(real h, mask fresh, const MethodParams *m);

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
// Eq. 12: theta = 0 is the trapezoidal rule, 1 is BDF2. A fresh substep has no point behind it at its own spacing and
// starts with the first-order method at 1/2 + theta/50 (section 2.3.3), or at 1/2.
static Theta theta_second_order(real h, mask fresh, real theta)
{
    const Theta one = theta_first_order(h, START_TRAPEZOIDAL ? ZERO + 0.5 : 0.5 + theta / 50.0);
    Theta       w;
    w.c = choose(fresh, one.c, h * (0.5 + theta / 6.0));
    w.d = choose(fresh, ZERO, theta / 3.0);
    w.e = choose(fresh, one.e, h * 0.5 * (1.0 - theta));
    return w;
}
#endif

static void start(const Params *p, const MethodParams *m, State *s)
{
#if HISTORY
#pragma unroll
    for (int i = 0; i < DOF; ++i) {
        s->x_prev[i] = s->x[i];
        s->v_prev[i] = s->v[i];
    }
#endif
}

static void guess(const State *s, real u[DOF])
{
#pragma unroll
    for (int i = 0; i < DOF; ++i)
        u[i] = s->v[i];
}

static void prepare(real t, real h, mask fresh, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    const Theta w = theta_weights(h, fresh, m);
    real        a[DOF];
    acceleration(t, s->x, s->v, p, a);
    k->t = t + h;
    k->A = ZERO + 1.0;
    k->q = w.c;
    k->cx = w.c;
    k->cv = ZERO + 1.0;
#pragma unroll
    for (int i = 0; i < DOF; ++i) {
        k->V[i] = ZERO;
        k->X
        [i] = real_fma(w.e, s->v[i], s->x[i]);
        k->B[i] = real_fma(w.e, a[i], s->v[i]);
#if HISTORY
        k->X
        [i] = real_fma(w.d, s->x[i] - s->x_prev[i], k->X[i]);
        k->B[i] = real_fma(w.d, s->v[i] - s->v_prev[i], k->B[i]);
#endif
    }
}

// The size of what is rounded on the way to the residual.
static real magnitude(real h, const State *s, const real u[DOF]) { return norm(s->x) + h * norm(s->v); }

static void finish(real h, const real u[DOF], const Stage *k, const MethodParams *m, State *s)
{
#pragma unroll
    for (int i = 0; i < DOF; ++i) {
        s->x[i] = real_fma(k->cx, u[i], k->X[i]);
        s->v[i] = u[i];
    }
}
