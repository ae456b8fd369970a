//: problem: duffing
//: title: Duffing's oscillator, a driven and damped cubic spring
//: equation: x'' + delta x' + alpha x + beta x^3 = force cos(force_omega t)
//: source: Guckenheimer and Holmes 1983, section 2.2
//: dofs: 1
//: coordinates: {x: m}
//: provides: [energy, kinetic, potential, jacobian, masses, dissipation, drive, slow, slopes, gradients]
//: stiffness: [alpha]
//: parameters:
//:   delta:       {default: 0.3, min: 0, unit: 1/s, about: damping}
//:   alpha:       {default: -1.0, unit: 1/s2, about: "linear stiffness; below 0 there are two wells"}
//:   beta:        {default: 1.0, unit: 1/(m2 s2), about: cubic stiffness}
//:   force:       {default: 0.2, unit: m/s2, about: "amplitude of the driving force, for a mass of 1"}
//:   force_omega: {default: 1.2, min: 0, unit: rad/s, about: frequency of the driving force}
//:   x0:          {default: 1.2, unit: m, about: initial displacement}
//:   v0:          {default: 0.0, unit: m/s, about: initial velocity}

// With the defaults the motion settles in one well; at force 0.5 it is chaotic.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = p->v0;
}

static void drive(real t, const Params *p, real force[DOF]) { force[0] = p->force * real_cos(p->force_omega * t); }

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    real force[DOF];
    drive(t, p, force);
    a[0] = force[0] - p->delta * v[0] - x[0] * (p->alpha + p->beta * x[0] * x[0]);
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    dadx[0][0] = -p->alpha - 3.0 * p->beta * x[0] * x[0];
    dadv[0][0] = -p->delta;
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    a->delta[0] = -v[0];
    a->alpha[0] = -x[0];
    a->beta[0] = -x[0] * x[0] * x[0];
    a->force[0] = real_cos(p->force_omega * t);
    a->force_omega[0] = -p->force * t * real_sin(p->force_omega * t);
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    x->x0[0] = ONE;
    v->v0[0] = ONE;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p) { return 0.5 * v[0] * v[0]; }

static real potential(const real x[DOF], const Params *p)
{
    const real square = x[0] * x[0];
    return square * (0.5 * p->alpha + 0.25 * p->beta * square);
}

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static void masses(const Params *p, real mass[DOF]) { mass[0] = ONE; }

static real dissipation(const real x[DOF], const real v[DOF], const Params *p) { return 0.5 * p->delta * v[0] * v[0]; }

static real slow(const real x[DOF], const Params *p) { return x[0]; }

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e) { e->v[0] = v[0]; }

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    const real square = x[0] * x[0];
    e->x[0] = x[0] * (p->alpha + p->beta * square);
    e->by.alpha = 0.5 * square;
    e->by.beta = 0.25 * square * square;
}

static void slow_gradient(const real x[DOF], const Params *p, Gradient *y) { y->x[0] = ONE; }
