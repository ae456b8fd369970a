//: metric: energy_loss
//: title: Energy lost in a cycle of one coordinate
//: needs: [energy]
//: past: 4
//: after_turn: 2
//: state: [first_energy, last_energy, first_even, last_even, first, last]
//: counts: [extrema]
//: options: [of, window]
//: results:
//:   energy_loss: {unit: J, about: "energy lost per cycle between the first and the last extremum; below 0: gained; NaN with less than a cycle, fewer than 8 observations to one, or where the energy jumps between them"}

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

#include "extremum.h"

static void M(start)(const Observation *o, M(State) *m)
{
    m->first_energy = ZERO;
    m->last_energy = ZERO;
    m->first_even = ZERO;
    m->last_even = ZERO;
    m->first = ZERO;
    m->last = ZERO;
    m->extrema = (whole)(0);
}

// Below 0: the energies range too far, unless the other extremum or the loss makes up for it.
static real M(evenness)(real a, real b, real c, real d, real e)
{
    const real top = larger(b, larger(c, d)), bottom = smaller(b, smaller(c, d));
    const real all = larger(top, larger(a, e)) - smaller(bottom, smaller(a, e));
    return real_abs(c) + 8.0 * (top - bottom) - all;
}

static void M(add_extremum)(mask at, const Observation *o, M(State) *m)
{
    const Quartic q = LAST_QUARTIC(OF_BEFORE, o);
    const Quartic e = LAST_QUARTIC(ENERGY_BEFORE, o);
    real          height;
    const real    s = quartic_turn(&q, parabola_vertex(&q, &height));
    const real    place = to_real(o->step - 2) + s, energy_there = quartic_at(&e, s);
    const real    even =
        M(evenness)(ENERGY_BEFORE(o, 4), ENERGY_BEFORE(o, 3), ENERGY_BEFORE(o, 2), ENERGY_BEFORE(o, 1), ENERGY(o));
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
}

static real M(energy_loss)(const Observation *o, const M(State) *m)
{
    const real cycles = 0.5 * (to_real(m->extrema) - 1.0);
    const real lost = m->first_energy - m->last_energy;
    const mask enough = (m->extrema > 2) & (m->last - m->first >= 8.0 * cycles);
    const mask even = m->first_even + m->last_even + 8.0 * real_abs(lost) >= ZERO;
    return choose(enough & even, lost / cycles, NOT_A_NUMBER);
}
