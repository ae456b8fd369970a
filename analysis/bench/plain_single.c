// plain_single -- the pendulum by generalized-alpha in single precision (W1s).
#define PLAIN_SINGLE
#include "analysis/bench/plain_alpha.h"

// As in plain_pendulum.c, but that single precision's sine is 22 operations.
enum { ACCELERATION_FLOPS = 25 };

INLINED void acceleration(const real *p, const real *x, const real *v, real *a)
{
    (void)p, (void)v;
    a[0] = -sinf(x[0]);
}

static uint64_t run_alpha(double x0, size_t steps, double *x_end, double *v_end)
{
    real           x[PLAIN_DOFS] = {(real)x0}, v[PLAIN_DOFS] = {0};
    const uint64_t updates = alpha(1, acceleration, NULL, NULL, 1e-5f, steps, x, v);
    x_end[0] = (double)x[0];
    v_end[0] = (double)v[0];
    return updates;
}

const Plain plain_pendulum_alpha_single = {run_alpha, 1, ALPHA_FLOPS(1, ACCELERATION_FLOPS),
                                           DIFFERENCE_FLOPS(1, ACCELERATION_FLOPS)};
