//: problem: barrier_particle
//: title: Particle that falls on the barrier over the ground
//: equation: "m x'' = -m g - B'(x), B = -kappa (x - d_hat)^2 ln(x/d_hat) for 0 < x < d_hat, 0 above"
//: source: Li et al. 2020, Incremental Potential Contact; Chern 2024, Physical Simulations (CSE 291), Incremental Potential
//: dofs: 1
//: coordinates: {x: m}
//: provides: [energy, kinetic, potential, jacobian, masses, slopes, gradients]
//: stiffness: [kappa, d_hat]
//: parameters:
//:   kappa: {default: 1000.0, above: 0, unit: N/m, about: stiffness of the barrier}
//:   d_hat: {default: 0.1, above: 0, unit: m, about: the height below which the barrier acts}
//:   g:     {default: 9.81, unit: m/s2, about: gravity}
//:   mass:  {default: 1.0, above: 0, unit: kg, about: mass of the particle}
//:   x0:    {default: 1.0, above: 0, unit: m, about: initial height}
//:   v0:    {default: 0.0, unit: m/s, about: "initial velocity, upwards"}

// The barrier is twice continuously differentiable at d_hat and infinite on the ground. At and under the ground the
// potential is infinite, and the acceleration no number: a step that lands there fails.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = p->v0;
}

// The distance that the barrier sees: that of its upper edge, where it and its derivatives vanish, for all above.
static real gap(real x, const Params *p) { return choose(x < p->d_hat, real_max(x, ZERO), p->d_hat); }

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    const real d = gap(x[0], p), depth = p->d_hat - d, closeness = real_log(d / p->d_hat);
    const real push = p->kappa * depth * (depth / d - 2.0 * closeness);
    a[0] = choose(x[0] > ZERO, push / p->mass - p->g, NOT_A_NUMBER);
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    const real d = gap(x[0], p), share = (p->d_hat - d) / d, closeness = real_log(d / p->d_hat);
    const real stiff = p->kappa / p->mass * (share * (share + 4.0) - 2.0 * closeness);
    dadx[0][0] = choose(x[0] > ZERO, -stiff, NOT_A_NUMBER);
    dadv[0][0] = ZERO;
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    const real d = gap(x[0], p), depth = p->d_hat - d, share = depth / d, closeness = real_log(d / p->d_hat);
    const real push = depth * (share - 2.0 * closeness) / p->mass;
    a->kappa[0] = push;
    a->d_hat[0] = 2.0 * p->kappa / p->mass * (share - closeness + depth / p->d_hat);
    a->g[0] = ZERO - 1.0;
    a->mass[0] = -p->kappa * push / p->mass;
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    x->x0[0] = ONE;
    v->v0[0] = ONE;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p) { return 0.5 * p->mass * v[0] * v[0]; }

static real potential(const real x[DOF], const Params *p)
{
    const real d = gap(x[0], p), depth = p->d_hat - d;
    return p->mass * p->g * x[0] - p->kappa * depth * depth * real_log(d / p->d_hat);
}

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static void masses(const Params *p, real mass[DOF]) { mass[0] = p->mass; }

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    e->v[0] = p->mass * v[0];
    e->by.mass = 0.5 * v[0] * v[0];
}

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    const real d = gap(x[0], p), depth = p->d_hat - d, closeness = real_log(d / p->d_hat);
    e->x[0] = p->mass * p->g - p->kappa * depth * (depth / d - 2.0 * closeness);
    e->by.mass = e->by.mass + p->g * x[0];
    e->by.g = p->mass * x[0];
    e->by.kappa = -depth * depth * closeness;
    e->by.d_hat = p->kappa * depth * (depth / p->d_hat - 2.0 * closeness);
}
