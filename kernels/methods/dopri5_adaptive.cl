//: method: dopri5_adaptive
//: title: Dormand and Prince's pair 5(4), substeps chosen by its error estimate
//: source: "Dormand and Prince 1980, table 2; Hairer, Norsett and Wanner 1993, section II.4, and II.6 for states within a substep"
//: order: 5
//: first_order: true
//: unknown: none
//: evaluations: 6
//: adaptive: true
//: state: [a, size_x, size_v]
//: scratch: [dense_x_1, dense_v_1, dense_x_2, dense_v_2, dense_x_3, dense_v_3]
//: parameters:
//:   rtol: {default: 1.0e-6, above: 0, max: 1, unit: "1", about: "error permitted per substep, relative to the size of x and v"}
//:   atol: {default: 1.0e-9, above: 0, unit: "1", about: "error permitted per substep beside that, relative to the largest that the component has been"}
//: equations_start:
//:   - a = accel(t, x, v)
//: tableau:
//:   - 0
//:   - 1/5  | 1/5
//:   - 3/10 | 3/40, 9/40
//:   - 4/5  | 44/45, -56/15, 32/9
//:   - 8/9  | 19372/6561, -25360/2187, 64448/6561, -212/729
//:   - 1    | 9017/3168, -355/33, 46732/5247, 49/176, -5103/18656
//:   - x1   | 35/384, 0, 500/1113, 125/192, -2187/6784, 11/84
//:   - dense_1 | 1 - 35/384, 0, -500/1113, -125/192, 2187/6784, -11/84, 0
//:   - dense_2 | 35/192 - 1 - 12715105075/11282082432, 0, 1000/1113 + 87487479700/32700410799, 125/96 - 10690763975/1880347072, 701980252875/199316789632 - 2187/3392, 11/42 - 1453857185/822651844, 69997945/29380423 - 1
//:   - dense_3 | 12715105075/11282082432, 0, -87487479700/32700410799, 10690763975/1880347072, -701980252875/199316789632, 1453857185/822651844, -69997945/29380423
//:   - error | 71/57600, 0, -71/16695, 71/1920, -17253/339200, 22/525, -1/40

// The step h is where the state is observed; between, each point takes substeps of its own. a is the acceleration at
// the end of the last one, which begins the next.

#include "dormand_prince.h"
#include "error.h"

static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(START_TIME(p), s->x, s->v, p, s->a);
    EACH_DOF(i)
        s->size_x[i] = s->size_v[i] = ZERO;
}

// What a state within a substep has beside the line through its ends (between.h): the cubic through both states and
// their slopes, and a term of fourth order.
static void bend(real h, const real dx[7][DOF], const real dv[7][DOF], State *s)
{
    const SCALAR d[7] = {-12715105075.0 / 11282082432.0,  0.0,
                         87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                         701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                         69997945.0 / 29380423.0};
    const SCALAR b[7] = {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0};
    EACH_DOF(i) {
        real fourth_x = ZERO, fourth_v = ZERO, mean_x = ZERO, mean_v = ZERO;
        for (int k = 0; k < 7; ++k) {
            fourth_x = fourth_x + d[k] * dx[k][i];
            fourth_v = fourth_v + d[k] * dv[k][i];
            mean_x = mean_x + b[k] * dx[k][i];
            mean_v = mean_v + b[k] * dv[k][i];
        }
        s->dense_x_1[i] = h * (dx[0][i] - mean_x);
        s->dense_v_1[i] = h * (dv[0][i] - mean_v);
        s->dense_x_2[i] = h * (2.0 * mean_x - dx[0][i] - dx[6][i] + fourth_x);
        s->dense_v_2[i] = h * (2.0 * mean_v - dv[0][i] - dv[6][i] + fourth_v);
        s->dense_x_3[i] = -h * fourth_x;
        s->dense_v_3[i] = -h * fourth_v;
    }
}

// Largest over the components of |difference of the two orders|/(atol size + rtol max(|old|, |new|)).
static real trial(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    const SCALAR e[7] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                         -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
    real         dx[7][DOF], dv[7][DOF], x[DOF], v[DOF], worst = ZERO;
    dormand_prince(t, h, p, s, s->a, dx, dv, x, v);
    acceleration(t + h, x, v, p, dv[6]);
    EACH_DOF(i) {
        dx[6][i] = v[i];
        real error_x = ZERO, error_v = ZERO;
        for (int k = 0; k < 7; ++k) {
            error_x = error_x + e[k] * dx[k][i];
            error_v = error_v + e[k] * dv[k][i];
        }
        worst = worse(worst, h * error_share(i, h, m, x[i], v[i], error_x, error_v, s));
    }
    bend(h, dx, dv, s);
    EACH_DOF(i) {
        s->x[i] = x[i];
        s->v[i] = v[i];
        s->a[i] = dv[6][i];
    }
    return worst;
}
