// physics -- the equations of the workloads; each peer is compiled for one, as its user would write it.
#pragma once

#include <math.h>

#if defined(PENDULUM)
enum { DOFS = 1 };
#elif defined(ELASTIC_CARTESIAN) || defined(ELASTIC_POLAR)
enum { DOFS = 2 };
#elif defined(CHAIN)
enum { DOFS = CHAIN };
#elif defined(LORENZ)
enum { DOFS = 3 };
#else
#error "name a workload: -DPENDULUM, -DELASTIC_CARTESIAN, -DELASTIC_POLAR, -DCHAIN=masses or -DLORENZ"
#endif

// Lorenz's system is one of first order, and in single precision.
#if defined(LORENZ)
typedef float real;
enum { STATE = DOFS, ROW = 1 + STATE };
#else
typedef double real;
enum { STATE = 2 * DOFS, ROW = 1 + STATE };
#endif

// What depends on a system's parameter alone.
typedef struct Physics {
    real stiffness[DOFS];
} Physics;

#if defined(LORENZ)
// The one number is rho.
static inline void physics_set(double parameter, Physics *p)
{
    p->stiffness[0] = (real)parameter;
}

static inline void slope(const Physics *p, const real *y, real *dy)
{
    dy[0] = 10.0f * (y[1] - y[0]);
    dy[1] = y[0] * (p->stiffness[0] - y[2]) - y[1];
    dy[2] = y[0] * y[1] - (8.0f / 3.0f) * y[2];
}
#else
#if defined(PENDULUM)
// The parameter is the initial angle, which the start has as well.
static inline void physics_set(double parameter, Physics *p)
{
    (void)parameter;
    p->stiffness[0] = 1.0;
}

static inline void acceleration(const Physics *p, const double *x, const double *v, double *a)
{
    (void)p, (void)v;
    a[0] = -sin(x[0]);
}

// The derivative of the acceleration by x, by rows.
static inline void stiffness_matrix(const Physics *p, const double *x, double *dadx)
{
    (void)p;
    dadx[0] = -cos(x[0]);
}
#elif defined(CHAIN)
// Springs that harden by d^3, from stiffness 1 at the wall to 1/eps^2 at the free end, growing by one ratio.
static inline void physics_set(double eps, Physics *p)
{
    for (int i = 0; i < DOFS; ++i)
        p->stiffness[i] = pow(eps, -2.0 * i / (DOFS - 1));
}

static inline void acceleration(const Physics *p, const double *x, const double *v, double *a)
{
    double beyond = 0.0;
    (void)v;
    for (int i = DOFS - 1; i >= 0; --i) {
        const double d = i > 0 ? x[i] - x[i - 1] : x[0], pull = p->stiffness[i] * (d + d * d * d);
        a[i] = beyond - pull;
        beyond = pull;
    }
}

static inline void stiffness_matrix(const Physics *p, const double *x, double *dadx)
{
    double beyond = 0.0;
    for (int i = 0; i < DOFS * DOFS; ++i)
        dadx[i] = 0.0;
    for (int i = DOFS - 1; i >= 0; --i) {
        const double d = i > 0 ? x[i] - x[i - 1] : x[0], stiff = p->stiffness[i] * (1.0 + 3.0 * d * d);
        dadx[i * DOFS + i] = -stiff - beyond;
        if (i > 0)
            dadx[i * DOFS + i - 1] = dadx[(i - 1) * DOFS + i] = stiff;
        beyond = stiff;
    }
}
#else
static inline void physics_set(double eps, Physics *p)
{
    p->stiffness[0] = p->stiffness[1] = 1.0 / (eps * eps);
}

static inline void acceleration(const Physics *p, const double *x, const double *v, double *a)
{
#if defined(ELASTIC_CARTESIAN)
    const double r = sqrt(x[0] * x[0] + x[1] * x[1]), pull = p->stiffness[0] * (r - 1.0) / r;
    (void)v;
    a[0] = 1.0 - pull * x[0];
    a[1] = -pull * x[1];
#else
    a[0] = x[0] * v[1] * v[1] - p->stiffness[0] * (x[0] - 1.0) + cos(x[1]);
    a[1] = -(2.0 * v[0] * v[1] + sin(x[1])) / x[0];
#endif
}
#endif

// y = [x, v]
static inline void slope(const Physics *p, const double *y, double *dy)
{
    for (int i = 0; i < DOFS; ++i)
        dy[i] = y[DOFS + i];
    acceleration(p, y, y + DOFS, dy + DOFS);
}
#endif
