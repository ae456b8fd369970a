//: problem: elastic_pendulum_cartesian
//: title: Pendulum on a stiff spring, Cartesian coordinates
//: equation: "q'' = -(|q| - r0)/eps^2 q/|q| + g e_1, r0 = 1"
//: source: Wu 2018, problem 4, eq. 16
//: dofs: 2
//: coordinates: {x: m, y: m}
//: provides: [energy, kinetic, potential, jacobian, fast, slow, masses, limit, slopes, gradients]
//: stiffness: [eps]
//: parameters:
//:   eps:     {default: 0.01, above: 0, unit: s, about: "inverse frequency of the spring: stiffness 1/eps^2"}
//:   k:       {default: 1.0, unit: "1", about: initial stretch in units of eps; holds the energy k^2/2 in the fast mode}
//:   g:       {default: 1.0, unit: m/s2, about: gravity}
//:   variant: {default: right, choices: [right, printed], about: "printed: eq. 16 as it stands in the paper, with 1/eps^2"}
//:   gravity: {default: e1, choices: [e1, minus_e2], about: "its direction: e1, the pendulum hangs at (1, 0); minus_e2, at (0, -1)"}

// The physics of elastic_pendulum_polar. `variant: printed` is eq. (16) with the stiffness 1/eps^2 (eps^2 as printed
// would make the spring soft) and grad theta = (q2, q1)/|q|^2, whose first sign is wrong; its gravity is -g cos(th)
// grad r + g r sin(th) grad theta, with th + pi/2 for th where gravity is along -e_2. Energy, potential and masses are
// those of the right equation: the printed one is no gradient.

// The initial rates are r' = 1/sqrt 2 and th' = -1/sqrt 2 at th = pi/4, so q' = r' e_r + r th' e_th = (1 + k eps/2, -k
// eps/2).
static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    const real r = 1.0 + p->k * p->eps;
    x[0] = r * SQRT_HALF;
    x[1] = r * SQRT_HALF;
    v[0] = 1.0 + 0.5 * p->k * p->eps;
    v[1] = -0.5 * p->k * p->eps;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    const real r = real_sqrt(x[0] * x[0] + x[1] * x[1]), per_r = 1.0 / r, c = x[0] * per_r, s = x[1] * per_r;
    const real stiffness = 1.0 / (p->eps * p->eps), spring = stiffness * (r - 1.0);
    if (p->variant == variant_right) {
        a[0] = p->g - spring * c;
        a[1] = -spring * s;
        if (p->gravity == gravity_minus_e2) {
            a[0] = -spring * c;
            a[1] = -spring * s - p->g;
        }
    } else {
        a[0] = -spring * c - p->g * c * c + p->g * s * s;
        a[1] = -spring * s;
        if (p->gravity == gravity_minus_e2) {
            a[0] = -spring * c + 2.0 * p->g * s * c;
            a[1] = -spring * s + p->g;
        }
    }
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    const real r = real_sqrt(x[0] * x[0] + x[1] * x[1]), c = x[0] / r, s = x[1] / r;
    const real stiffness = 1.0 / (p->eps * p->eps), across = stiffness * (1.0 - 1.0 / r);
    dadx[0][0] = -stiffness * c * c - across * s * s;
    dadx[0][1] = (across - stiffness) * c * s;
    dadx[1][0] = dadx[0][1];
    dadx[1][1] = -stiffness * s * s - across * c * c;
    if (p->variant == variant_printed && p->gravity == gravity_e1) {
        dadx[0][0] = dadx[0][0] - 4.0 * p->g * c * s * s / r;
        dadx[0][1] = dadx[0][1] + 4.0 * p->g * c * c * s / r;
    }
    if (p->variant == variant_printed && p->gravity == gravity_minus_e2) {
        dadx[0][0] = dadx[0][0] + 2.0 * p->g * s * (s * s - c * c) / r;
        dadx[0][1] = dadx[0][1] + 2.0 * p->g * c * (c * c - s * s) / r;
    }
    for (int i = 0; i < DOF; ++i)
        for (int j = 0; j < DOF; ++j)
            dadv[i][j] = ZERO;
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    const real r = real_sqrt(x[0] * x[0] + x[1] * x[1]), c = x[0] / r, s = x[1] / r;
    const real softer = 2.0 * (r - 1.0) / (p->eps * p->eps * p->eps);
    a->eps[0] = softer * c;
    a->eps[1] = softer * s;
    if (p->variant == variant_right) {
        a->g[0] = ONE;
        if (p->gravity == gravity_minus_e2) {
            a->g[0] = ZERO;
            a->g[1] = ZERO - 1.0;
        }
    } else {
        a->g[0] = s * s - c * c;
        if (p->gravity == gravity_minus_e2) {
            a->g[0] = 2.0 * s * c;
            a->g[1] = ONE;
        }
    }
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    EACH_DOF(i) {
        x->k[i] = p->eps * SQRT_HALF;
        x->eps[i] = p->k * SQRT_HALF;
    }
    v->k[0] = 0.5 * p->eps;
    v->k[1] = -0.5 * p->eps;
    v->eps[0] = 0.5 * p->k;
    v->eps[1] = -0.5 * p->k;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); }

static real fast(const real x[DOF], const Params *p) { return real_sqrt(x[0] * x[0] + x[1] * x[1]) - 1.0; }

static real slow(const real x[DOF], const Params *p) { return real_atan2(x[1], x[0]); }

static void masses(const Params *p, real mass[DOF])
{
    mass[0] = ONE;
    mass[1] = ONE;
}

static real potential(const real x[DOF], const Params *p)
{
    const real stretch = fast(x, p) / p->eps;
    if (p->gravity == gravity_minus_e2)
        return 0.5 * stretch * stretch + p->g * x[1];
    return 0.5 * stretch * stretch - p->g * x[0];
}

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

// As eps -> 0 the length stays 1, and what remains is the rigid pendulum with the same angle and rate (Wu 2018, section
// 2.5.3).
static void limit_start(const Params *p, real angle[1], real rate[1])
{
    angle[0] = ZERO + 0.25 * PI;
    rate[0] = ZERO - SQRT_HALF;
}

static real limit_acceleration(real t, real angle, real rate, const Params *p)
{
    if (p->gravity == gravity_e1)
        return -p->g * real_sin(angle);
    return -p->g * real_cos(angle);
}

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    e->v[0] = v[0];
    e->v[1] = v[1];
}

static void fast_gradient(const real x[DOF], const Params *p, Gradient *y)
{
    const real r = real_sqrt(x[0] * x[0] + x[1] * x[1]);
    y->x[0] = x[0] / r;
    y->x[1] = x[1] / r;
}

static void slow_gradient(const real x[DOF], const Params *p, Gradient *y)
{
    const real square = x[0] * x[0] + x[1] * x[1];
    y->x[0] = -x[1] / square;
    y->x[1] = x[0] / square;
}

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    const real stretch = fast(x, p) / p->eps;
    fast_gradient(x, p, e);
    EACH_DOF(i)
        e->x[i] = e->x[i] * stretch / p->eps;
    e->by.eps = -stretch * stretch / p->eps;
    if (p->gravity == gravity_minus_e2) {
        e->x[1] = e->x[1] + p->g;
        e->by.g = x[1];
    } else {
        e->x[0] = e->x[0] - p->g;
        e->by.g = -x[0];
    }
}
