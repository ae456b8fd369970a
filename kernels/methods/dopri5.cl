//: method: dopri5
//: title: Dormand and Prince's method of order 5, fixed steps
//: source: Dormand and Prince 1980, table 2
//: order: 5
//: first_order: true
//: unknown: none
//: evaluations: 6
//: critical: "0.99718900863253 at zeta 0, a root of O^6 - 25 O^4 + 225 O^2 - 200"
//: tableau:
//:   - 0
//:   - 1/5  | 1/5
//:   - 3/10 | 3/40, 9/40
//:   - 4/5  | 44/45, -56/15, 32/9
//:   - 8/9  | 19372/6561, -25360/2187, 64448/6561, -212/729
//:   - 1    | 9017/3168, -355/33, 46732/5247, 49/176, -5103/18656
//:   - x1   | 35/384, 0, 500/1113, 125/192, -2187/6784, 11/84

#include "dormand_prince.h"

static void start(const Params *p, const MethodParams *m, State *s) {}

static void step(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real a[DOF], dx[7][DOF], dv[7][DOF], x[DOF], v[DOF];
    acceleration(t, s->x, s->v, p, a);
    dormand_prince(t, h, p, s, a, dx, dv, x, v);
    EACH_DOF(i) {
        s->x[i] = x[i];
        s->v[i] = v[i];
    }
}
