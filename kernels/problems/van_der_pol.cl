//: problem: van_der_pol
//: title: Van der Pol's self-excited oscillator
//: equation: x'' - mu (1 - x^2) x' + x = 0
//: source: van der Pol 1926, On relaxation-oscillations; Guckenheimer and Holmes 1983, section 2.1
//: dofs: 1
//: coordinates: {x: "1"}
//: provides: [energy, kinetic, jacobian, slow, slopes, gradients]
//: stiffness: [mu]
//: parameters:
//:   mu: {default: 1.0, min: 0, unit: 1/s, about: "strength of the self-excitation; stiff where it is large"}
//:   x0: {default: 2.0, unit: "1", about: initial displacement}
//:   v0: {default: 0.0, unit: 1/s, about: initial velocity}

// Energy is that of the linear oscillator at mu = 0, (v^2 + x^2)/2: the damping feeds it inside |x| < 1 and drains it
// outside, at the rate mu (1 - x^2) v^2. A dissipation function is never negative, so this is none, and there are no
// potential and no masses.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = p->v0;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = p->mu * (1.0 - x[0] * x[0]) * v[0] - x[0];
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    dadx[0][0] = -2.0 * p->mu * x[0] * v[0] - 1.0;
    dadv[0][0] = p->mu * (1.0 - x[0] * x[0]);
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    a->mu[0] = (1.0 - x[0] * x[0]) * v[0];
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    x->x0[0] = ONE;
    v->v0[0] = ONE;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p) { return 0.5 * v[0] * v[0]; }

static real energy(const real x[DOF], const real v[DOF], const Params *p)
{
    return kinetic(x, v, p) + 0.5 * x[0] * x[0];
}

static real slow(const real x[DOF], const Params *p) { return x[0]; }

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e) { e->v[0] = v[0]; }

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    e->x[0] = x[0];
}

static void slow_gradient(const real x[DOF], const Params *p, Gradient *y) { y->x[0] = ONE; }
