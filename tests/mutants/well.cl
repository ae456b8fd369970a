//: problem: well
//: title: A mass between two wells
//: equation: "m x'' = -alpha x - beta x^3"
//: dofs: 1
//: provides: [jacobian, potential, masses]
//: parameters:
//:   alpha: {default: -1.0, unit: N/m, about: linear stiffness}
//:   beta:  {default: 1.0, unit: N/m3, about: cubic stiffness}
//:   mass:  {default: 1.0, above: 0, unit: kg, about: the mass}
//:   x0:    {default: 0.5, unit: m, about: initial place}
//:   v0:    {default: 0.0, unit: m/s, about: initial velocity}

// Where the wells are steep, or the mass is small, steepest descent goes many times too far.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = p->v0;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -x[0] * (p->alpha + p->beta * x[0] * x[0]) / p->mass;
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],
                     real dadv[DOF][DOF])
{
    dadx[0][0] = -(p->alpha + 3.0 * p->beta * x[0] * x[0]) / p->mass;
    dadv[0][0] = ZERO;
}

static real potential(const real x[DOF], const Params *p)
{
    const real square = x[0] * x[0];
    return square * (0.5 * p->alpha + 0.25 * p->beta * square);
}

static void masses(const Params *p, real mass[DOF])
{
    mass[0] = p->mass;
}
