//: problem: fitzhugh_nagumo
//: title: FitzHugh and Nagumo's nerve cell
//: equation: "v' = v - v^3/3 - w + current, w' = eps (v + alpha - beta w)"
//: source: FitzHugh 1961, eq. 1 and 2; Nagumo, Arimoto and Yoshizawa 1962
//: order: first
//: dofs: 2
//: coordinates: {v: "1", w: "1"}
//: provides: [jacobian, slow, fast, slopes, gradients]
//: stiffness: [eps]
//: parameters:
//:   eps:     {default: 0.08, above: 0, unit: "1", about: "how slow the recovery is; stiff where it is small"}
//:   alpha:   {default: 0.7, unit: "1", about: where the recovery rests}
//:   beta:    {default: 0.8, min: 0, unit: "1", about: damping of the recovery}
//:   current: {default: 0.5, unit: "1", about: "stimulus; the cell fires again and again where it is between 0.33 and 1.42"}
//:   v0:      {default: -1.0, unit: "1", about: initial membrane potential}
//:   w0:      {default: -0.5, unit: "1", about: initial recovery}

static void initial_state(const Params *p, real u[DOF])
{
    u[0] = p->v0;
    u[1] = p->w0;
}

static void rate(real t, const real u[DOF], const Params *p, real du[DOF])
{
    du[0] = u[0] - u[0] * u[0] * u[0] / 3.0 - u[1] + p->current;
    du[1] = p->eps * (u[0] + p->alpha - p->beta * u[1]);
}

static void jacobian(real t, const real u[DOF], const Params *p, real dfdu[DOF][DOF])
{
    dfdu[0][0] = 1.0 - u[0] * u[0];
    dfdu[0][1] = ZERO - 1.0;
    dfdu[1][0] = p->eps;
    dfdu[1][1] = -p->eps * p->beta;
}

static void slopes(real t, const real u[DOF], const Params *p, Slopes *du)
{
    du->eps[1] = u[0] + p->alpha - p->beta * u[1];
    du->alpha[1] = p->eps;
    du->beta[1] = -p->eps * u[1];
    du->current[0] = ONE;
}

static void start_slopes(const Params *p, Slopes *u)
{
    u->v0[0] = ONE;
    u->w0[1] = ONE;
}

static real slow(const real u[DOF], const Params *p) { return u[1]; }
static real fast(const real u[DOF], const Params *p) { return u[0]; }

static void slow_gradient(const real u[DOF], const Params *p, Gradient *y) { y->x[1] = ONE; }

static void fast_gradient(const real u[DOF], const Params *p, Gradient *y) { y->x[0] = ONE; }
