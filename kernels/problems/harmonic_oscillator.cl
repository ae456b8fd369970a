//: problem: harmonic_oscillator
//: title: Damped linear oscillator
//: equation: x'' + 2 zeta omega x' + omega^2 x = 0
//: dofs: 1
//: provides: [energy, kinetic, potential, jacobian, exact, period, slow]
//: parameters:
//:   omega: {default: 1.0, above: 0, unit: rad/s, about: undamped frequency}
//:   zeta:  {default: 0.0, min: 0, unit: "1", about: damping ratio}
//:   x0:    {default: 1.0, unit: m, about: initial displacement}
//:   v0:    {default: 0.0, unit: m/s, about: initial velocity}

// Wu 2018, problem 1 (omega 1, zeta 0); Fang 2018 (TR-2018-01), eq. 1 (omega pi, zeta 0.2, x0 = v0 = 1).

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = p->v0;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -p->omega * (p->omega * x[0] + 2.0 * p->zeta * v[0]);
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    dadx[0][0] = -p->omega * p->omega;
    dadv[0][0] = -2.0 * p->zeta * p->omega;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p) { return 0.5 * v[0] * v[0]; }

static real potential(const real x[DOF], const Params *p) { return 0.5 * p->omega * p->omega * x[0] * x[0]; }

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static real slow(const real x[DOF], const Params *p) { return x[0]; }

// e^{-s t} (x0 C + (v0 + s x0) S) with s = zeta omega, C = cos w t and S = sin(w t)/w of the damped frequency
// w = omega sqrt(1 - zeta^2); hyperbolic above zeta = 1, and C = 1, S = t at it.
static void exact(real t, const Params *p, real x[DOF], real v[DOF])
{
    const real s = p->zeta * p->omega, square = (1.0 - p->zeta) * (1.0 + p->zeta);
    const mask under = square > ZERO, critical = square == ZERO;
    const real w = choose(critical, ZERO + 1.0, p->omega * real_sqrt(real_abs(square)));
    const real up = 0.5 * real_exp((w - s) * t), down = 0.5 * real_exp(-(w + s) * t), decay = real_exp(-s * t);
    const real C = choose(under, decay * real_cos(w * t), choose(critical, decay, up + down));
    const real S = choose(under, decay * real_sin(w * t) / w, choose(critical, decay * t, (up - down) / w));
    const real c = p->v0 + s * p->x0;
    x[0] = p->x0 * C + c * S;
    v[0] = p->v0 * C - (p->omega * p->omega * p->x0 + s * p->v0) * S;
}

// Of the damped oscillation; NaN where it does not oscillate.
static real period(const Params *p)
{
    const real square = (1.0 - p->zeta) * (1.0 + p->zeta);
    return choose(square > ZERO, TWO_PI / (p->omega * real_sqrt(square)), NOT_A_NUMBER);
}
