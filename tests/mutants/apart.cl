//: problem: apart
//: title: Two masses on hardening springs that know nothing of each other
//: equation: "x_1'' = -k1 x_1 - c x_1^3 - d v_1^3, x_2'' = -k2 x_2 - c2 x_2^3"
//: dofs: 2
//: provides: [jacobian]
//: parameters:
//:   k1:  {default: 100.0, unit: 1/s2, about: stiffness of the first}
//:   k2:  {default: 0.0, unit: 1/s2, about: stiffness of the second}
//:   c:   {default: 1000.0, unit: 1/(m2 s2), about: hardening of the first}
//:   c2:  {default: 0.0, unit: 1/(m2 s2), about: hardening of the second}
//:   d:   {default: 0.0, unit: s/m2, about: damping of the first}
//:   x01: {default: 1.0, unit: m, about: initial place of the first}
//:   x02: {default: 0.0, unit: m, about: initial place of the second}
//:   v01: {default: 0.0, unit: m/s, about: initial velocity of the first}
//:   v02: {default: 0.0, unit: m/s, about: initial velocity of the second}

// The second one, far away or fast, is a size that the rounding of the first does not have.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x01;
    x[1] = p->x02;
    v[0] = p->v01;
    v[1] = p->v02;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -x[0] * (p->k1 + p->c * x[0] * x[0]) - p->d * v[0] * v[0] * v[0];
    a[1] = -x[1] * (p->k2 + p->c2 * x[1] * x[1]);
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    dadx[0][0] = -p->k1 - 3.0 * p->c * x[0] * x[0];
    dadx[0][1] = ZERO;
    dadx[1][0] = ZERO;
    dadx[1][1] = -p->k2 - 3.0 * p->c2 * x[1] * x[1];
    dadv[0][0] = -3.0 * p->d * v[0] * v[0];
    dadv[0][1] = ZERO;
    dadv[1][0] = ZERO;
    dadv[1][1] = ZERO;
}
