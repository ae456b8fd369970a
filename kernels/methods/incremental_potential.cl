//: method: incremental_potential
//: title: Minimal incremental potential, with a line search
//: source: "Chern 2024 (CSE 291), \"Incremental variation\" and \"Numerical optimization\"; Kane, Marsden, Ortiz and West 2000; Li et al. 2020"
//: conventions: "the dissipation function is taken at (x_n, (x - x_n)/h), not at an iterate x^(k) as printed"
//: order: 1
//: unknown: velocity
//: solver: line_search
//: needs: [potential, masses]
//: rho_infinity: "0"
//: critical: infinite
//: equations:
//:   - solve v1
//:   - x1 = x + h*v1
//:   - v1 = v + h*accel(t + h, x1, v1)

// x_{n+1} = argmin |x - x_n - h v_n|_M^2/(2 h^2) + U(x) + h R(x_n, (x - x_n)/h) and v_{n+1} = (x_{n+1} - x_n)/h:
// backward Euler where the minimum is the root that Newton's method finds. The line search keeps it inside a barrier.

#include "incremental.h"

static void start(const Params *p, const MethodParams *m, State *s) {}

static real incremental_weight(const MethodParams *m) { return ONE; }

static real incremental_velocity(real h, const State *s, const MethodParams *m, int i) { return s->v[i]; }

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    EACH_DOF(i) {
        s->x[i] = real_fma(h, u[i], s->x[i]);
        s->v[i] = u[i];
    }
}
