//: method: rk2
//: title: Explicit midpoint rule
//: source: "Runge 1895; Degletagne 2015 (SOFA), section 5.1"
//: order: 2
//: first_order: true
//: unknown: none
//: evaluations: 2
//: critical: "the root of O^3 - 4 zeta O^2 + 8 zeta^2 O - 8 zeta for zeta <= 1, 2 (zeta - sqrt(zeta^2 - 1)) above"
//: tableau:
//:   - 0
//:   - 1/2 | 1/2
//:   - x1  | 0, 1

static void start(const Params *p, const MethodParams *m, State *s) {}

static void step(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real a[DOF], x[DOF], v[DOF];
    acceleration(t, s->x, s->v, p, a);
    EACH_DOF(i) {
        x[i] = real_fma(0.5 * h, s->v[i], s->x[i]);
        v[i] = real_fma(0.5 * h, a[i], s->v[i]);
    }
    acceleration(t + 0.5 * h, x, v, p, a);
    EACH_DOF(i) {
        s->x[i] = real_fma(h, v[i], s->x[i]);
        s->v[i] = real_fma(h, a[i], s->v[i]);
    }
}
