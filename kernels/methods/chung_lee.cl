//: method: chung_lee
//: title: Explicit method of Chung and Lee
//: source: "Chung and Lee 1994; Fang 2018 (TR-2018-01), eq. 23-27"
//: conventions: "a_{n+1} is the acceleration at t_n: it lags by a step"
//: order: 2
//: unknown: none
//: state: [a]
//: critical: "2*(sqrt(4*zeta^2 + 4*beta - 3) - 2*zeta)/(4*beta - 3)"
//: parameters:
//:   beta: {default: 1.037037037037037, min: 1, max: 1.037037037037037, unit: "1", about: "1 damps least, 28/27 most"}
//: equations:
//:   - a1 = accel(t, x, v)
//:   - x1 = x + h*v + h^2*((1/2 - beta)*a + beta*a1)
//:   - v1 = v + h*(3/2*a1 - a/2)
//: equations_start:
//:   - a = accel(t, x, v)

static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(START_TIME(p), s->x, s->v, p, s->a);
}

static void step(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real a[DOF];
    acceleration(t, s->x, s->v, p, a);
    EACH_DOF(i) {
        s->x[i] = real_fma(h, real_fma(h, real_fma(m->beta, a[i], (0.5 - m->beta) * s->a[i]), s->v[i]), s->x[i]);
        s->v[i] = real_fma(h, 1.5 * a[i] - 0.5 * s->a[i], s->v[i]);
        s->a[i] = a[i];
    }
}
