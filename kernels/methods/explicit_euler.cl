//: method: explicit_euler
//: title: Explicit Euler method
//: source: "Fang 2018 (TR-2018-01), eq. 6-9; Degletagne 2015 (SOFA), section 2.1"
//: order: 1
//: first_order: true
//: unknown: none
//: critical: "2*(zeta - sqrt(max(zeta^2 - 1, 0)))"
//: equations:
//:   - x1 = x + h*v
//:   - v1 = v + h*accel(t, x, v)

static void start(const Params *p, const MethodParams *m, State *s) {}

static void step(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real a[DOF];
    acceleration(t, s->x, s->v, p, a);
    EACH_DOF(i) {
        s->x[i] = real_fma(h, s->v[i], s->x[i]);
        s->v[i] = real_fma(h, a[i], s->v[i]);
    }
}
