//: metric: energy
//: title: Energy at the start and at the end of a window, and how far it strays
//: needs: [energy]
//: state: [first, last, scale, lowest, highest]
//: tangents: [first, last, scale, lowest, highest]
//: tangent_state: [older]
//: options: [window]
//: results:
//:   energy_initial: {unit: J, tangent: true, about: energy at the window's first observation}
//:   energy_final:   {unit: J, tangent: true, about: energy at its last one}
//:   energy_drift:   {unit: "1", tangent: true, about: "max |E - E0| / max(|E0|, K0) over the window, E0 and the kinetic energy K0, if there is one, at its start"}
//:   energy_ratio:   {unit: "1", tangent: true, about: final over initial energy}

static real M(scale)(const Observation *o, real first)
{
    return larger(real_abs(first), kinetic_or_none(o->s->x, o->s->v, o->p));
}

// The derivative of the drift is that of the side to which the energy strays farther, where it does so.

#include "turning.h"

TANGENT(static void M(begin_tangents)(const Observation *o, mask at, M(State) *m) {
    real       d[TANGENTS], moving[TANGENTS];
    const mask by_energy = real_abs(m->first) >= kinetic_or_none(o->s->x, o->s->v, o->p), below = m->first < ZERO;
    ENERGY_TANGENTS(o, d);
    kinetic_or_none_tangents(o->s->x, o->s->v, o->p, moving);
    EACH_TANGENT(j) {
        m->d_first[j] = choose(at, d[j], m->d_first[j]);
        m->d_lowest[j] = choose(at, d[j], m->d_lowest[j]);
        m->d_highest[j] = choose(at, d[j], m->d_highest[j]);
        m->d_scale[j] = choose(at, choose(by_energy, choose(below, -d[j], d[j]), moving[j]), m->d_scale[j]);
    }
})

TANGENT(static void M(see_tangents)(const Observation *o, mask in, real now, M(State) *m) {
    const mask lower = in & (now < m->lowest), higher = in & (now > m->highest), turned = in & TURNED(m, now),
               low = turned & (m->last == m->lowest), high = turned & (m->last == m->highest);
    real d[TANGENTS], turn[TANGENTS];
    ENERGY_TANGENTS(o, d);
    TURNING_TANGENTS(m, now, d, turn);
    EACH_TANGENT(j) {
        m->d_lowest[j] = choose(lower, d[j], choose(low, turn[j], m->d_lowest[j]));
        m->d_highest[j] = choose(higher, d[j], choose(high, turn[j], m->d_highest[j]));
    }
    TURNING_NEXT(m, in, now, d);
})

static void M(start)(const Observation *o, M(State) *m)
{
    m->first = choose(WITHIN(o->t), ENERGY(o), NOT_A_NUMBER);
    m->scale = M(scale)(o, m->first);
    m->last = m->first;
    m->lowest = m->first;
    m->highest = m->first;
    TANGENT(TURNING_BEGIN(m, YES))
    TANGENT(M(begin_tangents)(o, YES, m); EACH_TANGENT(j) m->d_last[j] = m->d_first[j]; m->last = m->first;)
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = ENERGY(o);
    const mask in = WITHIN(o->t), begins = in & !WITHIN(o->before);
    if (UNLIKELY(any_lane(begins))) {
        m->first = choose(begins, now, m->first);
        m->scale = choose(begins, M(scale)(o, m->first), m->scale);
        m->lowest = choose(begins, now, m->lowest);
        m->highest = choose(begins, now, m->highest);
        TANGENT(M(begin_tangents)(o, begins, m);)
    }
    TANGENT(M(see_tangents)(o, in, now, m);)
    m->last = choose(in, now, m->last);
    m->lowest = choose(in, smaller(now, m->lowest), m->lowest);
    m->highest = choose(in, larger(now, m->highest), m->highest);
}

static real M(energy_initial)(const Observation *o, const M(State) *m) { return m->first; }
static real M(energy_final)(const Observation *o, const M(State) *m) { return m->last; }
static real M(energy_drift)(const Observation *o, const M(State) *m)
{
    return larger(m->highest - m->first, m->first - m->lowest) / m->scale;
}
static real M(energy_ratio)(const Observation *o, const M(State) *m) { return m->last / m->first; }

TANGENT(static real M(d_energy_initial)(const Observation *o, const M(State) *m, int j) {
    return choose(m->first == m->first, m->d_first[j], NOT_A_NUMBER);
})

TANGENT(static real M(d_energy_final)(const Observation *o, const M(State) *m, int j) {
    return choose(m->last == m->last, m->d_last[j], NOT_A_NUMBER);
})

TANGENT(static real M(d_energy_drift)(const Observation *o, const M(State) *m, int j) {
    const mask up = m->highest - m->first >= m->first - m->lowest;
    const real d = choose(up, m->d_highest[j] - m->d_first[j], m->d_first[j] - m->d_lowest[j]);
    return (d - M(energy_drift)(o, m) * m->d_scale[j]) / m->scale;
})

TANGENT(static real M(d_energy_ratio)(const Observation *o, const M(State) *m, int j) {
    return (m->d_last[j] - M(energy_ratio)(o, m) * m->d_first[j]) / m->first;
})
