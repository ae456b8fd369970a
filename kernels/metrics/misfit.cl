//: metric: misfit
//: title: How far a quantity is from data
//: needs: [compare]
//: state: [due, squares, largest]
//: vectors: [x, v]
//: tangents: [squares, largest, x, v]
//: counts: [taken, used]
//: options: [of, window]
//: results:
//:   misfit_rms: {unit: "1", tangent: true, about: root mean square of the quantity less the data of compare at their times in the window; NaN without data there}
//:   misfit_max: {unit: "1", tangent: true, about: largest magnitude of that difference}

// At the time of a datum the state is that of between.h, and the quantity is computed from it.

#include "between.h"
#include "data.h"

TANGENT(static void M(see_tangents)(const Observation *o, mask used, real off, M(State) *m) {
    const mask farther = used & (real_abs(off) > m->largest), below = off < ZERO;
    real       d[TANGENTS];
    OF_TANGENTS(o, d);
    EACH_TANGENT(j) {
        m->d_squares[j] = choose(used, real_fma(2.0 * off, d[j], m->d_squares[j]), m->d_squares[j]);
        m->d_largest[j] = choose(farther, choose(below, -d[j], d[j]), m->d_largest[j]);
    }
})

// Takes the data up to the observation, after the last step all of them: its end may fall short of theirs by a
// rounding.
static void M(take)(const Observation *o, M(State) *m)
{
    const mask through = o->step >= o->steps;
    mask       due = (m->due <= o->t) | (through & (m->due < REAL_INFINITY));
    while (any_lane(due)) {
        Seen        state;
        Observation there = *o;
        between(o, (m->due - o->before) / o->h, m->x, m->v, state.x, state.v);
        TANGENT(between_tangents(o, (m->due - o->before) / o->h, m->x, m->v, state.x, state.v);)
        there.s = &state;
        there.t = m->due;
        const real off = OF_STATE(&there) - data_at(o->p, m->taken, DATA_VALUE);
        const mask used = due & WITHIN(m->due);
        TANGENT(M(see_tangents)(&there, used, off, m);)
        m->squares = choose(used, m->squares + off * off, m->squares);
        m->largest = choose(used, larger(m->largest, real_abs(off)), m->largest);
        m->used = count(m->used, used);
        m->taken = count(m->taken, due);
        m->due = choose(due, data_at(o->p, m->taken, DATA_TIME), m->due);
        due = due & ((m->due <= o->t) | (through & (m->due < REAL_INFINITY)));
    }
    EACH_OF_STATE(i) {
        m->x[i] = o->s->x[i];
        m->v[i] = o->s->v[i];
    }
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->taken = m->used = (whole)(0);
    m->due = data_at(o->p, m->taken, DATA_TIME);
    m->squares = m->largest = ZERO;
    TANGENT(EACH_TANGENT(j) m->d_squares[j] = m->d_largest[j] = ZERO;)
    EACH_OF_STATE(i) {
        m->x[i] = o->s->x[i];
        m->v[i] = o->s->v[i];
    }
    M(take)(o, m);
}

static void M(observe)(const Observation *o, M(State) *m) { M(take)(o, m); }
static real M(misfit_rms)(const Observation *o, const M(State) *m) { return real_sqrt(m->squares / to_real(m->used)); }
static real M(misfit_max)(const Observation *o, const M(State) *m)
{
    return choose(m->used > 0, m->largest, NOT_A_NUMBER);
}

TANGENT(static real M(d_misfit_rms)(const Observation *o, const M(State) *m, int j) {
    return 0.5 * m->d_squares[j] / (to_real(m->used) * M(misfit_rms)(o, m));
})

TANGENT(static real M(d_misfit_max)(const Observation *o, const M(State) *m, int j) {
    return choose(m->used > 0, m->d_largest[j], NOT_A_NUMBER);
})
