// composite.h -- one-step methods of two solves: the trapezoidal rule to t + g h, then a second formula to t + h.
//
// Either solve has the form of theta.h in the unknown u = v: x = X + c u, u = W + c accel(., X + c u, u). A method
// names g and the second formula,
//
//     y_{n+1} = w0 y_n + w1 y_g + h (d0 y'_n + d1 y'_g + d2 y'_{n+1}).

#include "newton.h"

typedef struct Composite {
    real g, w0, w1, d0, d1, d2;
} Composite;

static Composite composite_weights(const MethodParams *m);

static void start(const Params *p, const MethodParams *m, State *s) {}

static void guess(real h, const State *s, const Stage *k, real u[DOF])
{
    EACH_DOF(i)
        u[i] = k->number == 0 ? s->v[i] : s->v_g[i];
}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    const Composite w = composite_weights(m);
    real            a[DOF], a_g[DOF];
    acceleration(t, s->x, s->v, p, a);
    k->A = ONE;
    k->cv = ONE;
    if (k->number == 0) {
        k->t = t + w.g * h;
        k->cx = 0.5 * w.g * h;
        EACH_DOF(i) {
            k->X[i] = real_fma(k->cx, s->v[i], s->x[i]);
            k->B[i] = real_fma(k->cx, a[i], s->v[i]);
        }
    } else {
        acceleration(t + w.g * h, s->x_g, s->v_g, p, a_g);
        k->t = t + h;
        k->cx = w.d2 * h;
        EACH_DOF(i) {
            k->X[i] = real_fma(h, w.d0 * s->v[i] + w.d1 * s->v_g[i], w.w0 * s->x[i] + w.w1 * s->x_g[i]);
            k->B[i] = real_fma(h, w.d0 * a[i] + w.d1 * a_g[i], w.w0 * s->v[i] + w.w1 * s->v_g[i]);
        }
    }
    k->q = k->cx;
    EACH_DOF(i)
        k->V[i] = ZERO;
}

// The size of the numbers that are rounded on the way to the residual.
static real magnitude(real h, const State *s, const real u[DOF], int i)
{
    return real_abs(s->x[i]) + h * real_abs(s->v[i]);
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    if (k->number == 0) {
        EACH_DOF(i) {
            s->x_g[i] = real_fma(k->cx, u[i], k->X[i]);
            s->v_g[i] = u[i];
        }
    } else {
        EACH_DOF(i) {
            s->x[i] = real_fma(k->cx, u[i], k->X[i]);
            s->v[i] = u[i];
        }
    }
}
