// bare.cl -- workloads of `pendula bench` by hand: the yardstick of what the engine around the formulas costs.
//
// What somebody writes in OpenCL C for one problem, one method and one question: the same formulas and the same solver
// as the composed kernel's (`newton: {mode: paper, tolerance: 1.0e-10}`), LANES points side by side, parameters at run
// time, a sine of its own, central differences, dense elimination with pivoting, no contraction. There is nothing else:
// no status and no check but that of the residual, no halving, no metrics and no samples, no slices - a launch takes
// all steps -, and the sine is for angles below 2^30.
//
// Build options: LANES (1, 2, 4, 8, 16, 32), LOCAL_SIZE; a line in front of the text defines the workload's name.
// Columns of points lie side by side in rows, as in the composed kernels. `parameters` has the step, the tolerance, the
// method's parameters and the problem's in the order of their cards; `values` has each point's own one.

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION   cl_khr_fp64 : enable
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpsabi"
#endif

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define EACH(first, i) \
    _Pragma("unroll")  \
    for (int i = first; i < DOF; ++i)
#define INSERTED static inline __attribute__((always_inline))

#if LANES == 1
typedef double real;
typedef long   whole;
#define OF_LANES(name) name
#define TRUE ((whole)1)
#define ANY(mask) ((mask) != 0)
#define COUNT(mask) (mask)
#else
#define OF_LANES(name) PASTE(name, LANES)
#if LANES == 32 && defined(__OPENCL_C_VERSION__)
#define SCALAR double
#define SCALAR_WHOLE long
#define VECTOR OF_LANES
#include "wide.h"
#endif
typedef PASTE(double, LANES) real;
typedef PASTE(long, LANES) whole;
#define TRUE ((whole)-1)
#define COUNT(mask) (-(mask))
#if LANES == 2
#define ANY(mask) (((mask).x | (mask).y) != 0)
#elif LANES == 4
#define ANY(mask) any_of_2((mask).lo | (mask).hi)
#elif LANES == 8
#define ANY(mask) any_of_4((mask).lo | (mask).hi)
#elif LANES == 16
#define ANY(mask) any_of_8((mask).lo | (mask).hi)
#else
#define ANY(mask) any_of_16((mask).lo | (mask).hi)
#endif
INSERTED bool any_of_2(long2 m)
{
    return (m.x | m.y) != 0;
}
INSERTED bool any_of_4(long4 m)
{
    return any_of_2(m.lo | m.hi);
}
INSERTED bool any_of_8(long8 m)
{
    return any_of_4(m.lo | m.hi);
}
INSERTED bool any_of_16(long16 m)
{
    return any_of_8(m.lo | m.hi);
}
#endif

#if LANES == 1
INSERTED real load(global const double *from)
{
    return *from;
}
INSERTED void save(real x, global double *to)
{
    *to = x;
}
#else
INSERTED real load(global const double *from)
{
    return OF_LANES(vload)(0, from);
}
INSERTED void save(real x, global double *to)
{
    OF_LANES(vstore)(x, 0, to);
}
#endif

// What each workload is made of.
#ifdef W1
#define DOF 1
#define PENDULUM
#define ALPHA
#endif
#ifdef W3
#define DOF 1
#define PENDULUM
#define RUNGE_KUTTA
#endif
#ifdef W2
#define DOF 2
#define CARTESIAN
#define THETA
#endif
#ifdef W5
#define DOF 2
#define POLAR
#define THETA
#endif
#ifdef W4n4
#define DOF 4
#define CHAIN
#define ALPHA
#endif
#ifdef W4n8
#define DOF 8
#define CHAIN
#define ALPHA
#endif
#ifdef RUNGE_KUTTA
#define OWN 2  // the problem's first parameter
#else
#define OWN 3
#endif

// Of angles: x = n pi + r or n pi/2 + r, and polynomials in r.
#define ROUNDER 0x1.8p52
#define HALF_PI_1 0x1.921fb54442d18p+0
#define HALF_PI_2 0x1.1a62633145c07p-54
#define HALF_PI_3 -0x1.f1976b7ed8fbcp-110

INSERTED real sine_of(real r)
{
    const real u = r * r, u2 = u * u;
    const real high =
        fma(u2, (real)0x1.8832a860a89e8p-49, fma(u, (real)-0x1.ae438470a0c7ep-41, (real)0x1.6123cd073c1c8p-33));
    const real middle = fma(u, (real)-0x1.ae6454d4744e4p-26, (real)0x1.71de3a52a0b15p-19);
    const real low = fma(u, (real)-0x1.a01a01a014d6fp-13, (real)0x1.11111111110c8p-7);
    return fma(r, fma(u, (real)-0x1.5555555555555p-3, u2 * fma(u2, fma(u2, high, middle), low)), r);
}

INSERTED real cosine_of(real r)
{
    const real u = r * r, u2 = u * u;
    const real middle = fma(u, (real)0x1.1ee9dbcf5d411p-29, (real)-0x1.27e4f7f191a93p-22);
    const real low = fma(u, (real)0x1.a01a019c8f258p-16, (real)-0x1.6c16c16c15015p-10);
    const real high = fma(u2, fma(u2, (real)-0x1.8fa684c895137p-37, middle), low);
    return fma(u, fma(u2, high, fma(u, (real)0x1.555555555554bp-5, (real)-0.5)), (real)1.0);
}

INSERTED real sine(real x)
{
    const real q = fma(x, (real)0x1.45f306dc9c883p-2, (real)ROUNDER), n = q - ROUNDER;
    const real r =
        fma(n, (real)(-2.0 * HALF_PI_3), fma(n, (real)(-2.0 * HALF_PI_2), fma(n, (real)(-2.0 * HALF_PI_1), x)));
    return OF_LANES(as_double)(OF_LANES(as_long)(sine_of(r)) ^ (OF_LANES(as_long)(q) << 63));
}

INSERTED void sine_and_cosine(real x, real *s, real *c)
{
    const real  q = fma(x, (real)0x1.45f306dc9c883p-1, (real)ROUNDER), n = q - ROUNDER;
    const real  r = fma(n, (real)-HALF_PI_3, fma(n, (real)-HALF_PI_2, fma(n, (real)-HALF_PI_1, x)));
    const whole quarters = OF_LANES(as_long)(q), sign = (whole)1 << 63, odd = (quarters & 1) != 0;
    const real  sine = sine_of(r), cosine = cosine_of(r);
    *s = OF_LANES(as_double)(OF_LANES(as_long)(odd ? cosine : sine) ^ ((quarters << 62) & sign));
    *c = OF_LANES(as_double)(OF_LANES(as_long)(odd ? sine : cosine) ^ (((quarters + 1) << 62) & sign));
}

#ifdef PENDULUM
typedef struct Problem {
    double g, zeta;
} Problem;

INSERTED void begin(real x0, global const double *own, Problem *p, real *x, real *v)
{
    p->g = own[0];
    p->zeta = own[1];
    x[0] = x0;
    v[0] = (real)own[3];
}

INSERTED void acceleration(const Problem *p, const real *x, const real *v, real *a)
{
    a[0] = -p->g * sine(x[0]) - 2.0 * p->zeta * v[0];
}
#endif

#if defined(CARTESIAN) || defined(POLAR)
typedef struct Problem {
    real   stiffness;
    double g;
} Problem;
#define SQRT_HALF 0.70710678118654752440
#endif

#ifdef CARTESIAN
INSERTED void begin(real eps, global const double *own, Problem *p, real *x, real *v)
{
    const double k = own[1];
    p->stiffness = 1.0 / (eps * eps);
    p->g = own[2];
    x[0] = x[1] = (1.0 + k * eps) * SQRT_HALF;
    v[0] = 1.0 + 0.5 * k * eps;
    v[1] = -0.5 * k * eps;
}

INSERTED void acceleration(const Problem *p, const real *x, const real *v, real *a)
{
    const real r = sqrt(x[0] * x[0] + x[1] * x[1]), per_r = 1.0 / r, spring = p->stiffness * (r - 1.0);
    a[0] = p->g - spring * (x[0] * per_r);
    a[1] = -spring * (x[1] * per_r);
}
#endif

#ifdef POLAR
INSERTED void begin(real eps, global const double *own, Problem *p, real *x, real *v)
{
    p->stiffness = 1.0 / (eps * eps);
    p->g = own[2];
    x[0] = 1.0 + own[1] * eps;
    x[1] = (real)(0.25 * 3.14159265358979323846);
    v[0] = (real)SQRT_HALF;
    v[1] = (real)-SQRT_HALF;
}

INSERTED void acceleration(const Problem *p, const real *x, const real *v, real *a)
{
    real s, c;
    sine_and_cosine(x[1], &s, &c);
    a[0] = x[0] * v[1] * v[1] - p->stiffness * (x[0] - 1.0) + p->g * c;
    a[1] = -(2.0 * v[0] * v[1] + p->g * s) / x[0];
}
#endif

#ifdef CHAIN
typedef struct Problem {
    real   stiffest, shrink;
    double k, per_mass, cubic, r_m, r_k;
} Problem;

// e^x and ln x of ordinary numbers: ln x = k ln 2 + ln(1 + f), sqrt(1/2) <= 1 + f < sqrt(2).
#define LN2_1 0x1.62e42fefa39efp-1
#define LN2_2 0x1.abc9e3b39803fp-56

INSERTED real exponential(real x)
{
    const real  q = fma(x, (real)0x1.71547652b82fep+0, (real)ROUNDER), n = q - ROUNDER;
    const real  r = fma(n, (real)-LN2_2, fma(n, (real)-LN2_1, x)), u = r * r;
    const whole k = OF_LANES(as_long)(q) - OF_LANES(as_long)((real)ROUNDER);
    real        y = fma(r, (real)0x1.ac20caf2fa64dp-26, (real)0x1.28a0762edd774p-22);
    y = fma(y, u, fma(r, (real)0x1.71dffe1f3be39p-19, (real)0x1.a019aa30ed881p-16));
    y = fma(y, u, fma(r, (real)0x1.a01a00cc32040p-13, (real)0x1.6c16c17d19f50p-10));
    y = fma(y, u, fma(r, (real)0x1.11111111385bap-7, (real)0x1.55555555530d8p-5));
    y = fma(y, u, fma(r, (real)0x1.55555555554bcp-3, (real)0.5));
    return (1.0 + fma(y, u, r)) * OF_LANES(as_double)((k + 1023) << 52);
}

INSERTED real logarithm(real x)
{
    const whole bits = OF_LANES(as_long)(x);
    const whole k = (bits - OF_LANES(as_long)((real)0.70710678118654752440)) >> 52;
    const real  f = OF_LANES(as_double)(bits - (k << 52)) - 1.0, n = OF_LANES(convert_double)(k);
    const real  s = f / (2.0 + f), u = s * s, u2 = u * u;
    real        y = fma(u2, (real)0x1.2f0246faaa3e0p-3, fma(u, (real)0x1.39a20ca5f8a94p-3, (real)0x1.74663b99ecd2bp-3));
    y = fma(y, u2, fma(u, (real)0x1.c71c521a42ab9p-3, (real)0x1.24924941db1e8p-2));
    y = fma(y, u2, fma(u, (real)0x1.999999997ff65p-2, (real)0x1.5555555555592p-1));
    return fma(n, (real)LN2_1, f - fma(n, (real)-LN2_2, s * fma(-y, u, f)));
}

INSERTED void begin(real eps, global const double *own, Problem *p, real *x, real *v)
{
    p->shrink = exponential(logarithm(eps) * (2.0 / (DOF - 1)));
    p->per_mass = 1.0 / own[1];
    p->k = own[2];
    p->cubic = own[4];
    p->r_m = own[5];
    p->r_k = own[6];
    p->stiffest = p->k / (eps * eps);
    EACH (0, i) {
        x[i] = (real)(own[7] * ((double)(i + 1) / DOF));
        v[i] = (real)0.0;
    }
    v[DOF - 1] = (real)own[8];
}

INSERTED real tension(real k, real d, real rate, const Problem *p)
{
    return k * (d + p->cubic * d * d * d + p->r_k * rate);
}

INSERTED void acceleration(const Problem *p, const real *x, const real *v, real *a)
{
    real k = p->stiffest, beyond = (real)0.0;
    _Pragma("unroll")
    for (int i = DOF - 1; i > 0; --i) {
        const real pull = tension(k, x[i] - x[i - 1], v[i] - v[i - 1], p);
        a[i] = (beyond - pull) * p->per_mass - p->r_m * v[i];
        beyond = pull;
        k = k * p->shrink;
    }
    a[0] = (beyond - tension((real)p->k, x[0], v[0], p)) * p->per_mass - p->r_m * v[0];
}
#endif

#ifndef RUNGE_KUTTA
// f(u) = A u - B - q a(X + cx u, V + cv u) = 0
typedef struct Equation {
    double A;
    real   q, cx, cv, B[DOF], X[DOF], V[DOF];
} Equation;

INSERTED void residual(const Problem *p, const Equation *e, const real *u, real *f)
{
    real x[DOF], v[DOF], a[DOF];
    EACH (0, i) {
        x[i] = fma(e->cx, u[i], e->X[i]);
        v[i] = fma(e->cv, u[i], e->V[i]);
    }
    acceleration(p, x, v, a);
    EACH (0, i) {
        const real rest = fma((real)e->A, u[i], -e->B[i]);
#ifdef ALPHA
        f[i] = rest - a[i];
#else
        f[i] = fma(-e->q, a[i], rest);
#endif
    }
}

INSERTED real matrix(const Problem *p, const Equation *e, const real *u, real J[DOF][DOF])
{
    real size = (real)1.0;
    EACH (0, i)
        size = fabs(u[i]) > size ? fabs(u[i]) : size;
    const real s = 1.4901161193847656e-8 * size;
    EACH (0, j) {
        real moved[DOF], ahead[DOF], behind[DOF];
        EACH (0, i)
            moved[i] = u[i];
        moved[j] = u[j] + s;
        residual(p, e, moved, ahead);
        moved[j] = u[j] - s;
        residual(p, e, moved, behind);
        EACH (0, i)
            J[i][j] = ahead[i] - behind[i];
    }
    return 2.0 * s;
}

INSERTED void solve(real J[DOF][DOF], real *b)
{
    real inverse[DOF];
    EACH (0, k) {
        EACH (k + 1, i) {
            const whole larger = fabs(J[i][k]) > fabs(J[k][k]);
            if (__builtin_expect(ANY(larger), 0)) {
                EACH (k, j) {
                    const real up = J[i][j], down = J[k][j];
                    J[k][j] = larger ? up : down;
                    J[i][j] = larger ? down : up;
                }
                const real up = b[i], down = b[k];
                b[k] = larger ? up : down;
                b[i] = larger ? down : up;
            }
        }
        inverse[k] = 1.0 / J[k][k];
        EACH (k + 1, i) {
            const real factor = J[i][k] * inverse[k];
            EACH (k + 1, j)
                J[i][j] = fma(-factor, J[k][j], J[i][j]);
            b[i] = fma(-factor, b[k], b[i]);
        }
    }
    _Pragma("unroll")
    for (int i = DOF - 1; i >= 0; --i) {
        EACH (i + 1, j)
            b[i] = fma(-J[i][j], b[j], b[i]);
        b[i] = b[i] * inverse[i];
    }
}

// Newton's method from the guess u, which becomes the solution. `more` counts the updates after the first.
INSERTED void newton(const Problem *p, const Equation *e, double tolerance, real *u, whole *more)
{
    real  f[DOF], J[DOF][DOF];
    whole going = TRUE;
    residual(p, e, u, f);
    for (int update = 0; update < 50; ++update) {
        const real width = matrix(p, e, u, J);
        solve(J, f);
        EACH (0, i)
            u[i] = going ? fma(-width, f[i], u[i]) : u[i];
        residual(p, e, u, f);
        whole within = TRUE;
        EACH (0, i)
            within = within & (fabs(f[i]) <= tolerance);
        going = going & !within;
        if (!ANY(going))
            return;
        *more = *more + COUNT(going);
    }
}
#endif

#ifdef ALPHA
// Generalized-alpha (Wu 2018, eq. 3-9).
INSERTED void march(const Problem *p, global const double *parameters, ulong steps, real *x, real *v, whole *more)
{
    const double h = parameters[0], rho = parameters[2];
    const double am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0), gamma = 0.5 - am + af, part = 1.0 - af;
    const double beta = 0.25 * (1.0 - am + af) * (1.0 - am + af);
    Equation     e;
    real         a[DOF], u[DOF];
    e.A = 1.0 - am;
    e.cx = (real)(part * beta * h * h);
    e.cv = (real)(part * gamma * h);
    acceleration(p, x, v, a);
    for (ulong step = 0; step < steps; ++step) {
        EACH (0, i) {
            e.B[i] = -am * a[i];
            e.X[i] = fma((real)(part * h), fma((real)(h * (0.5 - beta)), a[i], v[i]), x[i]);
            e.V[i] = fma((real)(part * h * (1.0 - gamma)), a[i], v[i]);
            u[i] = a[i];
        }
        newton(p, &e, parameters[1], u, more);
        EACH (0, i) {
            x[i] = fma((real)h, fma((real)(h * (0.5 - beta)), a[i], fma((real)(h * beta), u[i], v[i])), x[i]);
            v[i] = fma((real)(h * (1.0 - gamma)), a[i], fma((real)(h * gamma), u[i], v[i]));
            a[i] = u[i];
        }
    }
}
#endif

#ifdef THETA
// The second-order theta method, its first step by the first-order one (Wu 2018, eq. 10-14).
INSERTED void march(const Problem *p, global const double *parameters, ulong steps, real *x, real *v, whole *more)
{
    const double h = parameters[0], theta = parameters[2], theta1 = 0.5 + theta / 50.0;
    double       c = h * theta1, d = 0.0, back = h * (1.0 - theta1);
    Equation     e;
    real         a[DOF], u[DOF], x_before[DOF], v_before[DOF];
    EACH (0, i) {
        x_before[i] = x[i];
        v_before[i] = v[i];
        e.V[i] = (real)0.0;
    }
    e.A = 1.0;
    e.cv = (real)1.0;
    for (ulong step = 0; step < steps; ++step) {
        e.q = e.cx = (real)c;
        acceleration(p, x, v, a);
        EACH (0, i) {
            e.X[i] = fma((real)d, x[i] - x_before[i], fma((real)back, v[i], x[i]));
            e.B[i] = fma((real)d, v[i] - v_before[i], fma((real)back, a[i], v[i]));
            u[i] = v[i];
            x_before[i] = x[i];
            v_before[i] = v[i];
        }
        newton(p, &e, parameters[1], u, more);
        EACH (0, i) {
            x[i] = fma(e.cx, u[i], e.X[i]);
            v[i] = u[i];
        }
        c = h * (0.5 + theta / 6.0);
        d = theta / 3.0;
        back = h * 0.5 * (1.0 - theta);
    }
}
#endif

#ifdef RUNGE_KUTTA
INSERTED void along(double c, const real *x, const real *v, const real *dx, const real *dv, real *x_there,
                    real *v_there)
{
    EACH (0, i) {
        x_there[i] = fma((real)c, dx[i], x[i]);
        v_there[i] = fma((real)c, dv[i], v[i]);
    }
}

// The classical Runge-Kutta method.
INSERTED void march(const Problem *p, global const double *parameters, ulong steps, real *x, real *v, whole *more)
{
    const double h = parameters[0];
    for (ulong step = 0; step < steps; ++step) {
        real a1[DOF], a2[DOF], a3[DOF], a4[DOF], there[DOF], v2[DOF], v3[DOF], v4[DOF];
        acceleration(p, x, v, a1);
        along(0.5 * h, x, v, v, a1, there, v2);
        acceleration(p, there, v2, a2);
        along(0.5 * h, x, v, v2, a2, there, v3);
        acceleration(p, there, v3, a3);
        along(h, x, v, v3, a3, there, v4);
        acceleration(p, there, v4, a4);
        EACH (0, i) {
            x[i] = fma((real)(h / 6.0), v[i] + 2.0 * (v2[i] + v3[i]) + v4[i], x[i]);
            v[i] = fma((real)(h / 6.0), a1[i] + 2.0 * (a2[i] + a3[i]) + a4[i], v[i]);
        }
    }
}
#endif

// Arguments of the kernel, as in shared.h.
#define BARE_ARGUMENTS(HEAD, NEXT)                                                       \
    HEAD(VALUES, global const double *, values) /* [columns] */                          \
    NEXT(PARAMETERS, global const double *, parameters)                                  \
    NEXT(STATES, global double *, states)   /* [2 DOF][columns] out: x, then v */        \
    NEXT(MORE, global long *, more_updates) /* [columns] out: after each step's first */ \
    NEXT(COLUMNS, ulong, columns)                                                        \
    NEXT(STEPS, ulong, steps)
#define HEAD_ARGUMENT(NAME, type, name) type name
#define NEXT_ARGUMENT(NAME, type, name) , type name

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void bare(BARE_ARGUMENTS(HEAD_ARGUMENT, NEXT_ARGUMENT))
{
    const size_t at = get_global_id(0) * LANES;
    Problem      p;
    real         x[DOF], v[DOF];
    whole        more = (whole)0;
    begin(load(values + at), parameters + OWN, &p, x, v);
    march(&p, parameters, steps, x, v, &more);
    EACH (0, i) {
        save(x[i], states + i * columns + at);
        save(v[i], states + (DOF + i) * columns + at);
    }
    save(OF_LANES(as_double)(more), (global double *)more_updates + at);
}

#ifdef LAUNCH  // where no driver calls a kernel with its arguments
LAUNCH(bare, BARE_ARGUMENTS)
#endif
