//: method: yoshida4
//: title: Fourth-order symplectic composition of Yoshida
//: source: "Forest and Ruth 1990; Yoshida 1990, eq. 2.11-2.12"
//: order: 4
//: order_damped: 3
//: unknown: none
//: evaluations: 6
//: critical: "2 sqrt(3 (1 - 2^(-1/3))) at zeta 0"
//: conserves: symplectic without damping
//: equations:
//:   - w1 = 1/(2 - cbrt(2))
//:   - w0 = 1 - 2*w1
//:   - x_1 = x + w1*h/2*v
//:   - k_1 = accel(t + w1*h/2, x_1, v)
//:   - va = v + w1*h*accel(t + w1*h/2, x_1, v + w1*h/2*k_1)
//:   - xa = x_1 + w1*h/2*va
//:   - x_2 = xa + w0*h/2*va
//:   - k_2 = accel(t + h/2, x_2, va)
//:   - vb = va + w0*h*accel(t + h/2, x_2, va + w0*h/2*k_2)
//:   - xb = x_2 + w0*h/2*vb
//:   - x_3 = xb + w1*h/2*vb
//:   - k_3 = accel(t + h - w1*h/2, x_3, vb)
//:   - v1 = vb + w1*h*accel(t + h - w1*h/2, x_3, vb + w1*h/2*k_3)
//:   - x1 = x_3 + w1*h/2*v1

// Three steps of lengths w1 h, w0 h, w1 h, w1 = 1/(2 - 2^(1/3)), w0 = 1 - 2 w1, each half a drift, a kick, half a
// drift. The kick asks the acceleration twice, the second time at the velocity half-way through it: the same number
// where it depends on x alone, and second order where it does not, of which the composition makes third.

static void kick_and_drift(real t, real h, const Params *p, State *s)
{
    real a[DOF], v[DOF];
    EACH_DOF(i)
        s->x[i] = real_fma(0.5 * h, s->v[i], s->x[i]);
    acceleration(t + 0.5 * h, s->x, s->v, p, a);
    EACH_DOF(i)
        v[i] = real_fma(0.5 * h, a[i], s->v[i]);
    acceleration(t + 0.5 * h, s->x, v, p, a);
    EACH_DOF(i) {
        s->v[i] = real_fma(h, a[i], s->v[i]);
        s->x[i] = real_fma(0.5 * h, s->v[i], s->x[i]);
    }
}

static void start(const Params *p, const MethodParams *m, State *s) {}

static void step(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    const real outer = 1.3512071919596577 * h, inner = h - 2.0 * outer;
    kick_and_drift(t, outer, p, s);
    kick_and_drift(t + outer, inner, p, s);
    kick_and_drift(t + (outer + inner), outer, p, s);
}
