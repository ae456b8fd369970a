//: problem: fall
//: title: A particle that a constant force pushes
//: equation: "x'' = g"
//: dofs: 1
//: parameters:
//:   g:  {default: 1.0, unit: m/s2, about: the push}
//:   x0: {default: 0.0, unit: m, about: initial place}
//:   v0: {default: 0.0, unit: m/s, about: initial velocity}

// Its places leave the numbers while its equation still has a solution.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = p->v0;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = p->g;
}
