//: method: variational_explicit
//: title: Variational explicit integrator in position and momentum
//: source: "Kharevych et al. 2006; Degletagne 2015 (SOFA), section 4.1"
//: conventions: "v is the momentum over the mass. As printed the force lacks h and all is twice too large; without r_m the map is symplectic_euler"
//: order: 1
//: unknown: none
//: critical: "2*(sqrt(1 + (zeta + r_m/(2*omega))^2) - zeta - r_m/(2*omega))"
//: conserves: symplectic without damping
//: parameters:
//:   r_m: {default: 0, min: 0, unit: 1/s, about: "Rayleigh damping by mass: -r_m v is added to the acceleration"}
//: equations:
//:   - v1 = v + h*accel(t, x, v) - h*r_m*v
//:   - x1 = x + h*v1

// v_{n+1} = (h F + p_n)/M - h r_m v_n, p_{n+1} = M v_{n+1}, x_{n+1} = x_n + h v_{n+1}.

static void start(const Params *p, const MethodParams *m, State *s) {}

static void step(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real a[DOF];
    acceleration(t, s->x, s->v, p, a);
    EACH_DOF(i) {
        s->v[i] = real_fma(h, a[i] - m->r_m * s->v[i], s->v[i]);
        s->x[i] = real_fma(h, s->v[i], s->x[i]);
    }
}
