//: method: sdirk4_adaptive
//: title: Hairer and Wanner's diagonally implicit pair 4(3), substeps chosen by its error estimate
//: source: "Hairer and Wanner 1996, section IV.6, table 6.5"
//: order: 4
//: first_order: true
//: unknown: velocity
//: stages: 5
//: adaptive: true
//: state: [a, size_x, size_v]
//: scratch: [v_1, a_1, v_2, a_2, v_3, a_3, v_4, a_4, x_5, v_5, a_5]
//: parameters:
//:   rtol: {default: 1.0e-6, above: 0, max: 1, unit: "1", about: "error permitted per substep, relative to the size of x and v"}
//:   atol: {default: 1.0e-9, above: 0, unit: "1", about: "error permitted per substep beside that, relative to the largest that the component has been"}
//: equations_start:
//:   - a = accel(t, x, v)
//: equations:
//:   - solve v_1
//:   - x_1 = x + h/4*v_1
//:   - v_1 = v + h/4*accel(t + h/4, x_1, v_1)
//:   - a_1 = 4/h*(v_1 - v)
//:   - solve v_2
//:   - x_2 = x + h*(1/2*v_1 + 1/4*v_2)
//:   - v_2 = v + h*(1/2*a_1 + 1/4*accel(t + 3/4*h, x_2, v_2))
//:   - a_2 = 4/h*(v_2 - v) - 2*a_1
//:   - solve v_3
//:   - x_3 = x + h*(17/50*v_1 - 1/25*v_2 + 1/4*v_3)
//:   - v_3 = v + h*(17/50*a_1 - 1/25*a_2 + 1/4*accel(t + 11/20*h, x_3, v_3))
//:   - a_3 = 4/h*(v_3 - v) - 4*(17/50*a_1 - 1/25*a_2)
//:   - solve v_4
//:   - x_4 = x + h*(371/1360*v_1 - 137/2720*v_2 + 15/544*v_3 + 1/4*v_4)
//:   - v_4 = v + h*(371/1360*a_1 - 137/2720*a_2 + 15/544*a_3 + 1/4*accel(t + h/2, x_4, v_4))
//:   - a_4 = 4/h*(v_4 - v) - 4*(371/1360*a_1 - 137/2720*a_2 + 15/544*a_3)
//:   - solve v1
//:   - x1 = x + h*(25/24*v_1 - 49/48*v_2 + 125/16*v_3 - 85/12*v_4 + 1/4*v1)
//:   - v1 = v + h*(25/24*a_1 - 49/48*a_2 + 125/16*a_3 - 85/12*a_4 + 1/4*accel(t + h, x1, v1))
//:   - a1 = 4/h*(v1 - v) - 4*(25/24*a_1 - 49/48*a_2 + 125/16*a_3 - 85/12*a_4)
//:   - error_x = h*(1/4*v1 + 25/32*v_3 - 27/32*v_2 - 3/16*v_1)
//:   - error_v = h*(1/4*a1 + 25/32*a_3 - 27/32*a_2 - 3/16*a_1)

// L-stable, and the end of a substep is its last stage. All stages have the weight 1/4 of their own slope. A slope is
// found from the solution that it belongs to, never by an evaluation, which would magnify what the solve has left of
// its residual. a serves the sizes of components only.

#include "error.h"
#include "newton.h"

static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(ZERO, s->x, s->v, p, s->a);
    EACH_DOF(i)
        s->size_x[i] = s->size_v[i] = ZERO;
}

static void guess(real h, const State *s, const Stage *k, real u[DOF])
{
    EACH_DOF(i) {
        const real last[5] = {s->v[i], s->v_1[i], s->v_2[i], s->v_3[i], s->v_4[i]};
        u[i] = last[k->number];
    }
}

// The sum of weights times the slopes of the stages before.
static real before(const Stage *k, const real slopes[4])
{
    const SCALAR w[5][4] = {{0.0, 0.0, 0.0, 0.0},
                            {1.0 / 2.0, 0.0, 0.0, 0.0},
                            {17.0 / 50.0, -1.0 / 25.0, 0.0, 0.0},
                            {371.0 / 1360.0, -137.0 / 2720.0, 15.0 / 544.0, 0.0},
                            {25.0 / 24.0, -49.0 / 48.0, 125.0 / 16.0, -85.0 / 12.0}};
    real         sum = ZERO;
    for (int j = 0; j < k->number; ++j)
        sum = real_fma(ZERO + w[k->number][j], slopes[j], sum);
    return sum;
}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    const SCALAR c[5] = {1.0 / 4.0, 3.0 / 4.0, 11.0 / 20.0, 1.0 / 2.0, 1.0};
    k->A = ONE;
    k->cx = k->q = 0.25 * h;
    k->cv = ONE;
    k->t = t + c[k->number] * h;
    EACH_DOF(i) {
        const real v[4] = {s->v_1[i], s->v_2[i], s->v_3[i], s->v_4[i]};
        const real a[4] = {s->a_1[i], s->a_2[i], s->a_3[i], s->a_4[i]};
        k->V[i] = ZERO;
        k->X[i] = real_fma(h, before(k, v), s->x[i]);
        k->B[i] = real_fma(h, before(k, a), s->v[i]);
    }
}

// The size of the numbers that are rounded on the way to the residual.
static real magnitude(real h, const State *s, const real u[DOF], int i)
{
    return real_abs(s->x[i]) + h * real_abs(s->v[i]);
}

static void keep_stage(const real u[DOF], const Stage *k, real v[DOF], real a[DOF])
{
    EACH_DOF(i) {
        v[i] = u[i];
        a[i] = (u[i] - k->B[i]) / k->q;
    }
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    switch (k->number) {
    case 0: keep_stage(u, k, s->v_1, s->a_1); break;
    case 1: keep_stage(u, k, s->v_2, s->a_2); break;
    case 2: keep_stage(u, k, s->v_3, s->a_3); break;
    case 3: keep_stage(u, k, s->v_4, s->a_4); break;
    default:
        keep_stage(u, k, s->v_5, s->a_5);
        EACH_DOF(i)
            s->x_5[i] = real_fma(k->cx, u[i], k->X[i]);
    }
}

// Its difference from the formula of third order.
static real difference(real h, real first, real second, real third, real last)
{
    return h * (0.25 * last + 25.0 / 32.0 * third - 27.0 / 32.0 * second - 3.0 / 16.0 * first);
}

// Largest over the components of |difference of the two orders|/(atol size + rtol max(|old|, |new|)).
static real trial(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real worst = ZERO;
    EACH_DOF(i) {
        const real error_x = difference(h, s->v_1[i], s->v_2[i], s->v_3[i], s->v_5[i]),
                   error_v = difference(h, s->a_1[i], s->a_2[i], s->a_3[i], s->a_5[i]);
        worst = worse(worst, error_share(i, h, m, s->x_5[i], s->v_5[i], error_x, error_v, s));
        s->x[i] = s->x_5[i];
        s->v[i] = s->v_5[i];
        s->a[i] = s->a_5[i];
    }
    return worst;
}
