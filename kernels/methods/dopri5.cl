//: method: dopri5
//: title: Dormand and Prince's method of order 5, fixed steps
//: source: Dormand and Prince 1980, table 2
//: order: 5
//: first_order: true
//: unknown: none
//: evaluations: 6
//: critical: "0.99718900863253 at zeta 0, a root of O^6 - 25 O^4 + 225 O^2 - 200"

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
