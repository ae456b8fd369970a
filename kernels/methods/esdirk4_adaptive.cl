//: method: esdirk4_adaptive
//: title: Kennedy and Carpenter's diagonally implicit pair 4(3) with an explicit first stage, substeps chosen by its error estimate
//: source: "Kennedy and Carpenter 2003, ARK4(3)6L[2]SA, the implicit part"
//: order: 4
//: first_order: true
//: unknown: velocity
//: stages: 5
//: adaptive: true
//: state: [a, size_x, size_v]
//: scratch: [v_2, a_2, v_3, a_3, v_4, a_4, v_5, a_5, x_6, v_6, a_6]
//: parameters:
//:   rtol: {default: 1.0e-6, above: 0, max: 1, unit: "1", about: "error permitted per substep, relative to the size of x and v"}
//:   atol: {default: 1.0e-9, above: 0, unit: "1", about: "error permitted per substep beside that, relative to the largest that the component has been"}
//: equations_start:
//:   - a = accel(t, x, v)
//: equations:
//:   - w_31 = 8611/62500
//:   - w_32 = 1743/31250
//:   - w_41 = 5012029/34652500
//:   - w_42 = 654441/2922500
//:   - w_43 = 174375/388108
//:   - w_51 = 15267082809/155376265600
//:   - w_52 = 71443401/120774400
//:   - w_53 = 730878875/902184768
//:   - w_54 = 2285395/8070912
//:   - b_1 = 82889/524892
//:   - b_3 = 15625/83664
//:   - b_4 = 69875/102672
//:   - b_5 = 2260/8211
//:   - e_1 = b_1 - 4586570599/29645900160
//:   - e_3 = b_3 - 178811875/945068544
//:   - e_4 = b_4 - 814220225/1159782912
//:   - e_5 = 3700637/11593932 - b_5
//:   - e_6 = 1/4 - 61727/225920
//:   - solve v_2
//:   - x_2 = x + h/4*(v + v_2)
//:   - v_2 = v + h/4*(a + accel(t + h/2, x_2, v_2))
//:   - a_2 = 4/h*(v_2 - v) - a
//:   - solve v_3
//:   - x_3 = x + h*(w_31*v - w_32*v_2 + 1/4*v_3)
//:   - v_3 = v + h*(w_31*a - w_32*a_2 + 1/4*accel(t + 83/250*h, x_3, v_3))
//:   - a_3 = 4/h*(v_3 - v) - 4*(w_31*a - w_32*a_2)
//:   - solve v_4
//:   - x_4 = x + h*(w_41*v - w_42*v_2 + w_43*v_3 + 1/4*v_4)
//:   - v_4 = v + h*(w_41*a - w_42*a_2 + w_43*a_3 + 1/4*accel(t + 31/50*h, x_4, v_4))
//:   - a_4 = 4/h*(v_4 - v) - 4*(w_41*a - w_42*a_2 + w_43*a_3)
//:   - solve v_5
//:   - x_5 = x + h*(w_51*v - w_52*v_2 + w_53*v_3 + w_54*v_4 + 1/4*v_5)
//:   - v_5 = v + h*(w_51*a - w_52*a_2 + w_53*a_3 + w_54*a_4 + 1/4*accel(t + 17/20*h, x_5, v_5))
//:   - a_5 = 4/h*(v_5 - v) - 4*(w_51*a - w_52*a_2 + w_53*a_3 + w_54*a_4)
//:   - solve v1
//:   - x1 = x + h*(b_1*v + b_3*v_3 + b_4*v_4 - b_5*v_5 + 1/4*v1)
//:   - v1 = v + h*(b_1*a + b_3*a_3 + b_4*a_4 - b_5*a_5 + 1/4*accel(t + h, x1, v1))
//:   - a1 = 4/h*(v1 - v) - 4*(b_1*a + b_3*a_3 + b_4*a_4 - b_5*a_5)
//:   - error_x = h*(e_1*v + e_3*v_3 + e_4*v_4 + e_5*v_5 + e_6*v1)
//:   - error_v = h*(e_1*a + e_3*a_3 + e_4*a_4 + e_5*a_5 + e_6*a1)

// L-stable, and the end of a substep is its last stage. The first stage is the slope at the start, so that each stage
// is of the second order: in stiff problems the substeps are five to ten times as long as those of a pair whose stages
// are of the first. All other stages have the weight 1/4 of their own slope. A slope is found from the solution that it
// belongs to, never by an evaluation, which would magnify what the solve has left of its residual.

#include "error.h"
#include "newton.h"

// Weights of the slopes at the end of a substep; the last is 1/4, that of the second stage 0.
#define B1 (82889.0 / 524892.0)
#define B3 (15625.0 / 83664.0)
#define B4 (69875.0 / 102672.0)
#define B5 (-2260.0 / 8211.0)

static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(START_TIME(p), s->x, s->v, p, s->a);
    EACH_DOF(i)
        s->size_x[i] = s->size_v[i] = ZERO;
}

static void guess(real h, const State *s, const Stage *k, real u[DOF])
{
    EACH_DOF(i) {
        const real last[5] = {s->v[i], s->v_2[i], s->v_3[i], s->v_4[i], s->v_5[i]};
        u[i] = last[k->number];
    }
}

// The sum of weights times the slopes of the stages before.
static real before(const Stage *k, const real slopes[5])
{
    const SCALAR w[5][5] = {{1.0 / 4.0, 0.0, 0.0, 0.0, 0.0},
                            {8611.0 / 62500.0, -1743.0 / 31250.0, 0.0, 0.0, 0.0},
                            {5012029.0 / 34652500.0, -654441.0 / 2922500.0, 174375.0 / 388108.0, 0.0, 0.0},
                            {15267082809.0 / 155376265600.0, -71443401.0 / 120774400.0, 730878875.0 / 902184768.0,
                             2285395.0 / 8070912.0, 0.0},
                            {B1, 0.0, B3, B4, B5}};
    real         sum = ZERO;
    for (int j = 0; j <= k->number; ++j)
        sum = real_fma(ZERO + w[k->number][j], slopes[j], sum);
    return sum;
}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    const SCALAR c[5] = {1.0 / 2.0, 83.0 / 250.0, 31.0 / 50.0, 17.0 / 20.0, 1.0};
    k->A = ONE;
    k->cx = k->q = 0.25 * h;
    k->cv = ONE;
    k->t = t + c[k->number] * h;
    EACH_DOF(i) {
        const real v[5] = {s->v[i], s->v_2[i], s->v_3[i], s->v_4[i], s->v_5[i]};
        const real a[5] = {s->a[i], s->a_2[i], s->a_3[i], s->a_4[i], s->a_5[i]};
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
    case 0: keep_stage(u, k, s->v_2, s->a_2); break;
    case 1: keep_stage(u, k, s->v_3, s->a_3); break;
    case 2: keep_stage(u, k, s->v_4, s->a_4); break;
    case 3: keep_stage(u, k, s->v_5, s->a_5); break;
    default:
        keep_stage(u, k, s->v_6, s->a_6);
        EACH_DOF(i)
            s->x_6[i] = real_fma(k->cx, u[i], k->X[i]);
    }
}

// The difference from the formula of third order.
static real difference(real h, real first, real third, real fourth, real fifth, real last)
{
    return h * ((B1 - 4586570599.0 / 29645900160.0) * first + (B3 - 178811875.0 / 945068544.0) * third +
                (B4 - 814220225.0 / 1159782912.0) * fourth + (B5 + 3700637.0 / 11593932.0) * fifth +
                (1.0 / 4.0 - 61727.0 / 225920.0) * last);
}

// Largest over the components of |difference of the two orders|/(atol size + rtol max(|old|, |new|)).
static real trial(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real worst = ZERO;
    EACH_DOF(i) {
        const real error_x = difference(h, s->v[i], s->v_3[i], s->v_4[i], s->v_5[i], s->v_6[i]),
                   error_v = difference(h, s->a[i], s->a_3[i], s->a_4[i], s->a_5[i], s->a_6[i]);
        worst = worse(worst, error_share(i, h, m, s->x_6[i], s->v_6[i], error_x, error_v, s));
        s->x[i] = s->x_6[i];
        s->v[i] = s->v_6[i];
        s->a[i] = s->a_6[i];
    }
    return worst;
}
