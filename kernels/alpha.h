// alpha.h -- the alpha family (Chung and Hulbert 1993; Wu 2018, eq. 3-9): a method of it only names its four weights.
//
// The unknown is u = a_{n+1}. The force is taken at the interpolated state, not interpolated itself, and u is kept as
// the next a_n without asking the force again; it lives at t_n + (am - af) h, which is why a change of step costs an
// order. An adaptive method keeps the jerk j too, by which it moves a_n there from t_n; it has its own start and end.

#define Q_IS_ONE 1
#include "newton.h"

typedef struct Alpha {
    real am, af, beta, gamma;
} Alpha;

static Alpha alpha_weights(const MethodParams *m);

// The acceleration with which a step begins, at t_n + (am - af) h.
static real alpha_first(real h, const Alpha *w, const State *s, int i)
{
#if ADAPTIVE
    return real_fma((w->am - w->af) * h, s->j[i], s->a[i]);
#else
    return s->a[i];
#endif
}

static void guess(real h, const State *s, const Stage *k, real u[DOF])
{
#if EXTRAPOLATED
    // The polynomial through as many accelerations as there are at this spacing, up to three: a_1 and a_2, of the two
    // steps before, are NaN where there are none.
    EACH_DOF(i) {
        const real slope = s->a[i] - s->a_1[i];
        const real straight = choose(is_finite(s->a_1[i]), s->a[i] + slope, s->a[i]);
        u[i] = choose(is_finite(s->a_2[i]), real_fma(ZERO + 3.0, slope, s->a_2[i]), straight);
    }
#else
    EACH_DOF(i)
        u[i] = s->a[i];
#endif
}

// Eq. 5 with eq. 3-4 and 6-9 inserted: (1 - am) u + am a_n = accel at the state between x_n (weight af) and x_{n+1}.
static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    const Alpha w = alpha_weights(m);
    const real  part = 1.0 - w.af;
    k->t = t + part * h;
    k->A = 1.0 - w.am;
    k->q = ONE;
    k->cx = part * w.beta * h * h;
    k->cv = part * w.gamma * h;
    EACH_DOF(i) {
        const real a = alpha_first(h, &w, s, i);
        k->B[i] = -w.am * a;
        k->X[i] = real_fma(part * h, real_fma(h * (0.5 - w.beta), a, s->v[i]), s->x[i]);
        k->V[i] = real_fma(part * h * (1.0 - w.gamma), a, s->v[i]);
    }
}

// The size of the numbers that are rounded on the way to the residual.
static real magnitude(real h, const State *s, const real u[DOF], int i)
{
    const real a = larger(real_abs(s->a[i]), real_abs(u[i]));
    return real_abs(s->x[i]) + h * real_abs(s->v[i]) + 0.5 * h * h * a;
}

// Eq. 3 and 4: moves a position and its velocity over a step with the accelerations a and u.
static void alpha_move(real h, const Alpha *w, real a, real u, real *x, real *v)
{
    const real slope = real_fma(h * (0.5 - w->beta), a, real_fma(h * w->beta, u, *v));
    *x = real_fma(h, slope, *x);
    *v = real_fma(h * (1.0 - w->gamma), a, real_fma(h * w->gamma, u, *v));
}

#if !ADAPTIVE
static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(START_TIME(p), s->x, s->v, p, s->a);
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    const Alpha w = alpha_weights(m);
    EACH_DOF(i) {
        alpha_move(h, &w, s->a[i], u[i], &s->x[i], &s->v[i]);
#if EXTRAPOLATED
        s->a_2[i] = s->a_1[i];
        s->a_1[i] = s->a[i];
#endif
        s->a[i] = u[i];
    }
}
#endif
