//: problem: elastic_pendulum_polar
//: title: Pendulum on a stiff spring, polar coordinates
//: equation: "r'' = r th'^2 - (r - r0)/eps^2 + g cos th, th'' = -(2 r' th' + g sin th)/r, r0 = 1"
//: source: Wu 2018, problem 3, eq. 15
//: dofs: 2
//: coordinates: {r: m, theta: rad}
//: provides: [energy, kinetic, potential, jacobian, fast, slow, limit, slopes, gradients]
//: stiffness: [eps]
//: parameters:
//:   eps:     {default: 0.01, above: 0, unit: s, about: "inverse frequency of the spring: stiffness 1/eps^2"}
//:   k:       {default: 1.0, unit: "1", about: initial stretch in units of eps; holds the energy k^2/2 in the fast mode}
//:   g:       {default: 1.0, unit: m/s2, about: gravity}
//:   variant: {default: right, choices: [right, printed], about: "printed: eq. 15 as it stands in the paper"}
//:   gravity: {default: e1, choices: [e1, minus_e2], about: "its direction: e1, the pendulum hangs at th = 0; minus_e2, at th = -pi/2"}

// Eq. (15) as printed lacks the Coriolis term and has th^2/r^3 where r th'^2 belongs; `variant:
// printed` is that equation. Energy is that of the right one. The angle is always measured from e_1: for gravity along
// -e_2 it stands as th + pi/2 in both equations, where it stands for gravity; not in the th^2 of the printed one.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = 1.0 + p->k * p->eps;
    x[1] = ZERO + 0.25 * PI;
    v[0] = ZERO + SQRT_HALF;
    v[1] = ZERO - SQRT_HALF;
}

// Gravity over g, along growing r and against growing th: cosine and sine of the angle from where the pendulum hangs.
static void gravity_at(real th, const Params *p, real *outward, real *backward)
{
    real s, c;
    real_sincos(th, &s, &c);
    *outward = p->gravity == gravity_e1 ? c : -s;
    *backward = p->gravity == gravity_e1 ? s : c;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    const real r = x[0], stiffness = 1.0 / (p->eps * p->eps), spring = stiffness * (r - 1.0);
    real       s, c;
    gravity_at(x[1], p, &c, &s);
    if (p->variant == variant_right) {
        a[0] = r * v[1] * v[1] - spring + p->g * c;
        a[1] = -(2.0 * v[0] * v[1] + p->g * s) / r;
    } else {
        a[0] = x[1] * x[1] / (r * r * r) - spring + p->g * c;
        a[1] = -p->g * s / r;
    }
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    const real r = x[0], stiffness = 1.0 / (p->eps * p->eps);
    real       s, c;
    gravity_at(x[1], p, &c, &s);
    dadv[0][0] = ZERO;
    dadx[1][1] = -p->g * c / r;
    if (p->variant == variant_right) {
        dadx[0][0] = v[1] * v[1] - stiffness;
        dadx[0][1] = -p->g * s;
        dadx[1][0] = (2.0 * v[0] * v[1] + p->g * s) / (r * r);
        dadv[0][1] = 2.0 * r * v[1];
        dadv[1][0] = -2.0 * v[1] / r;
        dadv[1][1] = -2.0 * v[0] / r;
    } else {
        dadx[0][0] = -3.0 * x[1] * x[1] / (r * r * r * r) - stiffness;
        dadx[0][1] = 2.0 * x[1] / (r * r * r) - p->g * s;
        dadx[1][0] = p->g * s / (r * r);
        dadv[0][1] = ZERO;
        dadv[1][0] = ZERO;
        dadv[1][1] = ZERO;
    }
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    real s, c;
    gravity_at(x[1], p, &c, &s);
    a->eps[0] = 2.0 * (x[0] - 1.0) / (p->eps * p->eps * p->eps);
    a->g[0] = c;
    a->g[1] = -s / x[0];
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    x->k[0] = p->eps;
    x->eps[0] = p->k;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p)
{
    return 0.5 * (v[0] * v[0] + x[0] * x[0] * v[1] * v[1]);
}

static real potential(const real x[DOF], const Params *p)
{
    const real stretch = (x[0] - 1.0) / p->eps;
    real       outward, backward;
    gravity_at(x[1], p, &outward, &backward);
    return 0.5 * stretch * stretch - p->g * x[0] * outward;
}

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static real fast(const real x[DOF], const Params *p) { return x[0] - 1.0; }

static real slow(const real x[DOF], const Params *p) { return x[1]; }

// As eps -> 0 the length stays 1, and what remains is the rigid pendulum with the same angle and rate (Wu 2018, section
// 2.5.3).
static void limit_start(const Params *p, real angle[1], real rate[1])
{
    angle[0] = ZERO + 0.25 * PI;
    rate[0] = ZERO - SQRT_HALF;
}

static real limit_acceleration(real t, real angle, real rate, const Params *p)
{
    real outward, backward;
    gravity_at(angle, p, &outward, &backward);
    return -p->g * backward;
}

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    e->x[0] = x[0] * v[1] * v[1];
    e->v[0] = v[0];
    e->v[1] = x[0] * x[0] * v[1];
}

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    const real stretch = fast(x, p) / p->eps;
    real       outward, backward;
    gravity_at(x[1], p, &outward, &backward);
    e->x[0] = e->x[0] + stretch / p->eps - p->g * outward;
    e->x[1] = p->g * x[0] * backward;
    e->by.eps = -stretch * stretch / p->eps;
    e->by.g = -x[0] * outward;
}

static void fast_gradient(const real x[DOF], const Params *p, Gradient *y) { y->x[0] = ONE; }

static void slow_gradient(const real x[DOF], const Params *p, Gradient *y) { y->x[1] = ONE; }
