// plain_alpha -- generalized-alpha at rho_inf 0.6 for one point (Wu 2018, eq. 3-9).
#pragma once

#include "analysis/bench/plain_newton.h"

// Operations of a step apart from its updates: B, X, V, x, v, and the residual of the guess.
#define ALPHA_FLOPS(n, acceleration) (17 * (n) + RESIDUAL_FLOPS(n, acceleration))

// Takes the steps from (x, v), which become the final state; returns the Newton updates.
INLINED uint64_t alpha(int n, Acceleration *acceleration, PlainSlope *slope, const real *p, real tolerance,
                       size_t steps, real *x, real *v)
{
    const real    h = (real)PLAIN_STEP, rho = (real)0.6, half = (real)0.5, quarter = (real)0.25;
    const real    am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = half - am + af, part = 1 - af;
    const real    beta = quarter * (1 - am + af) * (1 - am + af);
    PlainEquation e = {.A = 1 - am, .q = 1, .cx = part * beta * h * h, .cv = part * gamma * h};
    uint64_t      updates = 0;
    real          a[PLAIN_DOFS], u[PLAIN_DOFS];
    acceleration(p, x, v, a);
    for (size_t step = 0; step < steps; ++step) {
        UNROLL
        for (int i = 0; i < n; ++i) {
            e.B[i] = -am * a[i];
            e.X[i] = real_fma(part * h, real_fma(h * (half - beta), a[i], v[i]), x[i]);
            e.V[i] = real_fma(part * h * (1 - gamma), a[i], v[i]);
            u[i] = a[i];
        }
        updates += newton(n, acceleration, slope, p, &e, tolerance, u);
        UNROLL
        for (int i = 0; i < n; ++i) {
            x[i] = real_fma(h, real_fma(h * (half - beta), a[i], real_fma(h * beta, u[i], v[i])), x[i]);
            v[i] = real_fma(h * (1 - gamma), a[i], real_fma(h * gamma, u[i], v[i]));
            a[i] = u[i];
        }
    }
    return updates;
}
