//: method: symplectic_euler
//: title: Half-implicit (symplectic) Euler method
//: source: "Fang 2018 (TR-2018-01), eq. 19-22, where entry (1, 1) must be 1 - Omega^2; Chern 2024 (CSE 291)"
//: order: 1
//: unknown: none
//: critical: "2*(sqrt(1 + zeta^2) - zeta)"
//: conserves: symplectic without damping
//: equations:
//:   - v1 = v + h*accel(t, x, v)
//:   - x1 = x + h*v1

static void start(const Params *p, const MethodParams *m, State *s) {}

static void step(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real a[DOF];
    acceleration(t, s->x, s->v, p, a);
    EACH_DOF(i) {
        s->v[i] = real_fma(h, a[i], s->v[i]);
        s->x[i] = real_fma(h, s->v[i], s->x[i]);
    }
}
