//: method: tr_bdf2_adaptive
//: title: Trapezoidal rule to an inner point, then BDF2, substeps chosen by its error estimate
//: source: "Bank et al. 1985; Hosea and Shampine 1996, eq. (5), (9)"
//: conventions: "tr_bdf2 at gamma = 2 - sqrt(2); ode23tb of other programs"
//: order: 2
//: error_order: 3
//: first_order: true
//: unknown: velocity
//: stages: 3
//: adaptive: true
//: state: [a, size_x, size_v]
//: scratch: [x_g, v_g, a_g, x_1, v_1, a_1, v_e]
//: parameters:
//:   rtol: {default: 1.0e-6, above: 0, max: 1, unit: "1", about: "error permitted per substep, relative to the size of x and v"}
//:   atol: {default: 1.0e-9, above: 0, unit: "1", about: "error permitted per substep beside that, relative to the largest that the component has been"}
//: equations_start:
//:   - a = accel(t, x, v)
//: equations:
//:   - gamma = 2 - sqrt(2)
//:   - d = gamma/2
//:   - w = sqrt(2)/4
//:   - solve v_g
//:   - x_g = x + d*h*(v + v_g)
//:   - v_g = v + d*h*(a + accel(t + gamma*h, x_g, v_g))
//:   - a_g = (v_g - v)/(d*h) - a
//:   - solve v1
//:   - x1 = x + h*(w*(v + v_g) + d*v1)
//:   - v1 = v + h*(w*(a + a_g) + d*accel(t + h, x1, v1))
//:   - a1 = (v1 - v)/(d*h) - w/d*(a + a_g)
//:   - r_x = h*((4*w - 1)/3*v - v_g/3 + 2*d/3*v1)
//:   - r_v = h*((4*w - 1)/3*a - a_g/3 + 2*d/3*a1)
//:   - solve v_e
//:   - v_e = v1 + r_v + d*h*(accel(t + h, x1 + r_x + d*h*(v_e - v1), v_e) - a1)
//:   - error_x = r_x + d*h*(v_e - v1)
//:   - error_v = v_e - v1

// r is the difference from the third-order formula with the same three slopes. It is far too large where the problem is
// stiff, so that Hosea and Shampine take (I - d h J)^-1 r. This filter is the third solve here: where a step of
// backward Euler of length d h leads from the end of the substep, moved by r, less where it leads from the end itself.
// The two are the same but for terms of second order in r. A slope is found from the solution that it belongs to, never
// by an evaluation, which would magnify what the solve has left of its residual (section 4 there).

#include "error.h"
#include "newton.h"

#define ROOT 1.4142135623730951
#define DIAGONAL (0.5 * (2.0 - ROOT))

static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(START_TIME(p), s->x, s->v, p, s->a);
    EACH_DOF(i)
        s->size_x[i] = s->size_v[i] = ZERO;
}

static void guess(real h, const State *s, const Stage *k, real u[DOF])
{
    EACH_DOF(i)
        u[i] = k->number == 0 ? s->v[i] : k->number == 1 ? s->v_g[i] : s->v_1[i];
}

// h times the slopes at the beginning, the inner point and the end, weighed by the difference of the two formulas.
static real defect(real h, real begin, real inner, real end)
{
    return h * ((ROOT - 1.0) / 3.0 * begin - 1.0 / 3.0 * inner + (2.0 - ROOT) / 3.0 * end);
}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    const real c = DIAGONAL * h, w = 0.25 * ROOT * h;
    k->A = ONE;
    k->cx = k->q = c;
    k->cv = ONE;
    k->t = k->number == 0 ? t + (2.0 - ROOT) * h : t + h;
    EACH_DOF(i) {
        k->V[i] = ZERO;
        if (k->number == 0) {
            k->X[i] = real_fma(c, s->v[i], s->x[i]);
            k->B[i] = real_fma(c, s->a[i], s->v[i]);
        } else if (k->number == 1) {
            k->X[i] = real_fma(w, s->v[i] + s->v_g[i], s->x[i]);
            k->B[i] = real_fma(w, s->a[i] + s->a_g[i], s->v[i]);
        } else {
            k->X[i] = real_fma(-c, s->v_1[i], s->x_1[i]) + defect(h, s->v[i], s->v_g[i], s->v_1[i]);
            k->B[i] = real_fma(-c, s->a_1[i], s->v_1[i]) + defect(h, s->a[i], s->a_g[i], s->a_1[i]);
        }
    }
}

// The size of the numbers that are rounded on the way to the residual.
static real magnitude(real h, const State *s, const real u[DOF], int i)
{
    return real_abs(s->x[i]) + h * real_abs(s->v[i]);
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    EACH_DOF(i) {
        const real x = real_fma(k->cx, u[i], k->X[i]), a = (u[i] - k->B[i]) / k->q;
        if (k->number == 0) {
            s->x_g[i] = x;
            s->v_g[i] = u[i];
            s->a_g[i] = a;
        } else if (k->number == 1) {
            s->x_1[i] = x;
            s->v_1[i] = u[i];
            s->a_1[i] = a;
        } else {
            s->v_e[i] = u[i];
        }
    }
}

// Largest over the components of |error|/(atol size + rtol max(|old|, |new|)).
static real trial(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real worst = ZERO;
    EACH_DOF(i) {
        const real error_v = s->v_e[i] - s->v_1[i],
                   error_x = real_fma(DIAGONAL * h, error_v, defect(h, s->v[i], s->v_g[i], s->v_1[i]));
        worst = worse(worst, error_share(i, h, m, s->x_1[i], s->v_1[i], error_x, error_v, s));
        s->x[i] = s->x_1[i];
        s->v[i] = s->v_1[i];
        s->a[i] = s->a_1[i];
    }
    return worst;
}
