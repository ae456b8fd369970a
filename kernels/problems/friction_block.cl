//: problem: friction_block
//: title: Block on an incline with smoothed Coulomb friction
//: equation: "m x'' = m g sin phi - mu N f0'(|x'|) sign(x'), N = m g cos phi, f0(y) = -y^3/(3 e^2) + y^2/e + e/3 for y < e, y beyond"
//: source: Li et al. 2020, Incremental Potential Contact; Chern 2024, Physical Simulations (CSE 291), Incremental Potential
//: dofs: 1
//: coordinates: {x: m}
//: provides: [energy, kinetic, potential, jacobian, masses, dissipation, slopes, gradients]
//: stiffness: [v_smooth]
//: parameters:
//:   mu:       {default: 0.5, min: 0, unit: "1", about: coefficient of friction}
//:   v_smooth: {default: 0.1, above: 0, unit: m/s, about: "the velocity e below which friction is smoothed"}
//:   phi:      {default: 0.3, above: -1.5707963267948966, below: 1.5707963267948966, unit: rad, about: slope of the incline}
//:   g:        {default: 9.81, min: 0, unit: m/s2, about: gravity}
//:   mass:     {default: 1.0, above: 0, unit: kg, about: mass of the block}
//:   x0:       {default: 0.0, unit: m, about: "initial place, downhill"}
//:   v0:       {default: 1.0, unit: m/s, about: "initial velocity, downhill"}

// Where tan phi < mu the block comes to a creep, at the velocity at which the smoothed friction holds it: it never
// sticks. The slides leave out the normal force N that friction is proportional to.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = p->v0;
}

// The velocity over v_smooth, no further than 1 to either side.
static real clipped(real v, const Params *p) { return real_max(ZERO - 1.0, real_min(ONE, v / p->v_smooth)); }

// f0'(|v|) sign(v) is s (2 - |s|), s the clipped velocity: smooth at rest, 1 beyond v_smooth.
static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    const real s = clipped(v[0], p);
    a[0] = p->g * (real_sin(p->phi) - p->mu * real_cos(p->phi) * s * (2.0 - real_abs(s)));
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    const real s = clipped(v[0], p);
    dadx[0][0] = ZERO;
    dadv[0][0] = -2.0 * p->g * p->mu * real_cos(p->phi) * (1.0 - real_abs(s)) / p->v_smooth;
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    const real s = clipped(v[0], p), f = (2.0 - real_abs(s)) * s, down = real_sin(p->phi), across = real_cos(p->phi);
    a->g[0] = down - p->mu * across * f;
    a->mu[0] = -p->g * across * f;
    a->phi[0] = p->g * (across + p->mu * down * f);
    a->v_smooth[0] = 2.0 * p->g * p->mu * across * (1.0 - real_abs(s)) * s / p->v_smooth;
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    x->x0[0] = ONE;
    v->v0[0] = ONE;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p) { return 0.5 * p->mass * v[0] * v[0]; }

static real potential(const real x[DOF], const Params *p) { return -p->mass * p->g * real_sin(p->phi) * x[0]; }

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static void masses(const Params *p, real mass[DOF]) { mass[0] = p->mass; }

// mu N f0(|v|), which is mu N e/3 and not 0 at rest: only its derivative matters.
static real dissipation(const real x[DOF], const real v[DOF], const Params *p)
{
    const real y = real_abs(v[0]), s = y / p->v_smooth;
    const real smoothed = p->v_smooth * (s * s * (1.0 - s / 3.0) + 1.0 / 3.0);
    return p->mu * p->mass * p->g * real_cos(p->phi) * choose(s < 1.0, smoothed, y);
}

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    e->v[0] = p->mass * v[0];
    e->by.mass = 0.5 * v[0] * v[0];
}

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    const real down = real_sin(p->phi);
    e->x[0] = -p->mass * p->g * down;
    e->by.mass = e->by.mass - p->g * down * x[0];
    e->by.g = -p->mass * down * x[0];
    e->by.phi = -p->mass * p->g * real_cos(p->phi) * x[0];
}
