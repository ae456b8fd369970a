// incremental.h -- methods that take each step as a minimum (Kane, Marsden, Ortiz and West 2000; Chern 2024).
//
// A method names the velocity w of its prediction x_n + h w and the weight b of the incremental potential; a step is
//
//     u = argmin 1/2 |u - w|_M^2 + b [U(x_n + h u) + h R(x_n, u) - F(t_{n+1}) . h u],   x_{n+1} = x_n + h u,
//
// U the potential, R Rayleigh's dissipation function, F the external force. The gradient is M f with
// f(u) = u - w - b h accel(t_{n+1}, x_n + h u, u), whose last argument stands in R(x_n, .) for v.

#include "velocity.h"

static real incremental_weight(const MethodParams *m);
static real incremental_velocity(real h, const State *s, const MethodParams *m, int i);

// A potential that is infinite where x is not permitted keeps every iterate where it is finite.
static real objective(real h, const real u[DOF], const State *s, const Stage *k, const Params *p, const MethodParams *m,
                      real *size)
{
    real mass[DOF], x[DOF], inertia = ZERO, work = ZERO;
    masses(p, mass);
    EACH_DOF(i) {
        const real apart = u[i] - k->B[i];
        inertia = real_fma(0.5 * mass[i] * apart, apart, inertia);
        x[i] = real_fma(h, u[i], s->x[i]);
    }
#if DRIVEN
    real force[DOF];
    drive(k->t, p, force);
    EACH_DOF(i)
        work = real_fma(h * force[i], u[i], work);
#endif
    const real weight = incremental_weight(m), stored = potential(x, p), lost = h * dissipation(s->x, u, p);
    *size = inertia + weight * (real_abs(stored) + real_abs(lost) + real_abs(work));
    return inertia + weight * (stored + lost - work);
}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    k->t = t + h;
    k->A = ONE;
    k->q = incremental_weight(m) * h;
    k->cx = ZERO + h;
    k->cv = ONE;
    EACH_DOF(i) {
        k->B[i] = incremental_velocity(h, s, m, i);
        k->X[i] = s->x[i];
        k->V[i] = ZERO;
    }
}
