//: method: rk4
//: title: Classical Runge-Kutta method
//: source: "Kutta 1901; Degletagne 2015 (SOFA), section 5.2, whose last line (F + 1)/m means F/m"
//: order: 4
//: first_order: true
//: unknown: none
//: evaluations: 4
//: critical: "2 sqrt(2) at zeta 0"
//: tableau:
//:   - 0
//:   - 1/2 | 1/2
//:   - 1/2 | 0, 1/2
//:   - 1   | 0, 0, 1
//:   - x1  | 1/6, 1/3, 1/3, 1/6

static void start(const Params *p, const MethodParams *m, State *s) {}

// The state a fraction c of the step along a slope (dx, dv).
static void along(real c, const State *s, const real dx[DOF], const real dv[DOF], real x[DOF], real v[DOF])
{
    EACH_DOF(i) {
        x[i] = real_fma(c, dx[i], s->x[i]);
        v[i] = real_fma(c, dv[i], s->v[i]);
    }
}

static void step(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real a1[DOF], a2[DOF], a3[DOF], a4[DOF], x[DOF], v2[DOF], v3[DOF], v4[DOF];
    acceleration(t, s->x, s->v, p, a1);
    along(0.5 * h, s, s->v, a1, x, v2);
    acceleration(t + 0.5 * h, x, v2, p, a2);
    along(0.5 * h, s, v2, a2, x, v3);
    acceleration(t + 0.5 * h, x, v3, p, a3);
    along(h, s, v3, a3, x, v4);
    acceleration(t + h, x, v4, p, a4);
    EACH_DOF(i) {
        s->x[i] = real_fma(h / 6.0, s->v[i] + 2.0 * (v2[i] + v3[i]) + v4[i], s->x[i]);
        s->v[i] = real_fma(h / 6.0, a1[i] + 2.0 * (a2[i] + a3[i]) + a4[i], s->v[i]);
    }
}
