// plain_chain -- the chain of cubic springs by generalized-alpha, with 4 and with 8 masses (W4n4, W4n8 and both a).
#include "analysis/bench/plain_alpha.h"

// m x'' = T_{i+1} - T_i - r_m m x_i', T = k_i (d + cubic d^3 + r_k d') with masses and `cubic` of 1 and no damping:
// thirteen operations a mass, two fewer at the wall; its derivative six, one fewer at the wall.
#define CHAIN_FLOPS(n) (13 * (n)-2)
#define GRADIENT_FLOPS(n) (6 * (n)-1)

// p[i] is the stiffness of spring i, which lies before mass i.
INLINED void chain(int n, const real *p, const real *x, real *a)
{
    real beyond = 0;
    UNROLL
    for (int i = n - 1; i >= 0; --i) {
        const real d = i > 0 ? x[i] - x[i - 1] : x[0], pull = p[i] * real_fma(d * d, d, d);
        a[i] = beyond - pull;
        beyond = pull;
    }
}

INLINED void chain_gradient(int n, const real *p, const real *x, real cx, real d[PLAIN_DOFS][PLAIN_DOFS])
{
    real beyond = 0;
    UNROLL
    for (int i = 0; i < n; ++i)
        UNROLL
    for (int j = 0; j < n; ++j)
        d[i][j] = 0;
    UNROLL
    for (int i = n - 1; i >= 0; --i) {
        const real stretch = i > 0 ? x[i] - x[i - 1] : x[0];
        const real stiff = cx * p[i] * real_fma(3 * stretch, stretch, 1.0);
        d[i][i] = -stiff - beyond;
        if (i > 0)
            d[i][i - 1] = d[i - 1][i] = stiff;
        beyond = stiff;
    }
}

INLINED void acceleration4(const real *p, const real *x, const real *v, real *a)
{
    (void)v;
    chain(4, p, x, a);
}

INLINED void acceleration8(const real *p, const real *x, const real *v, real *a)
{
    (void)v;
    chain(8, p, x, a);
}

INLINED void gradient4(const real *p, const real *x, const real *v, real cx, real cv, real d[PLAIN_DOFS][PLAIN_DOFS])
{
    (void)v, (void)cv;
    chain_gradient(4, p, x, cx, d);
}

INLINED void gradient8(const real *p, const real *x, const real *v, real cx, real cv, real d[PLAIN_DOFS][PLAIN_DOFS])
{
    (void)v, (void)cv;
    chain_gradient(8, p, x, cx, d);
}

// From rest, the free end drawn out by 0.1; the stiffnesses grow by one ratio from 1 to 1/eps^2.
INLINED uint64_t run(int n, Acceleration *acceleration, PlainSlope *slope, double eps, size_t steps, double *x,
                     double *v)
{
    real p[PLAIN_DOFS];
    for (int i = 0; i < n; ++i) {
        p[i] = pow(eps, -2.0 * i / (n - 1));
        x[i] = 0.1 * (i + 1) / n;
        v[i] = 0;
    }
    return alpha(n, acceleration, slope, p, 1e-10, steps, x, v);
}

static uint64_t run4(double eps, size_t steps, double *x, double *v)
{
    return run(4, acceleration4, NULL, eps, steps, x, v);
}

static uint64_t run4_slope(double eps, size_t steps, double *x, double *v)
{
    return run(4, acceleration4, gradient4, eps, steps, x, v);
}

static uint64_t run8(double eps, size_t steps, double *x, double *v)
{
    return run(8, acceleration8, NULL, eps, steps, x, v);
}

static uint64_t run8_slope(double eps, size_t steps, double *x, double *v)
{
    return run(8, acceleration8, gradient8, eps, steps, x, v);
}

const Plain plain_chain4_alpha = {run4, 4, ALPHA_FLOPS(4, CHAIN_FLOPS(4)), DIFFERENCE_FLOPS(4, CHAIN_FLOPS(4))};
const Plain plain_chain4_alpha_slope = {run4_slope, 4, ALPHA_FLOPS(4, CHAIN_FLOPS(4)),
                                        SLOPE_FLOPS(4, CHAIN_FLOPS(4), GRADIENT_FLOPS(4))};
const Plain plain_chain8_alpha = {run8, 8, ALPHA_FLOPS(8, CHAIN_FLOPS(8)), DIFFERENCE_FLOPS(8, CHAIN_FLOPS(8))};
const Plain plain_chain8_alpha_slope = {run8_slope, 8, ALPHA_FLOPS(8, CHAIN_FLOPS(8)),
                                        SLOPE_FLOPS(8, CHAIN_FLOPS(8), GRADIENT_FLOPS(8))};
