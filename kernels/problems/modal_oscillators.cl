//: problem: modal_oscillators
//: title: Two decoupled oscillators, a slow and a fast mode
//: equation: M x'' + (D + r_m M + r_k K) x' + K x = 0, all matrices diagonal
//: source: Wu 2018, section 3.1
//: dofs: 2
//: coordinates: {q1: m, q2: m}
//: provides: [energy, kinetic, potential, jacobian, fast, slow, exact, masses, dissipation, slopes, gradients]
//: stiffness: [k2, k1]
//: parameters:
//:   m1:  {default: 1.0, above: 0, unit: kg, about: mass of mode 1}
//:   m2:  {default: 1.0, above: 0, unit: kg, about: mass of mode 2}
//:   d1:  {default: 0.0, min: 0, unit: kg/s, about: damping of mode 1}
//:   d2:  {default: 0.0, min: 0, unit: kg/s, about: damping of mode 2}
//:   k1:  {default: 1.0, min: 0, unit: N/m, about: stiffness of mode 1}
//:   k2:  {default: 100.0, min: 0, unit: N/m, about: stiffness of mode 2}
//:   r_m: {default: 0.0, min: 0, unit: 1/s, about: Rayleigh damping by mass}
//:   r_k: {default: 0.0, min: 0, unit: s, about: Rayleigh damping by stiffness}
//:   x01: {default: 1.0, unit: m, about: initial displacement of mode 1}
//:   x02: {default: 1.0, unit: m, about: initial displacement of mode 2}
//:   v01: {default: 0.0, unit: m/s, about: initial velocity of mode 1}
//:   v02: {default: 0.0, unit: m/s, about: initial velocity of mode 2}

// Wu has the stiffnesses 1 and 100, x0 = (1, 1), v0 = 0.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x01;
    x[1] = p->x02;
    v[0] = p->v01;
    v[1] = p->v02;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -(p->k1 * x[0] + (p->d1 + p->r_m * p->m1 + p->r_k * p->k1) * v[0]) / p->m1;
    a[1] = -(p->k2 * x[1] + (p->d2 + p->r_m * p->m2 + p->r_k * p->k2) * v[1]) / p->m2;
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    dadx[0][0] = -p->k1 / p->m1;
    dadx[0][1] = ZERO;
    dadx[1][0] = ZERO;
    dadx[1][1] = -p->k2 / p->m2;
    dadv[0][0] = -(p->d1 + p->r_m * p->m1 + p->r_k * p->k1) / p->m1;
    dadv[0][1] = ZERO;
    dadv[1][0] = ZERO;
    dadv[1][1] = -(p->d2 + p->r_m * p->m2 + p->r_k * p->k2) / p->m2;
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    a->m1[0] = (p->k1 * x[0] + (p->d1 + p->r_k * p->k1) * v[0]) / (p->m1 * p->m1);
    a->m2[1] = (p->k2 * x[1] + (p->d2 + p->r_k * p->k2) * v[1]) / (p->m2 * p->m2);
    a->d1[0] = -v[0] / p->m1;
    a->d2[1] = -v[1] / p->m2;
    a->k1[0] = -(x[0] + p->r_k * v[0]) / p->m1;
    a->k2[1] = -(x[1] + p->r_k * v[1]) / p->m2;
    a->r_m[0] = -v[0];
    a->r_m[1] = -v[1];
    a->r_k[0] = -p->k1 * v[0] / p->m1;
    a->r_k[1] = -p->k2 * v[1] / p->m2;
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    x->x01[0] = ONE;
    x->x02[1] = ONE;
    v->v01[0] = ONE;
    v->v02[1] = ONE;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p)
{
    return 0.5 * (p->m1 * v[0] * v[0] + p->m2 * v[1] * v[1]);
}

static real potential(const real x[DOF], const Params *p) { return 0.5 * (p->k1 * x[0] * x[0] + p->k2 * x[1] * x[1]); }

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static real slow(const real x[DOF], const Params *p) { return x[0]; }

static real fast(const real x[DOF], const Params *p) { return x[1]; }

static void masses(const Params *p, real mass[DOF])
{
    mass[0] = p->m1;
    mass[1] = p->m2;
}

static real dissipation(const real x[DOF], const real v[DOF], const Params *p)
{
    const real d1 = p->d1 + p->r_m * p->m1 + p->r_k * p->k1, d2 = p->d2 + p->r_m * p->m2 + p->r_k * p->k2;
    return 0.5 * (d1 * v[0] * v[0] + d2 * v[1] * v[1]);
}

// One mode's free motion: with s = d/(2 m) and w^2 = k/m - s^2, e^{-s t} (x0 C + (v0 + s x0) S), C = cos w t and S =
// sin(w t)/w, hyperbolic where w^2 < 0, and C = 1, S = t where it vanishes.
static void mode(real t, real m, real d, real k, real x0, real v0, real *x, real *v)
{
    const real s = 0.5 * d / m, square = k / m - s * s;
    const mask under = square > ZERO, critical = square == ZERO;
    const real w = choose(critical, ONE, real_sqrt(real_abs(square)));
    const real up = 0.5 * real_exp((w - s) * t), down = 0.5 * real_exp(-(w + s) * t), decay = real_exp(-s * t);
    const real C = choose(under, decay * real_cos(w * t), choose(critical, decay, up + down));
    const real S = choose(under, decay * real_sin(w * t) / w, choose(critical, decay * t, (up - down) / w));
    *x = x0 * C + (v0 + s * x0) * S;
    *v = v0 * C - (k / m * x0 + s * v0) * S;
}

static void exact(real t, const Params *p, real x[DOF], real v[DOF])
{
    mode(t, p->m1, p->d1 + p->r_m * p->m1 + p->r_k * p->k1, p->k1, p->x01, p->v01, &x[0], &v[0]);
    mode(t, p->m2, p->d2 + p->r_m * p->m2 + p->r_k * p->k2, p->k2, p->x02, p->v02, &x[1], &v[1]);
}

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    e->v[0] = p->m1 * v[0];
    e->v[1] = p->m2 * v[1];
    e->by.m1 = 0.5 * v[0] * v[0];
    e->by.m2 = 0.5 * v[1] * v[1];
}

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    e->x[0] = p->k1 * x[0];
    e->x[1] = p->k2 * x[1];
    e->by.k1 = 0.5 * x[0] * x[0];
    e->by.k2 = 0.5 * x[1] * x[1];
}

static void slow_gradient(const real x[DOF], const Params *p, Gradient *y) { y->x[0] = ONE; }

static void fast_gradient(const real x[DOF], const Params *p, Gradient *y) { y->x[1] = ONE; }
