//: problem: double_pendulum
//: title: Plane double pendulum, two point masses on massless rods
//: equation: "(m1 + m2) l1 th1'' + m2 l2 (th2'' cos D + th2'^2 sin D) + (m1 + m2) g sin th1 = 0, l2 th2'' + l1 (th1'' cos D - th1'^2 sin D) + g sin th2 = 0, D = th1 - th2"
//: source: Landau and Lifshitz, Mechanics, section 5, problem 1
//: dofs: 2
//: coordinates: {theta1: rad, theta2: rad}
//: provides: [energy, kinetic, potential, jacobian, slow, slopes, gradients]
//: parameters:
//:   l1:  {default: 1.0, above: 0, unit: m, about: length of the upper rod}
//:   l2:  {default: 1.0, above: 0, unit: m, about: length of the lower rod}
//:   m1:  {default: 1.0, above: 0, unit: kg, about: upper mass}
//:   m2:  {default: 1.0, above: 0, unit: kg, about: lower mass}
//:   g:   {default: 9.81, unit: m/s2, about: gravity}
//:   th1: {default: 1.0, unit: rad, about: initial angle of the upper rod from the downward vertical}
//:   th2: {default: 0.5, unit: rad, about: initial angle of the lower rod from the downward vertical}
//:   w1:  {default: 0.0, unit: rad/s, about: initial angular velocity of the upper rod}
//:   w2:  {default: 0.0, unit: rad/s, about: initial angular velocity of the lower rod}

// x = (th1, th2). The two equations are linear in y1 = l1 th1'' and y2 = l2 th2'', with the determinant m1 + m2 sin^2
// D, which is never 0.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->th1;
    x[1] = p->th2;
    v[0] = p->w1;
    v[1] = p->w2;
}

// (m1 + m2) y1 + m2 c y2 = f1, c y1 + y2 = f2.
static void solve_rods(const Params *p, real c, real s, real f1, real f2, real *y1, real *y2)
{
    const real both = p->m1 + p->m2, per = 1.0 / (p->m1 + p->m2 * s * s);
    *y1 = (f1 - p->m2 * c * f2) * per;
    *y2 = (both * f2 - c * f1) * per;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    const real c = real_cos(x[0] - x[1]), s = real_sin(x[0] - x[1]);
    const real f1 = -p->m2 * p->l2 * s * v[1] * v[1] - (p->m1 + p->m2) * p->g * real_sin(x[0]);
    const real f2 = p->l1 * s * v[0] * v[0] - p->g * real_sin(x[1]);
    real       y1, y2;
    solve_rods(p, c, s, f1, f2, &y1, &y2);
    a[0] = y1 / p->l1;
    a[1] = y2 / p->l2;
}

// The derivatives of y1 and y2 solve the same equations, with the derivative of f1 - m2 c y2 and f2 - c y1 at fixed y
// on the right.
static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    const real c = real_cos(x[0] - x[1]), s = real_sin(x[0] - x[1]), both = p->m1 + p->m2;
    const real upper = p->l1 * v[0] * v[0], lower = p->m2 * p->l2 * v[1] * v[1];
    real       a[DOF], y1, y2;
    acceleration(t, x, v, p, a);
    const real turn1 = p->m2 * s * p->l2 * a[1] - c * lower, turn2 = s * p->l1 * a[0] + c * upper;
    solve_rods(p, c, s, turn1 - both * p->g * real_cos(x[0]), turn2, &y1, &y2);
    dadx[0][0] = y1 / p->l1;
    dadx[1][0] = y2 / p->l2;
    solve_rods(p, c, s, -turn1, -turn2 - p->g * real_cos(x[1]), &y1, &y2);
    dadx[0][1] = y1 / p->l1;
    dadx[1][1] = y2 / p->l2;
    solve_rods(p, c, s, ZERO, 2.0 * p->l1 * s * v[0], &y1, &y2);
    dadv[0][0] = y1 / p->l1;
    dadv[1][0] = y2 / p->l2;
    solve_rods(p, c, s, -2.0 * p->m2 * p->l2 * s * v[1], ZERO, &y1, &y2);
    dadv[0][1] = y1 / p->l1;
    dadv[1][1] = y2 / p->l2;
}

// The same of parameters: on the right stands the derivative of f less that of the left side, at fixed y.
static void rods_slope(const Params *p, real c, real s, real f1, real f2, real a[DOF])
{
    solve_rods(p, c, s, f1, f2, &a[0], &a[1]);
    a[0] = a[0] / p->l1;
    a[1] = a[1] / p->l2;
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    const real c = real_cos(x[0] - x[1]), s = real_sin(x[0] - x[1]), upper = real_sin(x[0]), lower = real_sin(x[1]);
    real       now[DOF];
    acceleration(t, x, v, p, now);
    const real y1 = p->l1 * now[0], y2 = p->l2 * now[1];
    rods_slope(p, c, s, -p->g * upper - y1, ZERO, a->m1);
    rods_slope(p, c, s, -p->l2 * s * v[1] * v[1] - p->g * upper - y1 - c * y2, ZERO, a->m2);
    rods_slope(p, c, s, -(p->m1 + p->m2) * upper, -lower, a->g);
    rods_slope(p, c, s, ZERO, s * v[0] * v[0], a->l1);
    rods_slope(p, c, s, -p->m2 * s * v[1] * v[1], ZERO, a->l2);
    a->l1[0] = a->l1[0] - now[0] / p->l1;
    a->l2[1] = a->l2[1] - now[1] / p->l2;
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    x->th1[0] = ONE;
    x->th2[1] = ONE;
    v->w1[0] = ONE;
    v->w2[1] = ONE;
}

static real kinetic(const real x[DOF], const real v[DOF], const Params *p)
{
    const real u1 = p->l1 * v[0], u2 = p->l2 * v[1];
    return 0.5 * p->m1 * u1 * u1 + 0.5 * p->m2 * (u1 * u1 + u2 * u2 + 2.0 * u1 * u2 * real_cos(x[0] - x[1]));
}

static real potential(const real x[DOF], const Params *p)
{
    const real rise1 = p->l1 * (1.0 - real_cos(x[0])), rise2 = rise1 + p->l2 * (1.0 - real_cos(x[1]));
    return p->g * (p->m1 * rise1 + p->m2 * rise2);
}

static real energy(const real x[DOF], const real v[DOF], const Params *p) { return kinetic(x, v, p) + potential(x, p); }

static real slow(const real x[DOF], const Params *p) { return x[0]; }

static void kinetic_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    const real c = real_cos(x[0] - x[1]), u1 = p->l1 * v[0], u2 = p->l2 * v[1];
    const real turn = p->m2 * u1 * u2 * real_sin(x[0] - x[1]);
    const real by_u1 = (p->m1 + p->m2) * u1 + p->m2 * u2 * c, by_u2 = p->m2 * (u2 + u1 * c);
    e->x[0] = -turn;
    e->x[1] = turn;
    e->v[0] = p->l1 * by_u1;
    e->v[1] = p->l2 * by_u2;
    e->by.l1 = v[0] * by_u1;
    e->by.l2 = v[1] * by_u2;
    e->by.m1 = 0.5 * u1 * u1;
    e->by.m2 = 0.5 * (u1 * u1 + u2 * u2 + 2.0 * u1 * u2 * c);
}

static void energy_gradient(const real x[DOF], const real v[DOF], const Params *p, Gradient *e)
{
    kinetic_gradient(x, v, p, e);
    const real both = p->m1 + p->m2, above1 = 1.0 - real_cos(x[0]), above2 = 1.0 - real_cos(x[1]);
    const real rise1 = p->l1 * above1, rise2 = rise1 + p->l2 * above2;
    e->x[0] = e->x[0] + p->g * both * p->l1 * real_sin(x[0]);
    e->x[1] = e->x[1] + p->g * p->m2 * p->l2 * real_sin(x[1]);
    e->by.g = p->m1 * rise1 + p->m2 * rise2;
    e->by.m1 = e->by.m1 + p->g * rise1;
    e->by.m2 = e->by.m2 + p->g * rise2;
    e->by.l1 = e->by.l1 + p->g * both * above1;
    e->by.l2 = e->by.l2 + p->g * p->m2 * above2;
}

static void slow_gradient(const real x[DOF], const Params *p, Gradient *y) { y->x[0] = ONE; }
