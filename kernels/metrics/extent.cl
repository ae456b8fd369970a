//: metric: extent
//: title: How far a point moves
//: state: [largest]
//: tangents: [largest]
//: tangent_state: [last, older]
//: options: [window]
//: results:
//:   x_max: {unit: "1", tangent: true, about: "largest |x_i| over the window and degrees of freedom"}

#include "turning.h"

TANGENT(static void M(see_tangents)(const Observation *o, mask in, M(State) *m) {
    const real now = norm(o->s->x);
    const mask farther = in & (now > m->largest), turned = in & TURNED(m, now) & (m->last == m->largest);
    real       d[TANGENTS], turn[TANGENTS], size = ZERO - 1.0;
    EACH_DOF(i) {
        const mask larger_one = real_abs(o->s->x[i]) > size, below = o->s->x[i] < ZERO;
        real       by[TANGENTS];
        element_tangents(o->s->x, i, by);
        EACH_TANGENT(j)
            d[j] = choose(larger_one, choose(below, -by[j], by[j]), d[j]);
        size = choose(larger_one, real_abs(o->s->x[i]), size);
    }
    TURNING_TANGENTS(m, now, d, turn);
    EACH_TANGENT(j)
        m->d_largest[j] = choose(farther, d[j], choose(turned, turn[j], m->d_largest[j]));
    TURNING_NEXT(m, in, now, d);
})

static void M(observe)(const Observation *o, M(State) *m)
{
    TANGENT(M(see_tangents)(o, WITHIN(o->t), m);)
    m->largest = choose(WITHIN(o->t), larger(m->largest, norm(o->s->x)), m->largest);
}

static void M(start)(const Observation *o, M(State) *m)
{
    TANGENT(m->largest = ZERO - 1.0; EACH_TANGENT(j) m->d_largest[j] = ZERO; TURNING_BEGIN(m, YES))
    TANGENT(M(see_tangents)(o, WITHIN(o->t), m);)
    m->largest = choose(WITHIN(o->t), norm(o->s->x), ZERO - 1.0);
}

static real M(x_max)(const Observation *o, const M(State) *m)
{
    return choose(m->largest >= ZERO, m->largest, NOT_A_NUMBER);
}

TANGENT(static real M(d_x_max)(const Observation *o, const M(State) *m, int j) {
    return choose(m->largest >= ZERO, m->d_largest[j], NOT_A_NUMBER);
})
