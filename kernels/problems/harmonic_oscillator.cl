//: problem: harmonic_oscillator
//: title: Damped linear oscillator, free or driven
//: equation: "x'' + 2 zeta omega x' + omega^2 x = 0, or force cos(force_omega t)"
//: source: Wu 2018, problem 1; Fang 2018 (TR-2018-01), eq. 1
//: dofs: 1
//: coordinates: {x: m}
//: provides: [energy, kinetic, potential, jacobian, exact, period, slow, masses, dissipation, drive, slopes, gradients]
//: stiffness: [omega]
//: parameters:
//:   omega:       {default: 1.0, above: 0, unit: rad/s, about: undamped frequency}
//:   zeta:        {default: 0.0, min: 0, unit: "1", about: damping ratio}
//:   x0:          {default: 1.0, unit: m, about: initial displacement}
//:   v0:          {default: 0.0, unit: m/s, about: initial velocity}
//:   forcing:     {default: none, choices: [none, cosine], about: "cosine: driven by force cos(force_omega t)"}
//:   force:       {default: 0.0, unit: m/s2, about: "amplitude of the driving force, for a mass of 1"}
//:   force_omega: {default: 1.0, min: 0, unit: rad/s, about: frequency of the driving force}

// Wu has omega 1, zeta 0; Fang omega pi, zeta 0.2, x0 = v0 = 1. The mass is 1.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = p->v0;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -p->omega * (p->omega * x[0] + 2.0 * p->zeta * v[0]);
    if (p->forcing == forcing_cosine)
        a[0] = a[0] + p->force * real_cos(p->force_omega * t);
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    dadx[0][0] = -p->omega * p->omega;
    dadv[0][0] = -2.0 * p->zeta * p->omega;
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    a->omega[0] = -2.0 * (p->omega * x[0] + p->zeta * v[0]);
    a->zeta[0] = -2.0 * p->omega * v[0];
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

static real potential(const real x[DOF], const Params *p) { return 0.5 * p->omega * p->omega * x[0] * x[0]; }

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static real slow(const real x[DOF], const Params *p) { return x[0]; }

static void masses(const Params *p, real mass[DOF]) { mass[0] = ONE; }

static real dissipation(const real x[DOF], const real v[DOF], const Params *p)
{
    return p->zeta * p->omega * v[0] * v[0];
}

static void drive(real t, const Params *p, real force[DOF])
{
    force[0] = ZERO;
    if (p->forcing == forcing_cosine)
        force[0] = p->force * real_cos(p->force_omega * t);
}

// The free motion from (x0, v0): e^{-s t} (x0 C + (v0 + s x0) S) with s = zeta omega, C = cos w t and S = sin(w t)/w of
// the damped frequency w = omega sqrt(1 - zeta^2); hyperbolic above zeta = 1, and C = 1, S = t at it.
static void free_motion(real t, const Params *p, real x0, real v0, real *x, real *v)
{
    const real s = p->zeta * p->omega, square = (1.0 - p->zeta) * (1.0 + p->zeta);
    const mask under = square > ZERO, critical = square == ZERO;
    const real w = choose(critical, ONE, p->omega * real_sqrt(real_abs(square)));
    const real up = 0.5 * real_exp((w - s) * t), down = 0.5 * real_exp(-(w + s) * t), decay = real_exp(-s * t);
    const real C = choose(under, decay * real_cos(w * t), choose(critical, decay, up + down));
    const real S = choose(under, decay * real_sin(w * t) / w, choose(critical, decay * t, (up - down) / w));
    *x = x0 * C + (v0 + s * x0) * S;
    *v = v0 * C - (p->omega * p->omega * x0 + s * v0) * S;
}

// The integral over u from 0 to t of e^{(-s + i (b + W)) (t - u)} e^{i W u}, with turn = W t: e^{i turn} t (e^z - 1)/z,
// z = (-s + i b) t. No digits are lost where z is small: e^{-s t} - 1 comes from the logarithm of the rounded e^{-s t}
// (Kahan), and t remains at z = 0, the secular growth of resonance.
static void response(real t, real s, real b, real turn, real *re, real *im)
{
    const real a = -s * t, angle = b * t, square = a * a + angle * angle, e = real_exp(a);
    const mask far = a < -1.0, still = e == 1.0, secular = square < 1e-32;
    const real log_e = real_log(choose(far | still, ZERO + 0.5, e));
    const real fall = choose(far, e - 1.0, choose(still, a, (e - 1.0) * a / log_e));
    const real sin_half = real_sin(0.5 * angle), along = fall * real_cos(angle) - 2.0 * sin_half * sin_half;
    const real across = e * real_sin(angle), per = t / choose(secular, ONE, square);
    const real x = choose(secular, t, (along * a + across * angle) * per);
    const real y = choose(secular, ZERO, (across * a - along * angle) * per);
    const real c = real_cos(turn), d = real_sin(turn);
    *re = x * c - y * d;
    *im = x * d + y * c;
}

// What force cos(W t) adds to the free motion from (x0, v0), which it may change. With light damping that is the motion
// from rest, y: of y' + s y + i w y the derivative is -s + i w times itself plus force cos(W t). This keeps its digits
// near and at resonance, where the steady motion and the free one it sets off are large and all but cancel. With
// heavier damping there is no resonance to speak of, and A cos W t + B sin W t is as good, beside the free motion from
// what it leaves of (x0, v0), for any zeta.
static void driven_motion(real t, const Params *p, real *x0, real *v0, real *x, real *v)
{
    const mask light = p->zeta < 0.5;
    const real W = p->force_omega, s = p->zeta * p->omega;
    const real w = p->omega * real_sqrt(choose(light, (1.0 - p->zeta) * (1.0 + p->zeta), ONE));
    real       re[2], im[2];
    response(t, s, w - W, W * t, &re[0], &im[0]);
    response(t, s, w + W, -W * t, &re[1], &im[1]);
    const real y = 0.5 * p->force * (im[0] + im[1]) / w, rate = 0.5 * p->force * (re[0] + re[1]) - s * y;

    const real stiff = (p->omega - W) * (p->omega + W), lag = 2.0 * s * W;
    const real per = p->force / choose(light, ONE, stiff * stiff + lag * lag);
    const real A = stiff * per, B = lag * per, c = real_cos(W * t), d = real_sin(W * t);
    *x = choose(light, y, A * c + B * d);
    *v = choose(light, rate, W * (B * c - A * d));
    *x0 = choose(light, *x0, *x0 - A);
    *v0 = choose(light, *v0, *v0 - W * B);
}

static void exact(real t, const Params *p, real x[DOF], real v[DOF])
{
    real x0 = p->x0, v0 = p->v0, driven_x = ZERO, driven_v = ZERO;
    if (p->forcing == forcing_cosine)
        driven_motion(t, p, &x0, &v0, &driven_x, &driven_v);
    free_motion(t, p, x0, v0, &x[0], &v[0]);
    if (p->forcing == forcing_cosine) {
        x[0] = x[0] + driven_x;
        v[0] = v[0] + driven_v;
    }
}

// Of the damped oscillation; NaN where it does not oscillate, or is driven.
static real period(const Params *p)
{
    const real square = (1.0 - p->zeta) * (1.0 + p->zeta);
    if (p->forcing == forcing_cosine)
        return NOT_A_NUMBER;
    return choose(square > ZERO, TWO_PI / (p->omega * real_sqrt(square)), NOT_A_NUMBER);
}

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e) { e->v[0] = v[0]; }

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    e->x[0] = p->omega * p->omega * x[0];
    e->by.omega = p->omega * x[0] * x[0];
}

static void slow_gradient(const real x[DOF], const Params *p, Gradient *y) { y->x[0] = ONE; }
