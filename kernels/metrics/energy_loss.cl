//: metric: energy_loss
//: title: Energy lost in a cycle of one coordinate
//: needs: [energy]
//: past: 4
//: after_turn: 2
//: state: [first_energy, last_energy, first_even, last_even, first, last]
//: tangents: [first_energy, last_energy]
//: tangent_state: [back_1, back_2, back_3, back_4, level_1, level_2, level_3, level_4]
//: counts: [extrema]
//: options: [of, window]
//: results:
//:   energy_loss: {unit: J, tangent: true, about: "energy lost per cycle between the first and the last extremum; below 0: gained; NaN with less than a cycle, fewer than 8 observations to one, or where the energy jumps between them"}

// Extrema of the coordinate are as in damping.cl, a cycle lasts from one to the next but one, and the energy is
// interpolated where the coordinate turns, by the quartic through the same five observations. The energy's zero does
// not matter to the number, and energy that modes of motion exchange is no loss: with beats, which look like a decay
// to damping.cl where it sees but half of one, this is the number to read.
//
// A quartic through energies of which an outer one is far beyond the others has no value between them: up to 1/24 of
// the outer one, and its rounding even at an observation. So five energies may range over no more than the middle one
// and 8 times what the middle three range over; summed over both extrema and with 8 times what is lost, so that an end
// which hardly counts takes nothing away. A motion that explodes goes beyond, and so may the first steps of a method
// that throws out what it cannot resolve.

//
// Derivatives: the energy is not at rest where the coordinate turns. By q'(s) = 0 of the coordinate's quartic the place
// moves by ds = -dq'(s)/q''(s), and the energy there by de(s) + e'(s) ds.

#include "extremum.h"

TANGENT(static void M(next_tangents)(const Observation *o, M(State) *m) {
    real d[TANGENTS];
    OF_TANGENTS(o, d);
    BACK_NEXT(m, back, d)
    ENERGY_TANGENTS(o, d);
    BACK_NEXT(m, level, d)
})

static void M(start)(const Observation *o, M(State) *m)
{
    m->first_energy = ZERO;
    m->last_energy = ZERO;
    m->first_even = ZERO;
    m->last_even = ZERO;
    m->first = ZERO;
    m->last = ZERO;
    m->extrema = (whole)(0);
    TANGENT(EACH_TANGENT(j) m->d_first_energy[j] = m->d_last_energy[j] = ZERO;)
    TANGENT(BACK_BEGIN(m, back) BACK_BEGIN(m, level) M(next_tangents)(o, m);)
}

// Below 0: the energies range too far, unless the other extremum or the loss makes up for it.
static real M(evenness)(real a, real b, real c, real d, real e)
{
    const real top = larger(b, larger(c, d)), bottom = smaller(b, smaller(c, d));
    const real all = larger(top, larger(a, e)) - smaller(bottom, smaller(a, e));
    return real_abs(c) + 8.0 * (top - bottom) - all;
}

TANGENT(static void M(derive_extremum)(const Observation *o, mask at, real s, const Quartic *q, const Quartic *e,
                                       M(State) *m) {
    const mask first = at & (m->extrema == 0);
    const real slope = quartic_slope(e, s) / quartic_curvature(q, s);
    real       d[TANGENTS], d_energy[TANGENTS];
    OF_TANGENTS(o, d);
    ENERGY_TANGENTS(o, d_energy);
    EACH_TANGENT(j) {
        const Quartic by = BACK_QUARTIC(m, back, d, j), of_energy = BACK_QUARTIC(m, level, d_energy, j);
        const real    there = quartic_at(&of_energy, s) - slope * quartic_slope(&by, s);
        m->d_first_energy[j] = choose(first, there, m->d_first_energy[j]);
        m->d_last_energy[j] = choose(at, there, m->d_last_energy[j]);
    }
})

static void M(add_extremum)(mask at, const Observation *o, M(State) *m)
{
    const Quartic q = LAST_QUARTIC(OF_BEFORE, o);
    const Quartic e = LAST_QUARTIC(ENERGY_BEFORE, o);
    real          height;
    const real    s = quartic_turn(&q, parabola_vertex(&q, &height));
    const real    place = to_real(o->step - 2) + s, energy_there = quartic_at(&e, s);
    const real    even =
        M(evenness)(ENERGY_BEFORE(o, 4), ENERGY_BEFORE(o, 3), ENERGY_BEFORE(o, 2), ENERGY_BEFORE(o, 1), ENERGY(o));
    TANGENT(M(derive_extremum)(o, at, s, &q, &e, m);)
    const mask first = at & (m->extrema == 0);
    m->first = choose(first, place, m->first);
    m->last = choose(at, place, m->last);
    m->first_energy = choose(first, energy_there, m->first_energy);
    m->last_energy = choose(at, energy_there, m->last_energy);
    m->first_even = choose(first, even, m->first_even);
    m->last_even = choose(at, even, m->last_even);
    m->extrema = count(m->extrema, at);
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const mask turned = LAST_TURNS(OF_BEFORE, o) & WITHIN(o->t) & WITHIN(TIME_AFTER(to_real(o->step - 4), o->h, o->p));
    if (any_lane(turned))
        M(add_extremum)(turned, o, m);
    TANGENT(M(next_tangents)(o, m);)
}

static real M(energy_loss)(const Observation *o, const M(State) *m)
{
    const real cycles = 0.5 * (to_real(m->extrema) - 1.0);
    const real lost = m->first_energy - m->last_energy;
    const mask enough = (m->extrema > 2) & (m->last - m->first >= 8.0 * cycles);
    const mask even = m->first_even + m->last_even + 8.0 * real_abs(lost) >= ZERO;
    return choose(enough & even, lost / cycles, NOT_A_NUMBER);
}

TANGENT(static real M(d_energy_loss)(const Observation *o, const M(State) *m, int j) {
    const real lost = (m->d_first_energy[j] - m->d_last_energy[j]) / (0.5 * (to_real(m->extrema) - 1.0));
    return choose(M(energy_loss)(o, m) == M(energy_loss)(o, m), lost, NOT_A_NUMBER);
})
