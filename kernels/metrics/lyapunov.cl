//: metric: lyapunov
//: title: Largest Lyapunov exponent
//: source: Benettin, Galgani, Giorgilli and Strelcyn 1980, Meccanica 15, section 3; Parker and Chua 1989, section 3.4
//: listed: true
//: state: [sum, lowest, highest]
//: counts: [seen]
//: vectors: [dx, dv, x, v, size_x, size_v]
//: options: [window]
//: results:
//:   lyapunov_exponent: {unit: 1/s, about: mean rate of growth of a small deviation over the window}
//:   lyapunov_spread:   {unit: 1/s, about: "by how much the exponent so far varied over the last half of the steps: how far it has settled"}

// A deviation (dx, dv) of unit length is carried along the trajectory by the variational equation d' = J d and made a
// unit vector again after every step; the exponent is the sum of the logarithms of its growth over their time. Until
// the window begins the deviation turns into the direction that grows fastest.
//
// Lengths are those of d over the sizes of the components, each the largest that its component has had, so that no unit
// has a part in them. The growth in a step is measured over the sizes before it. The size of a component that begins at
// 0 is the distance that a step moves it; of a component at rest it is 1.
//
// A step of the variational equation is one of the classical Runge-Kutta method. The trajectory between two
// observations is the cubic through both states and their derivatives. J d is a central difference of the derivative
// along d.

#include "flow.h"

// J d at a state.
static void M(carry)(const Observation *o, real t, const real x[DOF], const real v[DOF], const real dx[DOF],
                     const real dv[DOF], real fx[DOF], real fv[DOF])
{
    real         x1[DOF], v1[DOF], gx[DOF], gv[DOF];
    const SCALAR reach = CBRT_POWER, per = 0.5 / CBRT_POWER;
    EACH_DOF(i) {
        x1[i] = x[i] + reach * dx[i];
        v1[i] = v[i] + reach * dv[i];
    }
    flow(t, x1, v1, o->p, fx, fv);
    EACH_DOF(i) {
        x1[i] = x[i] - reach * dx[i];
        v1[i] = v[i] - reach * dv[i];
    }
    flow(t, x1, v1, o->p, gx, gv);
    EACH_DOF(i) {
        fx[i] = per * (fx[i] - gx[i]);
        fv[i] = per * (fv[i] - gv[i]);
    }
}

// The deviation after a stage: d + size k.
static void M(move)(const M(State) *m, real size, const real kx[DOF], const real kv[DOF], real dx[DOF], real dv[DOF])
{
    EACH_DOF(i) {
        dx[i] = m->dx[i] + size * kx[i];
        dv[i] = m->dv[i] + size * kv[i];
    }
}

// The size of a component: the larger of its value and of its move in a step; 1 where both are 0.
static real M(first_size)(real at, real moved)
{
    const real size = larger(real_abs(at), real_abs(moved));
    return choose(size > ZERO, size, ONE);
}

static void M(keep)(const Observation *o, M(State) *m)
{
    EACH_DOF(i) {
        m->x[i] = o->s->x[i];
        m->v[i] = o->s->v[i];
        m->size_x[i] = larger(m->size_x[i], real_abs(m->x[i]));
        m->size_v[i] = larger(m->size_v[i], real_abs(m->v[i]));
    }
}

// Divides the deviation by its length over the sizes; returns that.
static real M(unit)(M(State) *m)
{
    real square = ZERO;
    EACH_DOF(i) {
        const real x = m->dx[i] / m->size_x[i], v = m->dv[i] / m->size_v[i];
        square = real_fma(x, x, real_fma(v, v, square));
    }
    const real length = real_sqrt(square), per = 1.0 / length;
    EACH_DOF(i) {
        m->dx[i] = per * m->dx[i];
        m->dv[i] = per * m->dv[i];
    }
    return length;
}

static void M(start)(const Observation *o, M(State) *m)
{
    real fx[DOF], fv[DOF];
    flow(o->t, o->s->x, o->s->v, o->p, fx, fv);
    // A direction that no symmetry of a problem is likely to share.
    EACH_DOF(i) {
        m->size_x[i] = M(first_size)(o->s->x[i], o->h * larger(real_abs(fx[i]), o->h * real_abs(fv[i])));
        m->size_v[i] = FIRST_ORDER ? ONE : M(first_size)(o->s->v[i], real_sqrt(m->size_x[i] * real_abs(fv[i])));
        m->dx[i] = m->size_x[i] * (1.0 / (1.0 + i));
        m->dv[i] = FIRST_ORDER ? ZERO : m->size_v[i] * (0.6 / (1.0 + i));
    }
    M(keep)(o, m);
    M(unit)(m);
    m->sum = ZERO;
    m->lowest = REAL_INFINITY;
    m->highest = -REAL_INFINITY;
    m->seen = (whole)(0);
}

static void M(advance)(const Observation *o, M(State) *m)
{
    const real h = o->h, part = 0.5 * h, eighth = 0.125 * h, middle = o->before + part;
    real       fx[DOF], fv[DOF], gx[DOF], gv[DOF], x[DOF], v[DOF], dx[DOF], dv[DOF], sx[DOF], sv[DOF];
    flow(o->before, m->x, m->v, o->p, fx, fv);
    flow(o->t, o->s->x, o->s->v, o->p, gx, gv);
    EACH_DOF(i) {
        x[i] = 0.5 * (m->x[i] + o->s->x[i]) + eighth * (fx[i] - gx[i]);
        v[i] = 0.5 * (m->v[i] + o->s->v[i]) + eighth * (fv[i] - gv[i]);
    }
    M(carry)(o, o->before, m->x, m->v, m->dx, m->dv, sx, sv);
    M(move)(m, part, sx, sv, dx, dv);
    M(carry)(o, middle, x, v, dx, dv, fx, fv);
    M(move)(m, part, fx, fv, dx, dv);
    M(carry)(o, middle, x, v, dx, dv, gx, gv);
    M(move)(m, h, gx, gv, dx, dv);
    EACH_DOF(i) {
        sx[i] = sx[i] + 2.0 * (fx[i] + gx[i]);
        sv[i] = sv[i] + 2.0 * (fv[i] + gv[i]);
    }
    M(carry)(o, o->t, o->s->x, o->s->v, dx, dv, fx, fv);
    EACH_DOF(i) {
        m->dx[i] = m->dx[i] + h * (1.0 / 6.0) * (sx[i] + fx[i]);
        m->dv[i] = m->dv[i] + h * (1.0 / 6.0) * (sv[i] + fv[i]);
    }
}

static real M(so_far)(const Observation *o, const M(State) *m) { return m->sum / (to_real(m->seen) * o->h); }

static void M(observe)(const Observation *o, M(State) *m)
{
    M(advance)(o, m);
    const real growth = real_log(M(unit)(m));
    M(keep)(o, m);
    M(unit)(m);
    const mask in = WITHIN(o->t) & WITHIN(o->before);
    m->sum = choose(in, m->sum + growth, m->sum);
    m->seen = count(m->seen, in);
    const mask late = in & (o->step >= o->steps - (o->steps >> 1));
    const real now = M(so_far)(o, m);
    m->lowest = choose(late, smaller(now, m->lowest), m->lowest);
    m->highest = choose(late, larger(now, m->highest), m->highest);
}

static real M(lyapunov_exponent)(const Observation *o, const M(State) *m) { return M(so_far)(o, m); }

static real M(lyapunov_spread)(const Observation *o, const M(State) *m)
{
    return choose(m->lowest <= m->highest, m->highest - m->lowest, NOT_A_NUMBER);
}
