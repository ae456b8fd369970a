//: method: sdirk2
//: title: Singly diagonally implicit Runge-Kutta method of two stages
//: source: "Alexander 1977"
//: order: 2
//: unknown: velocity
//: stages: 2
//: scratch: [x_1, v_1]
//: rho_infinity: "0"
//: critical: infinite
//: tableau:
//:   - 1 - 1/sqrt(2) | 1 - 1/sqrt(2)
//:   - 1  | 1/sqrt(2), 1 - 1/sqrt(2)
//:   - x1 | 1/sqrt(2), 1 - 1/sqrt(2)

#include "newton.h"

#define GAMMA 0.29289321881345254

static void start(const Params *p, const MethodParams *m, State *s)
{
}

static void guess(real h, const State *s, const Stage *k, real u[DOF])
{
    EACH_DOF(i)
    u[i] = k->number == 0 ? s->v[i] : s->v_1[i];
}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    real a[DOF];
    k->A = ONE;
    k->cv = ONE;
    k->cx = GAMMA * h;
    k->q = k->cx;
    k->t = k->number == 0 ? t + GAMMA * h : t + h;
    if (k->number == 1)
        acceleration(t + GAMMA * h, s->x_1, s->v_1, p, a);
    EACH_DOF(i)
    {
        k->V[i] = ZERO;
        k->X[i] = k->number == 0 ? s->x[i] : real_fma((1.0 - GAMMA) * h, s->v_1[i], s->x[i]);
        k->B[i] = k->number == 0 ? s->v[i] : real_fma((1.0 - GAMMA) * h, a[i], s->v[i]);
    }
}

static real magnitude(real h, const State *s, const real u[DOF], int i)
{
    return real_abs(s->x[i]) + h * real_abs(s->v[i]);
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    EACH_DOF(i)
    {
        const real x = real_fma(k->cx, u[i], k->X[i]);
        if (k->number == 0) {
            s->x_1[i] = x;
            s->v_1[i] = u[i];
        } else {
            s->x[i] = x;
            s->v[i] = u[i];
        }
    }
}
