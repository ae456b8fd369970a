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
// the end of the last one, which begins the next. Sizes of components are the largest that they were where
// substeps began, of which a 512th is forgotten in each.

#include "dormand_prince.h"

static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(ZERO, s->x, s->v, p, s->a);
    EACH_DOF(i)
        s->size_x[i] = s->size_v[i] = ZERO;
}

// The size of a component. Before the first substep is taken it is the larger of the component's value and the distance
// that the substep moves it; of a component at rest it is 1.
static real size_of(real kept, real now, real moved)
{
    const real size = larger(choose(kept > ZERO, (1.0 - 0x1p-9) * kept, real_abs(moved)), real_abs(now));
    return choose(size > ZERO, size, ONE);
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
        s->size_x[i] = size_of(s->size_x[i], s->x[i], h * larger(real_abs(s->v[i]), h * real_abs(s->a[i])));
        s->size_v[i] = size_of(s->size_v[i], s->v[i], h * s->a[i]);
        const real permitted_x = m->atol * s->size_x[i] + m->rtol * larger(real_abs(s->x[i]), real_abs(x[i]));
        const real permitted_v = m->atol * s->size_v[i] + m->rtol * larger(real_abs(s->v[i]), real_abs(v[i]));
        const real error = h * larger(real_abs(ERROR_OF_X(error_x)) / permitted_x, real_abs(error_v) / permitted_v);
        // Where a component is not a number, larger() might lose it.
        worst = choose(is_finite(worst) & !(error <= worst), error, worst);
    }
    EACH_DOF(i) {
        s->x[i] = x[i];
        s->v[i] = v[i];
        s->a[i] = dv[6][i];
    }
    return worst;
}
