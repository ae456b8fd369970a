//: problem: robertson
//: title: Robertson's autocatalytic reaction, very stiff
//: equation: "y1' = -k1 y1 + k3 y2 y3, y2' = k1 y1 - k3 y2 y3 - k2 y2^2, y3' = k2 y2^2"
//: source: Robertson 1966; Hairer and Wanner 1996, section IV.1
//: order: first
//: dofs: 3
//: coordinates: {y1: "1", y2: "1", y3: "1"}
//: provides: [energy, jacobian, slopes, gradients]
//: stiffness: [k2]
//: parameters:
//:   k1: {default: 0.04, above: 0, unit: 1/s, about: rate of the slow reaction}
//:   k2: {default: 3.0e7, above: 0, unit: 1/s, about: rate of the very fast one}
//:   k3: {default: 1.0e4, above: 0, unit: 1/s, about: rate of the fast one}
//:   clock: {default: linear, choices: [linear, logarithmic], about: "logarithmic: t counts powers of e, t0 (e^t - 1) seconds"}
//:   t0: {default: 1.0e-6, above: 0, unit: s, about: unit of the logarithmic clock}

// All begins as the first species. Concentrations add up to 1: the sum stands for the energy, which metrics see kept.
// By the logarithmic clock, du/dt = t0 e^t f(u), a few hundred equal steps lead through twelve decades of time.

static void initial_state(const Params *p, real u[DOF])
{
    u[0] = ONE;
    u[1] = ZERO;
    u[2] = ZERO;
}

// Seconds per unit of t.
static real pace(real t, const Params *p)
{
    if (p->clock == clock_logarithmic)
        return p->t0 * real_exp(t);
    return ONE;
}

static void rate(real t, const real u[DOF], const Params *p, real du[DOF])
{
    const real slow = p->k1 * u[0], fast = p->k3 * u[1] * u[2], fastest = p->k2 * u[1] * u[1], per = pace(t, p);
    du[0] = per * (fast - slow);
    du[1] = per * (slow - fast - fastest);
    du[2] = per * fastest;
}

static void jacobian(real t, const real u[DOF], const Params *p, real dfdu[DOF][DOF])
{
    const real per = pace(t, p), by_u1 = per * p->k3 * u[2], by_u2 = per * p->k3 * u[1], own = 2.0 * per * p->k2 * u[1];
    dfdu[0][0] = -per * p->k1;
    dfdu[0][1] = by_u1;
    dfdu[0][2] = by_u2;
    dfdu[1][0] = per * p->k1;
    dfdu[1][1] = -by_u1 - own;
    dfdu[1][2] = -by_u2;
    dfdu[2][0] = ZERO;
    dfdu[2][1] = own;
    dfdu[2][2] = ZERO;
}

static void slopes(real t, const real u[DOF], const Params *p, Slopes *du)
{
    const real per = pace(t, p), slow = per * u[0], fast = per * u[1] * u[2], fastest = per * u[1] * u[1];
    du->k1[0] = -slow;
    du->k1[1] = slow;
    du->k2[1] = -fastest;
    du->k2[2] = fastest;
    du->k3[0] = fast;
    du->k3[1] = -fast;
    if (p->clock == clock_logarithmic) {
        real now[DOF];
        rate(t, u, p, now);
        EACH_DOF(i)
            du->t0[i] = now[i] / p->t0;
    }
}

static void start_slopes(const Params *p, Slopes *u) {}

static real energy(const real u[DOF], const Params *p) { return u[0] + u[1] + u[2]; }

static void energy_gradient(const real u[DOF], const Params *p, Gradient *e) { e->x[0] = e->x[1] = e->x[2] = ONE; }
