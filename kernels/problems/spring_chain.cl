//: problem: spring_chain
//: title: Masses and springs in a line, from soft at the wall to stiff at the free end
//: equation: "m x_i'' = T_{i+1} - T_i - r_m m x_i', T_i = k_i (d_i + cubic d_i^3 + r_k d_i'), d_i = x_i - x_{i-1}"
//: source: Fermi, Pasta and Ulam 1955 (the cubic chain); the grading of the springs is our own
//: dofs: n
//: coordinates: {u: m}
//: provides: [energy, kinetic, potential, jacobian, masses, dissipation, fast, slow, slopes, gradients]
//: stiffness: [eps, k]
//: parameters:
//:   n:     {default: 4, min: 1, max: 32, type: whole, unit: "1", about: number of masses}
//:   mass:  {default: 1.0, above: 0, unit: kg, about: each mass}
//:   k:     {default: 1.0, above: 0, unit: N/m, about: "stiffness of the softest spring, k_0, at the wall"}
//:   eps:   {default: 0.1, above: 0, max: 1, unit: "1", about: "the stiffest spring, k_{n-1} at the free end, is k/eps^2"}
//:   cubic: {default: 0.0, unit: 1/m2, about: "hardening (above 0) or softening of every spring"}
//:   r_m:   {default: 0.0, min: 0, unit: 1/s, about: Rayleigh damping by mass}
//:   r_k:   {default: 0.0, min: 0, unit: s, about: "Rayleigh damping by stiffness: a dashpot r_k k_i beside each spring"}
//:   x0:    {default: 0.1, unit: m, about: "initial displacement of the free end, the chain being stretched evenly"}
//:   v0:    {default: 0.0, unit: m/s, about: initial velocity of the free end}

// The soft body in small. x_i is the displacement of mass i from rest; spring i, of elongation d_i, lies between masses
// i - 1 and i, spring 0 between the wall and mass 0. The stiffnesses grow by one ratio, k_i = k (1/eps^2)^(i/(n-1)):
// the fast modes live at the free end, the slow one stretches the first spring. One mass alone has the spring k.
//
// Loops run from the free end, where a rounded stiffness would tell soonest, and end at the wall with k itself, so that
// the two ends are exact. The ratio depends on parameters only, and a compiler takes it out of the time loop.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    EACH_DOF(i) {
        x[i] = p->x0 * ((SCALAR)(i + 1) / (SCALAR)DOF);
        v[i] = ZERO;
    }
    v[DOF - 1] = p->v0;
}

static real stiffest(const Params *p) { return p->k / (p->eps * p->eps); }

// From one stiffness to the next softer one.
static real ratio(const Params *p) { return real_exp(real_log(p->eps) * (2.0 / (SCALAR)(DOF > 1 ? DOF - 1 : 1))); }

static real tension(real k, real d, real rate, const Params *p)
{
    return k * (d + p->cubic * d * d * d + p->r_k * rate);
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    const real shrink = ratio(p), per_mass = 1.0 / p->mass;
    real       k = stiffest(p), beyond = ZERO;
    UNROLL
    for (int i = DOF - 1; i > 0; --i) {
        const real pull = tension(k, x[i] - x[i - 1], v[i] - v[i - 1], p);
        a[i] = (beyond - pull) * per_mass - p->r_m * v[i];
        beyond = pull;
        k = k * shrink;
    }
    a[0] = (beyond - tension(p->k, x[0], v[0], p)) * per_mass - p->r_m * v[0];
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    const real shrink = ratio(p), per_mass = 1.0 / p->mass;
    real       k = stiffest(p), stiff_beyond = ZERO, damp_beyond = ZERO;
    EACH_DOF(i)
        for (int j = 0; j < DOF; ++j) {
            dadx[i][j] = ZERO;
            dadv[i][j] = ZERO;
        }
    UNROLL
    for (int i = DOF - 1; i > 0; --i) {
        const real d = x[i] - x[i - 1], linear = k * per_mass;
        const real stiff = linear * (1.0 + 3.0 * p->cubic * d * d), damp = linear * p->r_k;
        dadx[i][i] = -stiff - stiff_beyond;
        dadx[i][i - 1] = stiff;
        dadx[i - 1][i] = stiff;
        dadv[i][i] = -damp - damp_beyond - p->r_m;
        dadv[i][i - 1] = damp;
        dadv[i - 1][i] = damp;
        stiff_beyond = stiff;
        damp_beyond = damp;
        k = k * shrink;
    }
    const real linear = p->k * per_mass;
    dadx[0][0] = -linear * (1.0 + 3.0 * p->cubic * x[0] * x[0]) - stiff_beyond;
    dadv[0][0] = -linear * p->r_k - damp_beyond - p->r_m;
}

// The derivatives of the tension of spring i, of stiffness k, pull one mass and the one before it.
static void pull_slopes(int i, real k, real d, real rate, const Params *p, Slopes *a)
{
    const real pull = tension(k, d, rate, p), per_mass = 1.0 / p->mass;
    const real by_mass = -pull * per_mass * per_mass, by_k = pull / p->k * per_mass,
               by_eps = -2.0 * (SCALAR)i / (SCALAR)(DOF > 1 ? DOF - 1 : 1) * pull / p->eps * per_mass,
               by_cubic = k * d * d * d * per_mass, by_r_k = k * rate * per_mass;
    a->mass[i] = a->mass[i] - by_mass;
    a->k[i] = a->k[i] - by_k;
    a->eps[i] = a->eps[i] - by_eps;
    a->cubic[i] = a->cubic[i] - by_cubic;
    a->r_k[i] = a->r_k[i] - by_r_k;
    if (i > 0) {
        a->mass[i - 1] = by_mass;
        a->k[i - 1] = by_k;
        a->eps[i - 1] = by_eps;
        a->cubic[i - 1] = by_cubic;
        a->r_k[i - 1] = by_r_k;
    }
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    const real shrink = ratio(p);
    real       k = stiffest(p);
    a->mass[DOF - 1] = a->k[DOF - 1] = a->eps[DOF - 1] = a->cubic[DOF - 1] = a->r_k[DOF - 1] = ZERO;
    UNROLL
    for (int i = DOF - 1; i > 0; --i) {
        pull_slopes(i, k, x[i] - x[i - 1], v[i] - v[i - 1], p, a);
        k = k * shrink;
    }
    pull_slopes(0, p->k, x[0], v[0], p, a);
    EACH_DOF(i)
        a->r_m[i] = -v[i];
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    EACH_DOF(i)
        x->x0[i] = ZERO + (SCALAR)(i + 1) / (SCALAR)DOF;
    v->v0[DOF - 1] = ONE;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p)
{
    real sum = ZERO;
    EACH_DOF(i)
        sum = sum + v[i] * v[i];
    return 0.5 * p->mass * sum;
}

static real stored(real k, real d, const Params *p) { return k * d * d * (0.5 + 0.25 * p->cubic * d * d); }

static real potential(const real x[DOF], const Params *p)
{
    const real shrink = ratio(p);
    real       k = stiffest(p), sum = stored(p->k, x[0], p);
    UNROLL
    for (int i = DOF - 1; i > 0; --i) {
        sum = sum + stored(k, x[i] - x[i - 1], p);
        k = k * shrink;
    }
    return sum;
}

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static void masses(const Params *p, real mass[DOF])
{
    EACH_DOF(i)
        mass[i] = p->mass;
}

static real dissipation(const real x[DOF], const real v[DOF], const Params *p)
{
    const real shrink = ratio(p);
    real       k = stiffest(p), dashpots = p->k * v[0] * v[0];
    UNROLL
    for (int i = DOF - 1; i > 0; --i) {
        const real rate = v[i] - v[i - 1];
        dashpots = dashpots + k * rate * rate;
        k = k * shrink;
    }
    return p->r_m * kinetic(x, v, p) + 0.5 * p->r_k * dashpots;
}

// The elongation of the stiffest spring.
static real fast(const real x[DOF], const Params *p)
{
    real x_before = ZERO;
    for (int i = 0; i + 1 < DOF; ++i)
        x_before = x[i];
    return x[DOF - 1] - x_before;
}

// The elongation of the softest one.
static real slow(const real x[DOF], const Params *p) { return x[0]; }

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    real sum = ZERO;
    EACH_DOF(i) {
        e->v[i] = p->mass * v[i];
        sum = sum + v[i] * v[i];
    }
    e->by.mass = 0.5 * sum;
}

// What spring i, of stiffness k, has in the energy.
static void stored_gradient(int i, real k, real d, const Params *p, Gradient *e)
{
    const real pull = k * d * (1.0 + p->cubic * d * d), held = stored(k, d, p);
    e->x[i] = e->x[i] + pull;
    if (i > 0)
        e->x[i - 1] = e->x[i - 1] - pull;
    e->by.k = e->by.k + held / p->k;
    e->by.eps = e->by.eps - 2.0 * (SCALAR)i / (SCALAR)(DOF > 1 ? DOF - 1 : 1) * held / p->eps;
    e->by.cubic = e->by.cubic + 0.25 * k * d * d * d * d;
}

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    const real shrink = ratio(p);
    real       k = stiffest(p);
    e->by.k = e->by.eps = e->by.cubic = ZERO;
    UNROLL
    for (int i = DOF - 1; i > 0; --i) {
        stored_gradient(i, k, x[i] - x[i - 1], p, e);
        k = k * shrink;
    }
    stored_gradient(0, p->k, x[0], p, e);
}

static void fast_gradient(const real x[DOF], const Params *p, Gradient *y)
{
    EACH_DOF(i)
        y->x[i] = ZERO + (i == DOF - 1 ? 1.0 : i == DOF - 2 ? -1.0 : 0.0);
}

static void slow_gradient(const real x[DOF], const Params *p, Gradient *y) { y->x[0] = ONE; }
