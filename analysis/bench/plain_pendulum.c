// plain_pendulum -- the pendulum by generalized-alpha (W1, W1a) and by the Runge-Kutta method (W3).
#include "analysis/bench/plain_alpha.h"

// -g sin x - 2 zeta v with g = 1 and zeta = 0.
enum { ACCELERATION_FLOPS = 31, GRADIENT_FLOPS = 29 };

INLINED void acceleration(const real *p, const real *x, const real *v, real *a)
{
    (void)p, (void)v;
    a[0] = -sin(x[0]);
}

INLINED void gradient(const real *p, const real *x, const real *v, real cx, real cv, real d[PLAIN_DOFS][PLAIN_DOFS])
{
    (void)p, (void)v, (void)cv;
    d[0][0] = -cx * cos(x[0]);
}

INLINED uint64_t run(PlainSlope *slope, double x0, size_t steps, double *x, double *v)
{
    x[0] = x0;
    v[0] = 0;
    return alpha(1, acceleration, slope, NULL, 1e-10, steps, x, v);
}

LOOP(run_alpha, run(NULL, value, steps, x, v))
LOOP(run_alpha_slope, run(gradient, value, steps, x, v))

static uint64_t run_rk4(double x0, size_t steps, double *x_end, double *v_end)
{
    const double h = PLAIN_STEP;
    double       x = x0, v = 0;
    for (size_t step = 0; step < steps; ++step) {
        const double a1 = -sin(x), v2 = real_fma(0.5 * h, a1, v);
        const double a2 = -sin(real_fma(0.5 * h, v, x)), v3 = real_fma(0.5 * h, a2, v);
        const double a3 = -sin(real_fma(0.5 * h, v2, x)), v4 = real_fma(h, a3, v);
        const double a4 = -sin(real_fma(h, v3, x));
        x = real_fma(h / 6, v + 2 * (v2 + v3) + v4, x);
        v = real_fma(h / 6, a1 + 2 * (a2 + a3) + a4, v);
    }
    x_end[0] = x;
    v_end[0] = v;
    return 0;
}

const Plain plain_pendulum_alpha = {run_alpha, 1, ALPHA_FLOPS(1, ACCELERATION_FLOPS),
                                    DIFFERENCE_FLOPS(1, ACCELERATION_FLOPS)};
const Plain plain_pendulum_alpha_slope = {run_alpha_slope, 1, ALPHA_FLOPS(1, ACCELERATION_FLOPS),
                                          SLOPE_FLOPS(1, ACCELERATION_FLOPS, GRADIENT_FLOPS)};
// Four accelerations, three states on the way of two fma each, two sums of six.
const Plain plain_pendulum_rk4 = {run_rk4, 1, 4 * ACCELERATION_FLOPS + 24, 0};
