//: problem: lorenz
//: title: Lorenz's convection
//: equation: "x' = sigma (y - x), y' = x (rho - z) - y, z' = x y - beta z"
//: source: Lorenz 1963, eq. 25 to 27
//: order: first
//: dofs: 3
//: coordinates: {x: "1", y: "1", z: "1"}
//: provides: [jacobian, slopes]
//: parameters:
//:   sigma: {default: 10.0, above: 0, unit: "1", about: Prandtl number}
//:   rho:   {default: 28.0, unit: "1", about: "Rayleigh number over its critical value; chaotic above 24.74 at the other defaults"}
//:   beta:  {default: 2.6666666666666665, above: 0, unit: "1", about: "4/(1 + a^2) with the aspect ratio a of the cells"}
//:   x0:    {default: 1.0, unit: "1", about: initial intensity of the convection}
//:   y0:    {default: 0.0, unit: "1", about: initial temperature difference between the currents}
//:   z0:    {default: 0.0, unit: "1", about: initial distortion of the temperature profile}

static void initial_state(const Params *p, real u[DOF])
{
    u[0] = p->x0;
    u[1] = p->y0;
    u[2] = p->z0;
}

static void rate(real t, const real u[DOF], const Params *p, real du[DOF])
{
    du[0] = p->sigma * (u[1] - u[0]);
    du[1] = u[0] * (p->rho - u[2]) - u[1];
    du[2] = u[0] * u[1] - p->beta * u[2];
}

static void jacobian(real t, const real u[DOF], const Params *p, real dfdu[DOF][DOF])
{
    dfdu[0][0] = -p->sigma;
    dfdu[0][1] = p->sigma;
    dfdu[0][2] = ZERO;
    dfdu[1][0] = p->rho - u[2];
    dfdu[1][1] = ZERO - 1.0;
    dfdu[1][2] = -u[0];
    dfdu[2][0] = u[1];
    dfdu[2][1] = u[0];
    dfdu[2][2] = -p->beta;
}

static void slopes(real t, const real u[DOF], const Params *p, Slopes *du)
{
    du->sigma[0] = u[1] - u[0];
    du->rho[1] = u[0];
    du->beta[2] = -u[2];
}

static void start_slopes(const Params *p, Slopes *u)
{
    u->x0[0] = ONE;
    u->y0[1] = ONE;
    u->z0[2] = ONE;
}
