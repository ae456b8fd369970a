//: method: velocity_verlet
//: title: Velocity Verlet
//: source: "Verlet 1967; Swope et al. 1982; Groot and Warren 1997, eq. 3.5 with lambda = 1 for forces that depend on velocity"
//: order: 2
//: unknown: none
//: state: [a]
//: critical: "2*(sqrt(4*zeta^2 + 1) - 2*zeta)"
//: conserves: symplectic without damping
//: equations:
//:   - x1 = x + h*v + h^2/2*a
//:   - a1 = accel(t + h, x1, v + h*a)
//:   - v1 = v + h/2*(a + a1)
//: equations_start:
//:   - a = accel(t, x, v)

// x_{n+1} = x_n + h v_n + (h^2/2) a_n; a_{n+1} is asked at the predicted velocity v_n + h a_n; v_{n+1} = v_n + (h/2)
// (a_n + a_{n+1}). Without damping these are central differences.

static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(START_TIME(p), s->x, s->v, p, s->a);
}

static void step(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real a[DOF], v[DOF];
    EACH_DOF(i) {
        s->x[i] = real_fma(h, real_fma(0.5 * h, s->a[i], s->v[i]), s->x[i]);
        v[i] = real_fma(h, s->a[i], s->v[i]);
    }
    acceleration(t + h, s->x, v, p, a);
    EACH_DOF(i) {
        s->v[i] = real_fma(0.5 * h, s->a[i] + a[i], s->v[i]);
        s->a[i] = a[i];
    }
}
