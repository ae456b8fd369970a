//: metric: kinetic
//: title: Kinetic energy over a window of time
//: needs: [kinetic]
//: state: [largest, sum]
//: tangents: [largest, sum]
//: tangent_state: [last, older]
//: options: [window]
//: results:
//:   kinetic_max:      {unit: J, tangent: true, about: largest kinetic energy in the window}
//:   kinetic_integral: {unit: J s, tangent: true, about: integral of the kinetic energy over the window by the trapezoidal rule}

// Fang 2018 (TR-2018-01), section 4.2, looks at the kinetic energy over the last seconds. An observation is the end of
// two intervals of the trapezoidal rule, and counts half for each of them that lies in the window. The one after the
// last step is there no more: its half is taken off in the end.

#include "turning.h"

TANGENT(static void M(see_tangents)(const Observation *o, mask in, real now, real weight, M(State) *m) {
    const mask higher = in & (now > m->largest), turned = in & TURNED(m, now) & (m->last == m->largest);
    real       d[TANGENTS], turn[TANGENTS];
    KINETIC_TANGENTS(o, d);
    TURNING_TANGENTS(m, now, d, turn);
    EACH_TANGENT(j) {
        m->d_largest[j] = choose(higher, d[j], choose(turned, turn[j], m->d_largest[j]));
        m->d_sum[j] = real_fma(weight, d[j], m->d_sum[j]);
    }
    TURNING_NEXT(m, in, now, d);
})

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = KINETIC(o);
    const mask in = WITHIN(o->t), since = in & WITHIN(o->before), on = in & WITHIN(o->after);
    TANGENT(M(see_tangents)(o, in, now, choose(since & on, ONE, choose(since | on, ZERO + 0.5, ZERO)), m);)
    m->largest = choose(in, larger(now, m->largest), m->largest);
    m->sum = m->sum + choose(since & on, now, choose(since | on, 0.5 * now, ZERO));
}

static void M(start)(const Observation *o, M(State) *m)
{
    const mask in = WITHIN(o->t);
    m->sum = choose(in & WITHIN(o->after), 0.5 * KINETIC(o), ZERO);
    TANGENT(m->largest = -REAL_INFINITY; EACH_TANGENT(j) m->d_largest[j] = m->d_sum[j] = ZERO;)
    TANGENT(TURNING_BEGIN(m, YES))
    TANGENT(M(see_tangents)(o, in, KINETIC(o), choose(in & WITHIN(o->after), ZERO + 0.5, ZERO), m);)
    m->largest = choose(in, KINETIC(o), -REAL_INFINITY);
}

static real M(kinetic_max)(const Observation *o, const M(State) *m)
{
    return choose(m->largest >= ZERO, m->largest, NOT_A_NUMBER);
}

static real M(kinetic_integral)(const Observation *o, const M(State) *m)
{
    const real late = choose(WITHIN(o->t) & WITHIN(o->after), 0.5 * KINETIC(o), ZERO);
    return o->h * choose(is_finite(late), m->sum - late, m->sum);
}

TANGENT(static real M(d_kinetic_max)(const Observation *o, const M(State) *m, int j) {
    return choose(m->largest >= ZERO, m->d_largest[j], NOT_A_NUMBER);
})

TANGENT(static real M(d_kinetic_integral)(const Observation *o, const M(State) *m, int j) {
    real d[TANGENTS];
    KINETIC_TANGENTS(o, d);
    return o->h * (m->d_sum[j] - choose(WITHIN(o->t) & WITHIN(o->after), 0.5 * d[j], ZERO));
})
