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

// The chain of n masses, n being a constant to the compiler.
#define CHAIN(n)                                                                                   \
    INLINED void acceleration##n(const real *p, const real *x, const real *v, real *a)             \
    {                                                                                              \
        (void)v;                                                                                   \
        chain(n, p, x, a);                                                                         \
    }                                                                                              \
    INLINED void gradient##n(const real *p, const real *x, const real *v, real cx, real cv,        \
                             real d[PLAIN_DOFS][PLAIN_DOFS])                                       \
    {                                                                                              \
        (void)v, (void)cv;                                                                         \
        chain_gradient(n, p, x, cx, d);                                                            \
    }                                                                                              \
    LOOP(run##n, run(n, acceleration##n, NULL, value, steps, x, v))                                \
    LOOP(run##n##_slope, run(n, acceleration##n, gradient##n, value, steps, x, v))                 \
    const Plain plain_chain##n##_alpha = {run##n, n, ALPHA_FLOPS(n, CHAIN_FLOPS(n)),               \
                                          DIFFERENCE_FLOPS(n, CHAIN_FLOPS(n))};                    \
    const Plain plain_chain##n##_alpha_slope = {run##n##_slope, n, ALPHA_FLOPS(n, CHAIN_FLOPS(n)), \
                                                SLOPE_FLOPS(n, CHAIN_FLOPS(n), GRADIENT_FLOPS(n))};

CHAIN(4)
CHAIN(8)
