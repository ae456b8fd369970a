// plain_elastic -- the elastic pendulum by theta2, in Cartesian (W2, W2a) and in polar coordinates (W5, W5a).
#include "analysis/bench/plain_theta.h"

// p[0] is the stiffness 1/eps^2; r0, k and g are 1.
enum { CARTESIAN_FLOPS = 12, CARTESIAN_GRADIENT_FLOPS = 22, POLAR_FLOPS = 52, POLAR_GRADIENT_FLOPS = 56 };

static const double half_root = 0.70710678118654752440, quarter_pi = 0.78539816339744830962;

INLINED void cartesian(const real *p, const real *x, const real *v, real *a)
{
    const real r = sqrt(real_fma(x[0], x[0], x[1] * x[1])), pull = p[0] * (r - 1) / r;
    (void)v;
    a[0] = real_fma(-pull, x[0], 1.0);
    a[1] = -pull * x[1];
}

INLINED void cartesian_gradient(const real *p, const real *x, const real *v, real cx, real cv,
                                real d[PLAIN_DOFS][PLAIN_DOFS])
{
    const real per_r = 1 / sqrt(real_fma(x[0], x[0], x[1] * x[1])), c = x[0] * per_r, s = x[1] * per_r;
    const real stiff = -cx * p[0], across = stiff * (1 - per_r);
    (void)v, (void)cv;
    d[0][0] = stiff * c * c + across * s * s;
    d[1][1] = stiff * s * s + across * c * c;
    d[0][1] = d[1][0] = (stiff - across) * c * s;
}

INLINED void polar(const real *p, const real *x, const real *v, real *a)
{
    a[0] = real_fma(x[0] * v[1], v[1], real_fma(-p[0], x[0] - 1, cos(x[1])));
    a[1] = -real_fma(2 * v[0], v[1], sin(x[1])) / x[0];
}

INLINED void polar_gradient(const real *p, const real *x, const real *v, real cx, real cv,
                            real d[PLAIN_DOFS][PLAIN_DOFS])
{
    const real s = sin(x[1]), c = cos(x[1]), per_r = 1 / x[0];
    d[0][0] = cx * (v[1] * v[1] - p[0]);
    d[0][1] = cv * 2 * x[0] * v[1] - cx * s;
    d[1][0] = (cx * (2 * v[0] * v[1] + s) * per_r - cv * 2 * v[1]) * per_r;
    d[1][1] = -(cx * c + cv * 2 * v[0]) * per_r;
}

INLINED uint64_t run_cartesian(PlainSlope *slope, double eps, size_t steps, double *x, double *v)
{
    const real stiffness = 1 / (eps * eps);
    x[0] = x[1] = (1 + eps) * half_root;
    v[0] = 1 + 0.5 * eps;
    v[1] = -0.5 * eps;
    return theta2(2, cartesian, slope, &stiffness, 1e-10, steps, x, v);
}

INLINED uint64_t run_polar(PlainSlope *slope, double eps, size_t steps, double *x, double *v)
{
    const real stiffness = 1 / (eps * eps);
    x[0] = 1 + eps;
    x[1] = quarter_pi;
    v[0] = half_root;
    v[1] = -half_root;
    return theta2(2, polar, slope, &stiffness, 1e-10, steps, x, v);
}

LOOP(cartesian_by_differences, run_cartesian(NULL, value, steps, x, v))
LOOP(cartesian_by_slope, run_cartesian(cartesian_gradient, value, steps, x, v))
LOOP(polar_by_differences, run_polar(NULL, value, steps, x, v))
LOOP(polar_by_slope, run_polar(polar_gradient, value, steps, x, v))

const Plain plain_cartesian_theta = {cartesian_by_differences, 2, THETA_FLOPS(2, CARTESIAN_FLOPS),
                                     DIFFERENCE_FLOPS(2, CARTESIAN_FLOPS)};
const Plain plain_cartesian_theta_slope = {cartesian_by_slope, 2, THETA_FLOPS(2, CARTESIAN_FLOPS),
                                           SLOPE_FLOPS(2, CARTESIAN_FLOPS, CARTESIAN_GRADIENT_FLOPS)};
const Plain plain_polar_theta = {polar_by_differences, 2, THETA_FLOPS(2, POLAR_FLOPS),
                                 DIFFERENCE_FLOPS(2, POLAR_FLOPS)};
const Plain plain_polar_theta_slope = {polar_by_slope, 2, THETA_FLOPS(2, POLAR_FLOPS),
                                       SLOPE_FLOPS(2, POLAR_FLOPS, POLAR_GRADIENT_FLOPS)};
