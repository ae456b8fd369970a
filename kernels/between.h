// between.h -- the state between two observations: cubics through both states and their derivatives.
//
// x and v are off by O(h^4). Of a system of first order this is the state, and v is 0.
//
// Within a substep of a method that has vectors dense_x_1 to dense_v_3 (DENSE), a state is
// (1 - s) y(0) + s (y(1) + (1 - s) (d_1 + s (d_2 + s d_3))), whose order is the method's less 1.

#include "flow.h"

// y(s) of the cubic through y(0) = a and y(1) = b with the slopes h fa and h fb.
static real cubic(real s, real h, real a, real b, real fa, real fb)
{
    const real rise = b - a, bend = 3.0 * rise - h * (2.0 * fa + fb), twist = h * (fa + fb) - 2.0 * rise;
    return choose(s >= ONE, b, a + s * (h * fa + s * (bend + s * twist)));
}

#ifdef DENSE
static real quartic(real s, real a, real b, real d1, real d2, real d3)
{
    return choose(s >= ONE, b, (1.0 - s) * a + s * (b + (1.0 - s) * (d1 + s * (d2 + s * d3))));
}

// Numbers `first` to `end` of the vectors of a state.
static void dense_numbers(const Observation *o, real s, const real *x0, const real *v0, int first, int end, real *x,
                          real *v)
{
    const State *d = o->dense;
    UNROLL
    for (int i = first; i < end; ++i) {
#if FIRST_ORDER
        x[i] = quartic(s, x0[i], o->s->x[i], d->dense_v_1[i], d->dense_v_2[i], d->dense_v_3[i]);
        v[i] = ZERO;
#else
        x[i] = quartic(s, x0[i], o->s->x[i], d->dense_x_1[i], d->dense_x_2[i], d->dense_x_3[i]);
        v[i] = quartic(s, v0[i], o->s->v[i], d->dense_v_1[i], d->dense_v_2[i], d->dense_v_3[i]);
#endif
    }
}
#endif

// The state after the part s, 0 to 1, of the step that ends at the observation.
//   x0, v0  the state before
static void between(const Observation *o, real s, const real x0[DOF], const real v0[DOF], real x[DOF], real v[DOF])
{
#ifdef DENSE
    dense_numbers(o, s, x0, v0, 0, DOF, x, v);
#else
    real fx[DOF], fv[DOF], gx[DOF], gv[DOF];
    flow(o->before, x0, v0, o->p, fx, fv);
    flow(o->t, o->s->x, o->s->v, o->p, gx, gv);
    EACH_DOF(i) {
        x[i] = cubic(s, o->h, x0[i], o->s->x[i], fx[i], gx[i]);
        v[i] = cubic(s, o->h, v0[i], o->s->v[i], fv[i], gv[i]);
    }
#endif
}

#ifdef TANGENTS
// The tangents of that state, behind its DOF numbers.
static void between_tangents(const Observation *o, real s, const real x0[STATE_DOF], const real v0[STATE_DOF],
                             real x[STATE_DOF], real v[STATE_DOF])
{
#ifdef DENSE
    dense_numbers(o, s, x0, v0, DOF, STATE_DOF, x, v);
#else
    Linear from, to;
    observed_linear(o->before, x0, v0, o->p, &from);
    observed_linear(o->t, o->s->x, o->s->v, o->p, &to);
    EACH_TANGENT(j)
        EACH_DOF(i) {
            const int at = (j + 1) * DOF + i;
            const real begins = observed_row(&from, x0, v0, j, i), ends = observed_row(&to, o->s->x, o->s->v, j, i);
#if FIRST_ORDER
            x[at] = cubic(s, o->h, x0[at], o->s->x[at], begins, ends);
            v[at] = ZERO;
#else
            x[at] = cubic(s, o->h, x0[at], o->s->x[at], v0[at], o->s->v[at]);
            v[at] = cubic(s, o->h, v0[at], o->s->v[at], begins, ends);
#endif
        }
#endif
}
#endif
