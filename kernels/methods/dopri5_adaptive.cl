//: method: dopri5_adaptive
//: title: Dormand and Prince's pair 5(4), substeps chosen by its error estimate
//: source: "Dormand and Prince 1980, table 2; Hairer, Norsett and Wanner 1993, section II.4"
//: order: 5
//: first_order: true
//: unknown: none
//: evaluations: 6
//: adaptive: true
//: state: [a, size_x, size_v]
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
    EACH_DOF(i) {
        s->x[i] = x[i];
        s->v[i] = v[i];
        s->a[i] = dv[6][i];
    }
    return worst;
}
