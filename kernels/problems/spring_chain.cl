//: problem: spring_chain
//: title: Masses and springs in a line, from soft at the wall to stiff at the free end
//: equation: "m x_i'' = T_{i+1} - T_i - r_m m x_i', T_i = k_i (d_i + cubic d_i^3 + r_k d_i'), d_i = x_i - x_{i-1}"
//: source: Fermi, Pasta and Ulam 1955 (the cubic chain); the grading of the springs is our own
//: dofs: n
//: provides: [energy, kinetic, potential, jacobian, masses, dissipation, fast, slow]
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

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    UNROLL
    for (int i = 0; i < DOF; ++i) {
        x[i] = p->x0 * ((SCALAR)(i + 1) / (SCALAR)DOF);
        v[i] = ZERO;
    }
    v[DOF - 1] = p->v0;
}

// From one stiffness to the next. It depends on parameters only, so that a compiler takes it out of the time loop.
static real ratio(const Params *p) { return real_exp(real_log(p->eps) * (-2.0 / (SCALAR)(DOF > 1 ? DOF - 1 : 1))); }

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    const real growth = ratio(p), per_mass = 1.0 / p->mass;
    real       k = p->k, x_before = ZERO, v_before = ZERO, so_far = ZERO;
    UNROLL
    for (int i = 0; i < DOF; ++i) {
        const real d = x[i] - x_before, rate = v[i] - v_before;
        const real pull = k * (d + p->cubic * d * d * d + p->r_k * rate) * per_mass;
        if (i > 0)
            a[i - 1] = so_far + pull;
        so_far = -pull - p->r_m * v[i];
        x_before = x[i];
        v_before = v[i];
        k = k * growth;
    }
    a[DOF - 1] = so_far;
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    const real growth = ratio(p), per_mass = 1.0 / p->mass;
    real       k = p->k, x_before = ZERO;
    UNROLL
    for (int i = 0; i < DOF; ++i)
        for (int j = 0; j < DOF; ++j) {
            dadx[i][j] = ZERO;
            dadv[i][j] = ZERO;
        }
    UNROLL
    for (int i = 0; i < DOF; ++i) {
        const real d = x[i] - x_before, linear = k * per_mass;
        const real stiff = linear * (1.0 + 3.0 * p->cubic * d * d), damp = linear * p->r_k;
        dadx[i][i] = -stiff;
        dadv[i][i] = -damp - p->r_m;
        if (i > 0) {
            dadx[i - 1][i - 1] = dadx[i - 1][i - 1] - stiff;
            dadx[i - 1][i] = stiff;
            dadx[i][i - 1] = stiff;
            dadv[i - 1][i - 1] = dadv[i - 1][i - 1] - damp;
            dadv[i - 1][i] = damp;
            dadv[i][i - 1] = damp;
        }
        x_before = x[i];
        k = k * growth;
    }
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p)
{
    real sum = ZERO;
    UNROLL
    for (int i = 0; i < DOF; ++i)
        sum = sum + v[i] * v[i];
    return 0.5 * p->mass * sum;
}

static real potential(const real x[DOF], const Params *p)
{
    const real growth = ratio(p);
    real       k = p->k, x_before = ZERO, sum = ZERO;
    UNROLL
    for (int i = 0; i < DOF; ++i) {
        const real d = x[i] - x_before, square = d * d;
        sum = sum + k * square * (0.5 + 0.25 * p->cubic * square);
        x_before = x[i];
        k = k * growth;
    }
    return sum;
}

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static void masses(const Params *p, real mass[DOF])
{
    UNROLL
    for (int i = 0; i < DOF; ++i)
        mass[i] = p->mass;
}

static real dissipation(const real x[DOF], const real v[DOF], const Params *p)
{
    const real growth = ratio(p);
    real       k = p->k, v_before = ZERO, sum = ZERO;
    UNROLL
    for (int i = 0; i < DOF; ++i) {
        const real rate = v[i] - v_before;
        sum = sum + p->r_m * p->mass * v[i] * v[i] + p->r_k * k * rate * rate;
        v_before = v[i];
        k = k * growth;
    }
    return 0.5 * sum;
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
