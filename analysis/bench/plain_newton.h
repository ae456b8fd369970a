// plain_newton -- Newton's method for one point, shared by the implicit plain loops.
//
// Whoever includes it names the problem by constants and functions that the compiler sees: everything is inlined, the
// number of unknowns is a constant, and the loops over it unroll. PLAIN_SINGLE makes `real` a float.
//
// Beside each loop stands how many floating-point operations it stands for, counted in the kernel's formulas,
// parameters included although a loop may leave them out where they are 0 or 1: an fma is two, + - * / sqrt, a
// comparison and a maximum are one, magnitudes, signs, choices and the operations that the compiler takes out of the
// time loop are none. Sine or cosine are 28 by the kernel's polynomial, both of one angle 40.
#pragma once

#include "analysis/bench/plain.h"

#include <math.h>

#define INLINED static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

// A PlainLoop that is one call.
#define LOOP(name, call)                                                   \
    static uint64_t name(double value, size_t steps, double *x, double *v) \
    {                                                                      \
        return call;                                                       \
    }

#ifdef PLAIN_SINGLE
typedef float real;
#define SQRT_EPSILON 3.4526698e-4f
#define real_abs(x) fabsf(x)
#ifdef FP_FAST_FMAF
#define real_fma(a, b, c) fmaf(a, b, c)
#endif
#else
typedef double real;
#define SQRT_EPSILON 1.4901161193847656e-8
#define real_abs(x) fabs(x)
#ifdef FP_FAST_FMA
#define real_fma(a, b, c) fma(a, b, c)
#endif
#endif
#ifndef real_fma  // a function of the library would be slower than two roundings
#define real_fma(a, b, c) ((a) * (b) + (c))
#endif

enum { MOST_UPDATES = 50 };

// f(u) = A u - B - q a(X + cx u, V + cv u) = 0
typedef struct PlainEquation {
    real A, q, cx, cv;
    real B[PLAIN_DOFS], X[PLAIN_DOFS], V[PLAIN_DOFS];
} PlainEquation;

// The acceleration a of a state. p: the numbers that depend on the point's parameters alone.
typedef void Acceleration(const real *p, const real *x, const real *v, real *a);

// d = cx da/dx + cv da/dv.
typedef void PlainSlope(const real *p, const real *x, const real *v, real cx, real cv, real d[PLAIN_DOFS][PLAIN_DOFS]);

// Operations of one residual, of elimination with the steps after it, and of an update by differences or by the slope.
#define RESIDUAL_FLOPS(n, acceleration) (8 * (n) + (acceleration))
#define SOLVE_FLOPS(n) \
    ((n) * ((n)-1) / 2 + 3 * (n) + (n) * ((n)-1) / 2 + (n) * ((n)-1) * (2 * (n)-1) / 3 + 2 * (n) * ((n)-1) + 4 * (n))
#define DIFFERENCE_FLOPS(n, acceleration) \
    ((2 * (n) + 1) * RESIDUAL_FLOPS(n, acceleration) + 3 * (n) + 2 + (n) * (n) + SOLVE_FLOPS(n))
#define SLOPE_FLOPS(n, acceleration, slope) \
    (RESIDUAL_FLOPS(n, acceleration) + 4 * (n) + (slope) + 5 * (n) * (n) + SOLVE_FLOPS(n))

INLINED void residual(int n, Acceleration *acceleration, const real *p, const PlainEquation *e, const real *u, real *f)
{
    real x[PLAIN_DOFS], v[PLAIN_DOFS], a[PLAIN_DOFS];
    UNROLL
    for (int i = 0; i < n; ++i) {
        x[i] = real_fma(e->cx, u[i], e->X[i]);
        v[i] = real_fma(e->cv, u[i], e->V[i]);
    }
    acceleration(p, x, v, a);
    UNROLL
    for (int i = 0; i < n; ++i)
        f[i] = real_fma(-e->q, a[i], real_fma(e->A, u[i], -e->B[i]));
}

// The Newton matrix by central differences, not divided by their width, which is returned.
INLINED real difference_matrix(int n, Acceleration *acceleration, const real *p, const PlainEquation *e, const real *u,
                               real J[PLAIN_DOFS][PLAIN_DOFS])
{
    real size = 1, moved[PLAIN_DOFS], ahead[PLAIN_DOFS], behind[PLAIN_DOFS];
    UNROLL
    for (int i = 0; i < n; ++i) {
        size = real_abs(u[i]) > size ? real_abs(u[i]) : size;
        moved[i] = u[i];
    }
    const real s = SQRT_EPSILON * size;
    UNROLL
    for (int j = 0; j < n; ++j) {
        moved[j] = u[j] + s;
        residual(n, acceleration, p, e, moved, ahead);
        moved[j] = u[j] - s;
        residual(n, acceleration, p, e, moved, behind);
        moved[j] = u[j];
        UNROLL
        for (int i = 0; i < n; ++i)
            J[i][j] = ahead[i] - behind[i];
    }
    return 2 * s;
}

INLINED void slope_matrix(int n, PlainSlope *slope, const real *p, const PlainEquation *e, const real *u,
                          real J[PLAIN_DOFS][PLAIN_DOFS])
{
    real x[PLAIN_DOFS], v[PLAIN_DOFS];
    UNROLL
    for (int i = 0; i < n; ++i) {
        x[i] = real_fma(e->cx, u[i], e->X[i]);
        v[i] = real_fma(e->cv, u[i], e->V[i]);
    }
    slope(p, x, v, e->cx, e->cv, J);
    UNROLL
    for (int i = 0; i < n; ++i)
        UNROLL
    for (int j = 0; j < n; ++j)
        J[i][j] = (i == j ? e->A : 0) - e->q * J[i][j];
}

// Gaussian elimination with partial pivoting; b becomes the solution, which a zero pivot makes infinite or NaN.
INLINED void solve(int n, real J[PLAIN_DOFS][PLAIN_DOFS], real *b)
{
    real inverse[PLAIN_DOFS];
    UNROLL
    for (int k = 0; k < n; ++k) {
        UNROLL
        for (int i = k + 1; i < n; ++i)
            if (real_abs(J[i][k]) > real_abs(J[k][k])) {
                UNROLL
                for (int j = k; j < n; ++j) {
                    const real held = J[k][j];
                    J[k][j] = J[i][j];
                    J[i][j] = held;
                }
                const real held = b[k];
                b[k] = b[i];
                b[i] = held;
            }
        inverse[k] = 1 / J[k][k];
        UNROLL
        for (int i = k + 1; i < n; ++i) {
            const real factor = J[i][k] * inverse[k];
            UNROLL
            for (int j = k + 1; j < n; ++j)
                J[i][j] = real_fma(-factor, J[k][j], J[i][j]);
            b[i] = real_fma(-factor, b[k], b[i]);
        }
    }
    UNROLL
    for (int i = n - 1; i >= 0; --i) {
        UNROLL
        for (int j = i + 1; j < n; ++j)
            b[i] = real_fma(-J[i][j], b[j], b[i]);
        b[i] *= inverse[i];
    }
}

// Solves the equation from the guess u, which becomes the solution; returns the updates made. A solve that does not
// come within the tolerance ends after MOST_UPDATES and leaves a NaN.
//   slope  NULL: the matrix by central differences
INLINED unsigned newton(int n, Acceleration *acceleration, PlainSlope *slope, const real *p, const PlainEquation *e,
                        real tolerance, real *u)
{
    real     f[PLAIN_DOFS], J[PLAIN_DOFS][PLAIN_DOFS];
    unsigned updates = 0;
    int      within;
    residual(n, acceleration, p, e, u, f);
    do {
        real width = 1;
        if (slope)
            slope_matrix(n, slope, p, e, u, J);
        else
            width = difference_matrix(n, acceleration, p, e, u, J);
        solve(n, J, f);
        UNROLL
        for (int i = 0; i < n; ++i)
            u[i] = real_fma(-width, f[i], u[i]);
        residual(n, acceleration, p, e, u, f);
        within = 1;
        UNROLL
        for (int i = 0; i < n; ++i)
            within &= real_abs(f[i]) <= tolerance;
    } while (++updates < MOST_UPDATES && !within);
    if (!within)
        u[0] = (real)NAN;
    return updates;
}
