//: problem: pendulum
//: title: Plane pendulum, dimensionless, free or driven
//: equation: "x'' + 2 zeta x' + g sin x = 0, or force cos(force_omega t)"
//: source: Wu 2018, problem 2
//: dofs: 1
//: coordinates: {theta: rad}
//: provides: [energy, kinetic, potential, jacobian, period, slow, masses, dissipation, drive, slopes, gradients]
//: parameters:
//:   g:           {default: 1.0, above: 0, unit: 1/s2, about: gravity over length}
//:   zeta:        {default: 0.0, min: 0, unit: 1/s, about: half the damping coefficient}
//:   x0:          {default: 1.0, unit: rad, about: initial angle from the downward vertical}
//:   v0:          {default: 0.0, unit: rad/s, about: initial angular velocity}
//:   forcing:     {default: none, choices: [none, cosine], about: "cosine: driven by force cos(force_omega t)"}
//:   force:       {default: 0.0, unit: 1/s2, about: "amplitude of the driving torque, for an inertia of 1"}
//:   force_omega: {default: 1.0, min: 0, unit: rad/s, about: frequency of the driving torque}

// Free and with zeta = 0 the energy is conserved and a swing has the period 4 K(k)/sqrt(g), K the complete elliptic
// integral of modulus k = sin(amplitude/2), k^2 = E/(2 g).

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = p->v0;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -p->g * real_sin(x[0]) - 2.0 * p->zeta * v[0];
    if (p->forcing == forcing_cosine)
        a[0] = a[0] + p->force * real_cos(p->force_omega * t);
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    dadx[0][0] = -p->g * real_sin_slope(x[0]);
    dadv[0][0] = -2.0 * p->zeta;
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    a->g[0] = -real_sin(x[0]);
    a->zeta[0] = -2.0 * v[0];
    if (p->forcing == forcing_cosine) {
        a->force[0] = real_cos(p->force_omega * t);
        a->force_omega[0] = -p->force * t * real_sin(p->force_omega * t);
    }
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    x->x0[0] = ONE;
    v->v0[0] = ONE;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p) { return 0.5 * v[0] * v[0]; }

// g (1 - cos x), without the cancellation near the bottom that a line search would trip over.
static real potential(const real x[DOF], const Params *p) { return 2.0 * p->g * real_sin_squared(0.5 * x[0]); }

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static real slow(const real x[DOF], const Params *p) { return x[0]; }

static void masses(const Params *p, real mass[DOF]) { mass[0] = ONE; }

static real dissipation(const real x[DOF], const real v[DOF], const Params *p) { return p->zeta * v[0] * v[0]; }

static void drive(real t, const Params *p, real force[DOF])
{
    force[0] = ZERO;
    if (p->forcing == forcing_cosine)
        force[0] = p->force * real_cos(p->force_omega * t);
}

// 4 K(k)/sqrt(g) = 2 pi/(sqrt(g) agm(1, sqrt(1 - k^2))): the arithmetic-geometric mean doubles its digits at each turn.
// NaN where the pendulum is damped or driven, or goes over the top.
static real period(const Params *p)
{
    if (p->forcing == forcing_cosine)
        return NOT_A_NUMBER;
    const real x0[DOF] = {p->x0}, v0[DOF] = {p->v0};
    real       a = ONE, b = real_sqrt(1.0 - energy(x0, v0, p) / (2.0 * p->g));
    for (int turn = 0; turn < 6; ++turn) {
        const real mean = 0.5 * (a + b);
        b = real_sqrt(a * b);
        a = mean;
    }
    return choose((p->zeta == ZERO) & (b > ZERO), TWO_PI / (real_sqrt(p->g) * a), NOT_A_NUMBER);
}

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e) { e->v[0] = v[0]; }

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    e->x[0] = p->g * real_sin(x[0]);
    e->by.g = 2.0 * real_sin_squared(0.5 * x[0]);
}

static void slow_gradient(const real x[DOF], const Params *p, Gradient *y) { y->x[0] = ONE; }
