// plain_theta -- theta2 at theta 0.07 for one point, started by the first-order method (Wu 2018, eq. 10-14).
#pragma once

#include "analysis/bench/plain_newton.h"

// Operations of a step apart from its updates: the old acceleration, X, B, x, and the residual of the guess.
#define THETA_FLOPS(n, acceleration) ((acceleration) + 12 * (n) + RESIDUAL_FLOPS(n, acceleration))

// Takes the steps from (x, v), which become the final state; returns the Newton updates.
INLINED uint64_t theta2(int n, Acceleration *acceleration, PlainSlope *slope, const real *p, real tolerance,
                        size_t steps, real *x, real *v)
{
    const real h = (real)PLAIN_STEP, theta = (real)0.07, theta1 = (real)0.5 + theta / 50;
    real       c = h * theta1, d = 0, back = h * (1 - theta1);
    real       a[PLAIN_DOFS], u[PLAIN_DOFS], x_before[PLAIN_DOFS], v_before[PLAIN_DOFS];
    uint64_t   updates = 0;
    UNROLL
    for (int i = 0; i < n; ++i) {
        x_before[i] = x[i];
        v_before[i] = v[i];
    }
    for (size_t step = 0; step < steps; ++step) {
        PlainEquation e = {.A = 1, .q = c, .cx = c, .cv = 1};
        acceleration(p, x, v, a);
        UNROLL
        for (int i = 0; i < n; ++i) {
            e.X[i] = real_fma(d, x[i] - x_before[i], real_fma(back, v[i], x[i]));
            e.B[i] = real_fma(d, v[i] - v_before[i], real_fma(back, a[i], v[i]));
            e.V[i] = 0;
            u[i] = v[i];
            x_before[i] = x[i];
            v_before[i] = v[i];
        }
        updates += newton(n, acceleration, slope, p, &e, tolerance, u);
        UNROLL
        for (int i = 0; i < n; ++i) {
            x[i] = real_fma(c, u[i], e.X[i]);
            v[i] = u[i];
        }
        c = h * ((real)0.5 + theta / 6);
        d = theta / 3;
        back = h * (real)0.5 * (1 - theta);
    }
    return updates;
}
